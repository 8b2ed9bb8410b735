// JDBC, with the driver pgjdbc. The tables are those of ../setup.sql.
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

class Main {
    static void check(boolean holds) {
        if (!holds) throw new AssertionError();
    }

    /** Returns the UUIDs in the first column. */
    static List<UUID> ids(Connection connection, String query, Object... parameters) throws SQLException {
        try (var statement = connection.prepareStatement(query)) {
            for (int n = 0; n < parameters.length; n++) statement.setObject(n + 1, parameters[n]);
            var rows = statement.executeQuery();
            var ids = new ArrayList<UUID>();
            while (rows.next()) ids.add(rows.getObject(1, UUID.class));
            return ids;
        }
    }

    /** Returns the next rows, each exactly once. Needs the preloaded library and scope server. */
    static List<UUID> feed(Connection connection, UUID last) throws SQLException {
        return ids(connection, "SELECT id, name FROM item WHERE id > ? AND id < uuidv7_horizon() ORDER BY id LIMIT 1000", last);
    }

    public static void main(String[] arguments) throws Exception {
        var env = System.getenv();
        // With a threshold of 1, statements are prepared on the server from their first execution on.
        var url = "jdbc:postgresql://%s:%s/%s?prepareThreshold=1";
        var database = url.formatted(env.get("PGHOST"), env.get("PGPORT"), env.get("PGDATABASE"));
        try (var connection = DriverManager.getConnection(database, env.get("PGUSER"), env.get("PGPASSWORD"));
                var statement = connection.createStatement()) {
            // Insert a batch, and read the keys that the database generated, which are in the order of the batch.
            var made = new ArrayList<UUID>();
            try (var insert = connection.prepareStatement("INSERT INTO item (name) VALUES (?)", new String[] {"id"})) {
                for (var name : List.of("tea", "a", "b", "c")) {
                    insert.setString(1, name);
                    insert.addBatch();
                }
                insert.executeBatch();
                var keys = insert.getGeneratedKeys();
                while (keys.next()) made.add(keys.getObject("id", UUID.class));
            }
            check(made.size() == 4 && made.get(0).version() == 7);
            check(ids(connection, "SELECT id FROM item WHERE id = ? AND name = 'tea'", made.get(0)).equals(made.subList(0, 1)));
            // java.util.UUID compares its halves as signed numbers, whereas its text has PostgreSQL's order.
            check(made.stream().map(UUID::toString).sorted().toList().equals(made.stream().map(UUID::toString).toList()));
            System.out.println("insert");

            // Find the rows created between two times.
            var start = OffsetDateTime.parse("2026-01-02T00:00:00Z");
            var end = start.plusDays(1);
            var between = "SELECT id, uuidv7_time(id) AS created_at FROM item"
                    + " WHERE uuidv7_time(id) >= ? AND uuidv7_time(id) < ? ORDER BY id";
            try (var query = connection.prepareStatement(between)) {
                query.setObject(1, start);
                query.setObject(2, end);
                var row = query.executeQuery();
                check(row.next() && row.getObject("created_at", OffsetDateTime.class).isEqual(start));
            }
            var timestamps = new Object[] {Timestamp.from(start.toInstant()), Timestamp.from(end.toInstant())};
            check(ids(connection, between, timestamps).size() == 288);
            check(ids(connection, "SELECT id FROM item_v WHERE created_at >= ? AND created_at < ?", start, end).size() == 288);
            // The key itself can be compared with an OffsetDateTime, which is sent with its type, but not with a Timestamp.
            var byKey = "SELECT id FROM item WHERE id >= ? AND id < ?";
            check(ids(connection, byKey, start, end).size() == 288);
            try {
                ids(connection, byKey, timestamps);
                throw new AssertionError("a time was accepted as a UUID");
            } catch (SQLException error) {
                check(error.getSQLState().equals("22P02"));
                check(error.getMessage().startsWith("ERROR: invalid input syntax for type uuid: \"2026-01-02 00:00:00+00\""));
            }
            // Java has no class for ranges, so a range is a text with a type.
            var byRange = "SELECT id FROM item WHERE id <@ ?";
            var day = "[2026-01-02 00:00:00Z,2026-01-03 00:00:00Z)";
            check(ids(connection, byRange + "::tstzrange", day).size() == 288);
            try {
                ids(connection, byRange, day);
                throw new AssertionError("a text as a range");
            } catch (SQLException error) {
                check(error.getSQLState().equals("42883"));
                check(error.getMessage().startsWith("ERROR: operator does not exist: uuid <@ character varying"));
            }
            System.out.println("created");

            // Read the newest twenty rows.
            var newest = ids(connection, "SELECT id FROM item_v ORDER BY created_at DESC LIMIT 20");
            check(newest.size() == 20 && newest.subList(0, 3).equals(List.of(made.get(3), made.get(2), made.get(1))));
            System.out.println("page");

            // Generate keys before their rows exist.
            List<UUID> ahead;
            try (var array = connection.prepareStatement("SELECT uuidv7_array(?)")) {
                array.setInt(1, 3);
                var row = array.executeQuery();
                row.next();
                ahead = Arrays.asList((UUID[]) row.getArray(1).getArray());
            }
            var parent = ahead.get(0);
            var keys = connection.createArrayOf("uuid", ahead.toArray());
            ids(connection, "INSERT INTO item (id, name) SELECT unnest(?), ? RETURNING id", keys, parent.toString());
            check(ids(connection, "SELECT id FROM item WHERE id = ANY(?) ORDER BY id", keys).equals(ahead));
            System.out.println("ahead");

            check(feed(connection, parent).equals(ahead.subList(1, 3)));
            System.out.println("feed");

            // A column of the domain is returned as a UUID, and an array of the domain as an array of objects.
            check(ids(connection, "INSERT INTO visit VALUES (?) RETURNING id", parent).equals(List.of(parent)));
            var row = statement.executeQuery("SELECT array_agg(id)::uuid[] FROM visit");
            check(row.next() && Arrays.equals((UUID[]) row.getArray(1).getArray(), new UUID[] {parent}));
            System.out.println("domain");
        }
    }
}
