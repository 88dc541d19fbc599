package app

import (
	"net/http"

	"darkroom/client"
	"darkroom/client/formats"
)

// answerText is the text of a stored answer in a format, or a song's lyrics, as the gateway sent
// it; "" if there is none, or the answer can no longer be read.
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
