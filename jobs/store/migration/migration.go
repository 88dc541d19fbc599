// Package migration reads the steps of a schema, for every engine of the history.
package migration

import (
	"fmt"
	"io/fs"
	"slices"
)

// Steps returns the texts of migrations/0001.sql, 0002.sql, ... in order; step i leads to
// schema version i+1. A file that is out of the row is an error.
func Steps(files fs.FS) ([]string, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	steps := make([]string, len(names))
	for i, n := range names {
		if want := fmt.Sprintf("migrations/%04d.sql", i+1); n != want {
			return nil, fmt.Errorf("migration %s is not %s", n, want)
		}
		b, err := fs.ReadFile(files, n)
		if err != nil {
			return nil, err
		}
		steps[i] = string(b)
	}
	return steps, nil
}
