// Package hide leaves the folders of this machine out of what goes to others. It is pure.
package hide

import (
	"strings"

	"darkroom/client/text"
)

// pathRE finds absolute paths of two parts and more, in the ways of all systems: what comes before
// one, its folders, and its name. An address has a // before its host and is none.
var pathRE = text.Pattern(`(^|[\s"'=@,;:(\[{<>|` + "`" + `])(?:file://)?(?:[A-Za-z]:)?(?:[/\\]{1,2}|\\\\)?((?:[^\s"'` + "`" + `=@,;:()\[\]{}<>|/\\]+[/\\]{1,2})+)([^\s"'` + "`" + `=@,;:()\[\]{}<>|/\\]*)`)

// rootRE is how a path begins that is absolute.
var rootRE = text.Pattern(`^(?:file:///|[A-Za-z]:[/\\]|/[^/]|\\\\)`)

// Paths leaves the folders of this machine out of a text: of an absolute path only its name stays.
func Paths(s string) string {
	if !strings.ContainsAny(s, `/\`) {
		return s
	}
	return pathRE().ReplaceAllStringFunc(s, func(found string) string {
		m := pathRE().FindStringSubmatch(found)
		if !rootRE().MatchString(found[len(m[1]):]) {
			return found
		}
		if m[3] == "" {
			return m[1] + "…"
		}
		return m[1] + m[3]
	})
}

// Absolute reports whether a text begins as an absolute path does, of any system.
func Absolute(s string) bool { return rootRE().MatchString(s) }
