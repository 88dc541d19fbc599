package chat

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
)

func FuzzParseConversation(f *testing.F) {
	f.Add(`[{"role":"user","content":"a"}]`)
	f.Add(`[null]`)
	f.Add(`[{"role":"user"}] x`)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseConversation([]byte(text))
		if err != nil {
			assert.Equal(t, client.Clean(err.Error()), err.Error())
			return
		}
		for _, m := range all {
			assert.Contains(t, []string{"system", "user", "assistant"}, m.Role)
		}
	})
}
