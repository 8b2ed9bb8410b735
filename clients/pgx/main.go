// pgx 5. A UUID is a string here, but [16]byte also works. The tables are those of ../setup.sql.
package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

var ctx = context.Background()

func check(holds bool) {
	if !holds {
		panic("does not hold")
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Returns the first column as text.
func firstColumn(connection *pgx.Conn, query string, arguments ...interface{}) []string {
	// CollectRows also returns an error of Query.
	rows, _ := connection.Query(ctx, query, arguments...)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(err)
	return found
}

// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
func feed(connection *pgx.Conn, last string) []string {
	return firstColumn(connection, "SELECT id FROM item WHERE id > $1 AND id < uuidv7_horizon() ORDER BY id LIMIT 1000", last)
}

func main() {
	connection, err := pgx.Connect(ctx, os.Getenv("DATABASE_URL"))
	must(err)

	// Insert a row, and read it.
	var tea, name string
	must(connection.QueryRow(ctx, "INSERT INTO item (name) VALUES ($1) RETURNING id", "tea").Scan(&tea))
	check(tea[14] == '7')
	must(connection.QueryRow(ctx, "SELECT name FROM item WHERE id = $1", tea).Scan(&name))
	check(name == "tea")
	more := firstColumn(connection, "INSERT INTO item (name) SELECT unnest($1::text[]) RETURNING id", []string{"a", "b", "c"})
	check(len(more) == 3 && sort.StringsAreSorted(more) && tea < more[0])
	fmt.Println("insert")

	// Find the rows created between two times.
	start := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	end := start.AddDate(0, 0, 1)
	var first time.Time
	var count int
	must(connection.QueryRow(ctx,
		"SELECT min(uuidv7_time(id)), count(*) FROM item WHERE uuidv7_time(id) >= $1 AND uuidv7_time(id) < $2",
		start, end).Scan(&first, &count))
	check(first.Equal(start) && count == 288)
	check(len(firstColumn(connection, "SELECT id FROM item_v WHERE created_at >= $1 AND created_at < $2", start, end)) == 288)
	// Here PostgreSQL infers that the parameter is a UUID.
	err = connection.QueryRow(ctx, "SELECT id FROM item WHERE id >= $1 AND id < $2", start, end).Scan(&name)
	check(err != nil && err.Error() == `ERROR: invalid input syntax for type uuid: "2026-01-02 00:00:00 +0000 UTC" (SQLSTATE 22P02)`)
	fmt.Println("created")

	// Read the newest twenty rows.
	newest := firstColumn(connection, "SELECT id FROM item_v ORDER BY created_at DESC LIMIT 20")
	check(len(newest) == 20 && newest[0] == more[2] && newest[1] == more[1] && newest[2] == more[0])
	fmt.Println("page")

	// Generate keys before their rows exist.
	var ahead []string
	must(connection.QueryRow(ctx, "SELECT uuidv7_array($1::int)", 3).Scan(&ahead))
	parent, children := ahead[0], ahead[1:]
	batch := &pgx.Batch{}
	batch.Queue("INSERT INTO item (id, name) VALUES ($1, 'parent')", parent)
	for _, child := range children {
		batch.Queue("INSERT INTO item (id, name) VALUES ($1, $2)", child, parent)
	}
	must(connection.SendBatch(ctx, batch).Close())
	check(sort.StringsAreSorted(ahead))
	check(len(firstColumn(connection, "SELECT id FROM item WHERE id = ANY($1) AND name = $2", children, parent)) == 2)
	fmt.Println("ahead")

	check(strings.Join(feed(connection, parent), ", ") == strings.Join(children, ", "))
	fmt.Println("feed")

	// A result of the domain is a UUID, but a parameter must be text, because the driver does not know its type.
	var bytes [16]byte
	must(connection.QueryRow(ctx, "SELECT $1::uuid", parent).Scan(&bytes))
	_, err = connection.Exec(ctx, "INSERT INTO visit VALUES ($1)", bytes)
	check(err != nil && strings.Contains(err.Error(), "into text format for unknown type (OID "))
	_, err = connection.Exec(ctx, "INSERT INTO visit VALUES ($1::uuid)", bytes)
	must(err)
	check(firstColumn(connection, "SELECT id FROM visit")[0] == parent)
	must(connection.QueryRow(ctx, "SELECT array_agg(id)::uuid[] FROM visit").Scan(&ahead))
	check(len(ahead) == 1 && ahead[0] == parent)
	fmt.Println("domain")
}
