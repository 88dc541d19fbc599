package client

import "darkroom/client/text"

// Clean makes hostile text safe to show; see [text.Clean].
func Clean(s string) string { return text.Clean(s) }

// CleanLine is Clean for one line: line feeds and tabs become single blanks.
func CleanLine(s string) string { return text.CleanLine(s) }
