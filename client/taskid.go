package client

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckTaskID says why a text can not be the id of a task, or the name of an operation: nil
// for all that a gateway may have given. What ids are made of is not shown; the path of a
// request holds them (GATEWAY: Endpoints), so that none has a blank, a quotation mark or
// another character that no path has.
func CheckTaskID(id string) error {
	switch {
	case id == "":
		return fmt.Errorf("give the task id that the gateway knows the task by")
	case len(id) > maxTaskID:
		return fmt.Errorf("no path carries a task id of %d bytes, %d are the most: %q…", len(id), maxTaskID, CleanLine(id[:20]))
	case strings.Contains(id, "://"):
		return fmt.Errorf("an address is no task id, give the id alone: %q", CleanLine(id))
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

// PlausibleID reports whether a text in an answer can be the id of a task. It is more generous
// than [CheckTaskID], since gateways are not bound to what paths are usually made of, but takes
// no blank, no address, and nothing that lost a character on its way.
func PlausibleID(id string) bool {
	return strings.ContainsFunc(id, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) &&
		!strings.Contains(id, "://") && !strings.ContainsRune(id, utf8.RuneError)
}

func alphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}
