# ActiveRecord, over ruby-pg.
require "active_record"
require "stringio"

ActiveRecord::Base.establish_connection(ENV.fetch("DATABASE_URL"))
ActiveRecord::Migration.verbose = false

class CreateItem < ActiveRecord::Migration[6.1]
  def change
    enable_extension "uuidrfc"
    create_table :item, id: :uuid, default: -> { "uuidv7()" } do |t|
      t.text :name, null: false
    end
    reversible do |direction|
      direction.up do
        execute "CREATE VIEW item_v AS SELECT *, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) IS NOT NULL"
      end
      direction.down { execute "DROP VIEW item_v" }
    end
  end
end

class CreateVisit < ActiveRecord::Migration[6.1]
  def change
    create_table :visit, id: "uuid_v7", default: -> { "uuidv7()" } do |t|
      t.uuid :items, array: true
    end
  end
end

class Item < ActiveRecord::Base
  self.table_name = "item"

  scope :created_between, ->(start, finish) { where("uuidv7_time(item.id) >= ? AND uuidv7_time(item.id) < ?", start, finish) }
  scope :with_created_at, -> { select("item.*, uuidv7_time(item.id) AS created_at") }
end

# The view has created_at as an ordinary attribute.
class ItemView < ActiveRecord::Base
  self.table_name = "item_v"
  self.primary_key = "id"
  # Otherwise, create! would write created_at, which the view computes.
  self.record_timestamps = false
end

class Visit < ActiveRecord::Base
  self.table_name = "visit"
end

def check(holds)
  raise "does not hold" unless holds
end

CreateItem.migrate(:up)
CreateItem.migrate(:down)
CreateItem.migrate(:up)
schema = StringIO.new
pool = ActiveRecord::Base.connection_pool
ActiveRecord::SchemaDumper.dump(ActiveRecord.version < Gem::Version.new("7.2") ? pool.connection : pool, schema)
check schema.string.include?('create_table "item", id: :uuid, default: -> { "uuidv7()" }')
check schema.string.include?('enable_extension "uuidrfc"')
ActiveRecord::Base.connection.execute(File.read("../old_rows.sql"))
puts "table"

# Insert a row, and read it.
tea = Item.create!(name: "tea")
check tea.id[14] == "7"
check Item.find(tea.id).name == "tea"
ids = Item.insert_all(%w[a b c].map { |name| { name: name } }, returning: :id).map { |row| row["id"] }
check ids.sort == ids && tea.id < ids[0]
puts "insert"

# Find the rows created between two times.
start, finish = Time.utc(2026, 1, 2), Time.utc(2026, 1, 3)
items = Item.created_between(start, finish).with_created_at.order(:id).to_a
check items.size == 288 && items[0].created_at == start
check ItemView.where(created_at: start...finish).count == 288
check ItemView.where(created_at: start..finish).order(:id).first.created_at == start
# The key itself cannot be compared with a time, because ActiveRecord cannot cast the time to a UUID and sends NULL.
check Item.where(id: start..finish).to_a == []
check Item.where(id: start..finish).to_sql.end_with?("BETWEEN NULL AND NULL")
begin
  Item.where("id >= ?", start).to_a
  raise "a time was accepted as a UUID"
rescue ActiveRecord::StatementInvalid => error
  check error.message.include?('invalid input syntax for type uuid: "2026-01-02 00:00:00"')
end
check Item.where("id >= ?::timestamptz AND id < ?::timestamptz", start, finish).count == 288
puts "created"

# Read the newest twenty rows.
newest = ItemView.order(created_at: :desc).limit(20).to_a
check newest.size == 20 && newest.first(3).map(&:id) == ids.reverse
puts "page"

# Generate keys before their rows exist.
parent, *children = ActiveRecord::Base.connection.select_values("SELECT unnest(uuidv7_array(3))")
Item.insert_all([{ id: parent, name: "parent" }, *children.map { |child| { id: child, name: parent } }])
check parent < children[0] && children[0] < children[1]
check Item.where(id: children, name: parent).count == 2
puts "ahead"

# Returns the next rows, each exactly once. Needs the preloaded library and scope server.
def feed(last)
  Item.where("id > ? AND id < uuidv7_horizon()", last).order(:id).limit(1000)
end
check feed(parent).ids == children
puts "feed"

# Rows can be written through the view.
milk = ItemView.create!(name: "milk")
check milk.id[14] == "7" && milk.reload.created_at > 1.hour.ago
check milk.update!(name: "oat milk")
puts "written"

# A column of the domain is returned as a UUID, and an array of the domain as an array.
CreateVisit.migrate(:up)
Visit.create!(id: parent, items: children)
check Visit.find(parent).items == children
check Visit.columns_hash["id"].type == :uuid
check Visit.pick(Arel.sql("array_agg(id)")) == [parent]
puts "domain"
