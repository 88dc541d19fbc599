package zone

import (
	"fmt"
	"net/url"
	"strings"
)

// escape makes an id safe within a mark: measuring or cutting takes some bytes of UTF-8, as 0x9c,
// for the end of the mark, and the rest of the id for text.
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

// unescape is the id of a mark; an id that was never escaped is returned as it is.
func unescape(id string) string {
	if !strings.Contains(id, "%") {
		return id
	}
	if out, err := url.PathUnescape(id); err == nil {
		return out
	}
	return id
}
