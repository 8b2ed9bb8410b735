# ruby-pg, the driver alone. The connection's parameters are libpq's variables. The tables are those of ../setup.sql.
require "pg"

connection = PG.connect

def check(holds)
  raise "does not hold" unless holds
end

# Parameters and results have Ruby's types.
connection.type_map_for_results = PG::BasicTypeMapForResults.new(connection)
connection.type_map_for_queries = PG::BasicTypeMapForQueries.new(connection)

# Insert a row, and read it.
tea = connection.exec_params("INSERT INTO item (name) VALUES ($1) RETURNING id", ["tea"]).getvalue(0, 0)
check tea[14] == "7"
check connection.exec_params("SELECT name FROM item WHERE id = $1", [tea]).getvalue(0, 0) == "tea"
ids = connection.exec_params("INSERT INTO item (name) SELECT unnest($1::text[]) RETURNING id", [%w[a b c]]).column_values(0)
check ids.sort == ids && tea < ids[0]
puts "insert"

# Find the rows created between two times, which are sent as untyped text.
start, finish = Time.utc(2026, 1, 2), Time.utc(2026, 1, 3)
texts = [start, finish].map { |time| time.strftime("%F %T%z") }
connection.prepare("between", "SELECT id, uuidv7_time(id) FROM item WHERE uuidv7_time(id) >= $1 AND uuidv7_time(id) < $2 ORDER BY id")
rows = connection.exec_prepared("between", texts)
check rows.ntuples == 288 && rows.getvalue(0, 1) == start
check connection.exec_params("SELECT id FROM item_v WHERE created_at >= $1 AND created_at < $2", texts).ntuples == 288
# Here PostgreSQL infers that the parameter is a UUID.
begin
  connection.exec_params("SELECT id FROM item WHERE id >= $1 AND id < $2", texts)
  raise "a time was accepted as a UUID"
rescue PG::InvalidTextRepresentation => error
  check error.message.include?('invalid input syntax for type uuid: "2026-01-02 00:00:00+0000"')
end
puts "created"

# Read the newest twenty rows.
newest = connection.exec("SELECT id FROM item_v ORDER BY created_at DESC LIMIT 20").column_values(0)
check newest.size == 20 && newest.first(3) == ids.reverse
puts "page"

# Generate keys before their rows exist.
parent, *children = connection.exec_params("SELECT unnest(uuidv7_array($1::int))", [3]).column_values(0)
connection.exec_params("INSERT INTO item (id, name) VALUES ($1, 'parent')", [parent])
children.each { |child| connection.exec_params("INSERT INTO item (id, name) VALUES ($1, $2)", [child, parent]) }
check parent < children[0] && children[0] < children[1]
check connection.exec_params("SELECT id FROM item WHERE id IN ($1, $2) AND name = $3", [*children, parent]).ntuples == 2
puts "ahead"

# Returns the next rows, each exactly once. Needs the preloaded library and scope server.
feed = lambda do |last|
  connection.exec_params("SELECT id, name FROM item WHERE id > $1 AND id < uuidv7_horizon() ORDER BY id LIMIT 1000", [last]).column_values(0)
end
check feed.call(parent) == children
puts "feed"

# A column of the domain is returned as a UUID, but the driver does not know arrays of the domain.
check connection.exec_params("INSERT INTO visit VALUES ($1) RETURNING id", [parent]).getvalue(0, 0) == parent
check connection.exec("SELECT array_agg(id) FROM visit").getvalue(0, 0) == "{#{parent}}"
puts "domain"
