package client

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"darkroom/client/text"
)

// maxPath bounds a path that a person names, in bytes.
const maxPath = 1024

// CheckPath says whether a text is a path of the gateway's own: it begins with exactly one /, leads
// to no other host, does not climb with dots, and has no query and no fragment.
func CheckPath(path string) error {
	shown := CleanLine(path)
	if len(shown) > 80 {
		shown = strings.ToValidUTF8(shown[:80], "") + "…"
	}
	bad := func(why string) error {
		return fmt.Errorf("%q: %s; give a path of the gateway, as /v1/responses", shown, why)
	}
	switch {
	case !strings.HasPrefix(path, "/") || path == "/":
		return bad("it does not begin with / and a name")
	case strings.HasPrefix(path, "//"):
		return bad("it names a host")
	case len(path) > maxPath:
		return bad(fmt.Sprintf("it has more than %d characters", maxPath))
	case strings.ContainsAny(path, "?#"):
		return bad("no query and no fragment belong in it")
	case strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '\\' }):
		return bad(`blanks, control characters, \ and what is not ASCII do not belong in it`)
	}
	for segment := range strings.SplitSeq(path, "/") {
		if why := badSegment(segment); why != "" {
			return bad(why)
		}
	}
	return nil
}

func badSegment(segment string) string {
	plain, err := url.PathUnescape(segment)
	switch {
	case err != nil:
		return "a % stands in front of two hexadecimal digits"
	case plain == "." || plain == "..":
		return ". and .. do not belong in it"
	case strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r == 0x7f || r == '/' || r == '\\' }):
		return "an escaped slash or control character does not belong in it"
	default:
		return ""
	}
}

// CheckIDPath is [CheckPath] for a path that contains [IDPlaceholder] exactly once.
func CheckIDPath(path string) error {
	switch strings.Count(path, IDPlaceholder) {
	case 1:
	case 0:
		return fmt.Errorf("%q: %s is missing, where the task's id goes, as /v1/videos/%s", CleanLine(text.Cap(path, 80)), IDPlaceholder, IDPlaceholder)
	default:
		return fmt.Errorf("%q: %s stands in it once, not more often", CleanLine(text.Cap(path, 80)), IDPlaceholder)
	}
	rest := strings.Replace(path, IDPlaceholder, sentinel, 1)
	if strings.ContainsAny(rest, "{}") {
		return fmt.Errorf("%q: the only braces in it are those of %s", CleanLine(text.Cap(path, 80)), IDPlaceholder)
	}
	return CheckPath(rest)
}

// CheckSegment says whether a text is one segment of a path.
func CheckSegment(word string) error {
	switch {
	case word == "":
		return errors.New("a word is missing")
	case strings.ContainsAny(word, "/{}"):
		return fmt.Errorf("%q: give one word, without / and braces", CleanLine(text.Cap(word, 80)))
	}
	return CheckPath("/" + word)
}

// CheckTaskID says why a text cannot be the id of a task, or the name of an operation: nil for
// every id that a gateway may have given. The interface does not show what ids are made of; but
// they go into paths (GATEWAY: Endpoints), so that none has a blank, a quotation mark or another
// character that no path has.
func CheckTaskID(id string) error {
	switch {
	case id == "":
		return fmt.Errorf("give the task id that the gateway knows the task by")
	case len(id) > maxTaskID:
		return fmt.Errorf("no path carries a task id of %d bytes, %d are the most: %q…", len(id), maxTaskID, CleanLine(id[:20]))
	case strings.Contains(id, "://"):
		return fmt.Errorf("an address is not a task id, give the id alone: %q", CleanLine(id))
	case !strings.ContainsFunc(id, alphanumeric):
		return fmt.Errorf("neither a letter nor a digit is in the task id %q", CleanLine(id))
	}
	for _, r := range id {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune("\"'`<>{}|\\^?#", r) {
			return fmt.Errorf("%q is in no task id, only letters, digits and signs like - _ / : are: %q", r, CleanLine(id))
		}
	}
	return nil
}

// PlausibleID reports whether a text in an answer can be the id of a task. It is more generous than
// [CheckTaskID], since gateways need not keep to the usual characters of paths, but it accepts no
// blank, no address, and no text that lost a character on its way.
func PlausibleID(id string) bool {
	return strings.ContainsFunc(id, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) &&
		!strings.Contains(id, "://") && !strings.ContainsRune(id, utf8.RuneError)
}

func alphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// PathSegment escapes an id for one segment of a path. A segment of dots alone is escaped too, so
// that no id can climb out of its path.
func PathSegment(id string) string {
	switch id {
	case ".":
		return "%2E"
	case "..":
		return "%2E%2E"
	default:
		return url.PathEscape(id)
	}
}
