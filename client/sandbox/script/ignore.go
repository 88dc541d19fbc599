package script

import (
	"fmt"
	"strings"
)

// What the fault ignore can drop from a request: the task is accepted, billed and finished without
// it, as at gateways that do not pass some fields on.
const (
	IgnoreImages   = "images"
	ignoreDuration = "duration"
	IgnoreSize     = "size"
	ignoreSeed     = "seed"
)

var ignorable = []string{IgnoreImages, ignoreDuration, IgnoreSize, ignoreSeed}

// parseIgnore reads `ignore images duration`.
func parseIgnore(d directive) ([]string, error) {
	var out []string
	for _, what := range ignorable {
		if _, ok := d.args[what]; ok {
			out = append(out, what)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("sandbox directive ignore: say what is ignored: %s", strings.Join(ignorable, ", "))
	}
	return out, d.only(ignorable...)
}
