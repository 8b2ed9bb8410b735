// lib/pq, through database/sql. A UUID is a string. The tables are those of ../setup.sql.
package main

import (
	"database/sql"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/lib/pq"
)

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

// Returns the first column.
func firstColumn(db *sql.DB, query string, arguments ...interface{}) []string {
	rows, err := db.Query(query, arguments...)
	must(err)
	defer rows.Close()
	var found []string
	for rows.Next() {
		var value string
		must(rows.Scan(&value))
		found = append(found, value)
	}
	must(rows.Err())
	return found
}

// Returns the next rows, each exactly once. Needs the preloaded library and scope server.
func feed(db *sql.DB, last string) []string {
	return firstColumn(db, "SELECT id FROM item WHERE id > $1 AND id < uuidv7_horizon() ORDER BY id LIMIT 1000", last)
}

func main() {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL")+"?sslmode=disable")
	must(err)

	// Insert a row, and read it.
	var tea, name string
	must(db.QueryRow("INSERT INTO item (name) VALUES ($1) RETURNING id", "tea").Scan(&tea))
	check(tea[14] == '7')
	must(db.QueryRow("SELECT name FROM item WHERE id = $1", tea).Scan(&name))
	check(name == "tea")
	more := firstColumn(db, "INSERT INTO item (name) SELECT unnest($1::text[]) RETURNING id", pq.Array([]string{"a", "b", "c"}))
	check(len(more) == 3 && sort.StringsAreSorted(more) && tea < more[0])
	fmt.Println("insert")

	// Find the rows created between two times, with and without a prepared statement.
	start := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	end := start.AddDate(0, 0, 1)
	between, err := db.Prepare(
		"SELECT min(uuidv7_time(id)), count(*) FROM item WHERE uuidv7_time(id) >= $1 AND uuidv7_time(id) < $2")
	must(err)
	var first time.Time
	var count int
	must(between.QueryRow(start, end).Scan(&first, &count))
	check(first.Equal(start) && count == 288)
	check(len(firstColumn(db, "SELECT id FROM item_v WHERE created_at >= $1 AND created_at < $2", start, end)) == 288)
	// Here PostgreSQL infers that the parameter is a UUID.
	_, err = db.Query("SELECT id FROM item WHERE id >= $1 AND id < $2", start, end)
	check(err != nil && strings.HasPrefix(err.Error(), `pq: invalid input syntax for type uuid: "2026-01-02`))
	fmt.Println("created")

	// Read the newest twenty rows.
	newest := firstColumn(db, "SELECT id FROM item_v ORDER BY created_at DESC LIMIT 20")
	check(len(newest) == 20 && newest[0] == more[2] && newest[1] == more[1] && newest[2] == more[0])
	fmt.Println("page")

	// Generate keys before their rows exist.
	var ahead []string
	must(db.QueryRow("SELECT uuidv7_array($1::int)", 3).Scan(pq.Array(&ahead)))
	parent, children := ahead[0], ahead[1:]
	_, err = db.Exec("INSERT INTO item (id, name) VALUES ($1, 'parent')", parent)
	must(err)
	_, err = db.Exec("INSERT INTO item (id, name) SELECT unnest($1::uuid[]), $2", pq.Array(children), parent)
	must(err)
	check(sort.StringsAreSorted(ahead))
	check(len(firstColumn(db, "SELECT id FROM item WHERE id = ANY($1) AND name = $2", pq.Array(children), parent)) == 2)
	fmt.Println("ahead")

	check(strings.Join(feed(db, parent), ", ") == strings.Join(children, ", "))
	fmt.Println("feed")

	// A column of the domain and an array of the domain are returned as text.
	_, err = db.Exec("INSERT INTO visit VALUES ($1)", parent)
	must(err)
	must(db.QueryRow("SELECT array_agg(id) FROM visit").Scan(pq.Array(&ahead)))
	check(len(ahead) == 1 && ahead[0] == parent)
	fmt.Println("domain")
}
