package batch

import (
	"path/filepath"
	"slices"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/intake"
)

// Outside returns the files on this machine that rows would send and that do not lie in or below
// the folder of their table, links resolved, each once. Sending a table implies consent to the
// files beside it; since it may be somebody else's, a person is asked about any others first. Files
// that the base names are not among them. The path of a piped table is "": it has no folder.
func Outside(table string, base client.Draft, rows []expand.Row) []string {
	folder := ""
	if path, err := filepath.Abs(table); err == nil && table != "" {
		folder, _ = filepath.EvalSymlinks(filepath.Dir(path)) //nolint:errcheck // without a folder all are outside
	}
	given := intake.Result{Draft: base}.Files()
	var out []string
	judged := map[string]bool{}
	for i := range rows {
		for _, path := range (intake.Result{Draft: rows[i].Draft}).Files() {
			if judged[path] || slices.Contains(given, path) {
				continue
			}
			if judged[path] = true; !within(folder, path) {
				out = append(out, path)
			}
		}
	}
	return out
}

// within reports whether a file lies in or below a folder; false if a path cannot be resolved.
func within(folder, path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || folder == "" {
		return false
	}
	rel, err := filepath.Rel(folder, real)
	return err == nil && filepath.IsLocal(rel)
}
