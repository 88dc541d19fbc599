package zone

import (
	"fmt"
	"net/url"
	"strings"
)

// escape makes an id safe within a mark: what is measured or cut with marks in it takes bytes
// of UTF-8 for the end of one, as 0x9c, and the rest of the id for text.
func escape(id string) string {
	plain := true
	for i := range len(id) {
		plain = plain && !special(id[i])
	}
	if plain {
		return id
	}
	var out strings.Builder
	for i := range len(id) {
		if special(id[i]) {
			fmt.Fprintf(&out, "%%%02X", id[i])
		} else {
			out.WriteByte(id[i])
		}
	}
	return out.String()
}

func special(c byte) bool { return c < ' ' || c > '~' || c == '%' }

// unescape is the id of a mark; what nothing has escaped stays as it is.
func unescape(id string) string {
	if !strings.Contains(id, "%") {
		return id
	}
	if out, err := url.PathUnescape(id); err == nil {
		return out
	}
	return id
}
