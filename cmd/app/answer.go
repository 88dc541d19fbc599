package app

import (
	"net/http"

	"darkroom/client"
	"darkroom/client/formats"
)

// answerText is what a kept answer of a format says in words, or the lyrics of a song, as the
// gateway sent it; "" for none, and for an answer that cannot be read any more.
func answerText(format string, answer []byte) string {
	for _, f := range formats.All() {
		if f.Name() != format {
			continue
		}
		r := client.Response{StatusCode: http.StatusOK, Body: answer}
		if t, err := f.DecodeQuery(r); err == nil && t.Words() != "" {
			return t.Words()
		}
		if t, err := f.DecodeCreate(r); err == nil {
			return t.Words()
		}
	}
	return ""
}
