package batch

import (
	"path/filepath"
	"slices"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/intake"
)

// Outside are the files on this machine that rows would send and that do not lie in the folder
// of their table or below it, links resolved, each once. Whoever sends a table gives the files
// beside it; it may be somebody else's, so that a person is asked about others first. Those that
// the base names are not among them. The path of a table that was piped in is "": it has no folder.
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

// within reports whether a file lies in a folder or below it. What cannot be resolved does not.
func within(folder, path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || folder == "" {
		return false
	}
	rel, err := filepath.Rel(folder, real)
	return err == nil && filepath.IsLocal(rel)
}
