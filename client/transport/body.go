package transport

import (
	"bytes"
	"fmt"
	"strings"
)

const (
	logBody = 16 << 10  // what the log keeps of a body
	logTake = 256 << 10 // what it looks at, so that elided media do not fill the former
	longRun = 256       // base64 runs from this length on are elided
)

// redactBody prepares a body for the log: text only, long base64 runs elided, capped.
// total is the length of the whole body, of which b may be the beginning.
func redactBody(b []byte, total int64) string {
	if len(b) == 0 {
		return ""
	}
	if !textual(b) {
		return fmt.Sprintf("(%d bytes, not text)", total)
	}
	s := elideRuns(b)
	if len(s) > logBody {
		s = strings.ToValidUTF8(s[:logBody], "")
		return s + fmt.Sprintf("… (%d bytes in all)", total)
	}
	if int64(len(b)) < total {
		s += fmt.Sprintf("… (%d bytes in all)", total)
	}
	return s
}

func textual(b []byte) bool {
	if len(b) > 512 {
		b = b[:512]
	}
	return bytes.IndexByte(b, 0) < 0
}

// elideRuns replaces long runs of base64 characters by their beginning and length.
func elideRuns(b []byte) string {
	var out strings.Builder
	from, start := 0, -1
	flush := func(end int) {
		if start >= 0 && end-start >= longRun {
			out.Write(b[from : start+16])
			fmt.Fprintf(&out, "…(%d characters)", end-start)
			from = end
		}
		start = -1
	}
	for i, c := range b {
		if base64Char(c) {
			if start < 0 {
				start = i
			}
			continue
		}
		flush(i)
	}
	flush(len(b))
	out.Write(b[from:])
	return out.String()
}

func base64Char(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '+' || c == '/' || c == '=' || c == '-' || c == '_'
}
