package store

import (
	"context"
	"crypto/sha256"
	_ "embed" // the schema that the migrations make
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// schemaList names every object that the migrations make, a line each: its type, its name, and
// a sum of its SQL. TestSchemaList writes it.
//
//go:embed schema.txt
var schemaList string

// SchemaError refuses a file that holds other tables, indexes, triggers or views than the
// migrations make: what they say runs with every write, such as a trigger that sets jobs back so
// that they are sent again.
type SchemaError struct {
	Path   string
	Others []string // as `trigger "again"`
}

// Error names the objects and says what to do.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("history %s: %s: no darkroom made that, and it could change jobs behind your back. "+
		"Nothing was opened. Put a backup in its place (darkroom history restore), or take out with sqlite3 what you know to be yours",
		e.Path, strings.Join(e.Others, ", "))
}

// checkSchema compares what a history of the current schema holds with what the migrations make.
func checkSchema(ctx context.Context, q querier, path string) error {
	lines, err := schemaLines(ctx, q)
	if err != nil {
		return err
	}
	if strings.Join(lines, "\n") == strings.TrimSpace(schemaList) {
		return nil
	}
	return &SchemaError{Path: path, Others: differences(lines, strings.Split(strings.TrimSpace(schemaList), "\n"))}
}

// schemaSQL reads all objects as one text, which takes a fraction of the time that rows do.
// What SQLite keeps for itself has names that nobody else can use.
const schemaSQL = `SELECT count(*), coalesce(group_concat(type || char(1) || name || char(1) || coalesce(sql, ''), char(2)), '')
	FROM sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\'`

// schemaLines are the objects of a database as schemaList has them.
func schemaLines(ctx context.Context, q querier) (lines []string, err error) {
	var all string
	var objects int
	if err := q.QueryRowContext(ctx, schemaSQL).Scan(&objects, &all); err != nil {
		return nil, err
	}
	for object := range strings.SplitSeq(all, "\x02") {
		kind, rest, _ := strings.Cut(object, "\x01")
		name, text, _ := strings.Cut(rest, "\x01")
		if kind == "table" && strings.HasPrefix(name, "jobs_fts_") && strings.HasPrefix(text, "CREATE TABLE") {
			text = "" // of the search index; SQLite writes its SQL, and may do so otherwise one day
		}
		sum := sha256.Sum256([]byte(text))
		lines = append(lines, kind+" "+name+" "+hex.EncodeToString(sum[:8]))
	}
	slices.Sort(lines)
	if objects != len(lines) { // a name that would pass for several objects
		lines = append(lines, fmt.Sprintf("object among %d 0", objects))
	}
	return lines, nil
}

// differences say what is there and should not be, is other than it should be, or is missing.
func differences(have, want []string) (out []string) {
	object := func(line string) string { return line[:strings.LastIndex(line, " ")] }
	text := func(line, what string) string {
		kind, name, _ := strings.Cut(object(line), " ")
		return fmt.Sprintf("the %s %q %s", kind, name, what)
	}
	var known []string
	for _, line := range want {
		known = append(known, object(line))
	}
	var there []string
	for _, line := range have {
		there = append(there, object(line))
		switch {
		case slices.Contains(want, line):
		case slices.Contains(known, object(line)):
			out = append(out, text(line, "is not as it was made"))
		default:
			out = append(out, text(line, "is unknown"))
		}
	}
	for _, line := range want {
		if !slices.Contains(there, object(line)) {
			out = append(out, text(line, "is missing"))
		}
	}
	return out
}
