package client

// Clean makes hostile text safe to show: control sequences, C0/C1 controls (but line
// feed and tab), bidi controls, zero-width and tag characters and invalid UTF-8 are
// replaced by visible forms; joiners stay only inside emoji sequences, and a keycap loses
// its selector. It is
// idempotent, and returns s itself when there is nothing to do.
func Clean(s string) string { return clean(s, true) }

// CleanLine is Clean for one line: line feeds and tabs become single blanks.
func CleanLine(s string) string { return clean(s, false) }

// CleanJSON makes JSON safe to show and to keep without changing what it says: every rune
// that [Clean] would replace is written as its \u escape. Bytes that are no UTF-8 become
// U+FFFD, as any decoder reads them. It returns b itself when there is nothing to do.
func CleanJSON(b []byte) []byte { return cleanJSON(b) }

// Clip is a text of at most so many characters; one that is longer ends in an ellipsis.
func Clip(s string, most int) string {
	n, cut := 0, 0 // where the last character that stays ends; the text may be very long
	for i := range s {
		if n == most-1 {
			cut = i
		}
		if n++; n > most {
			return s[:cut] + "…"
		}
	}
	return s
}
