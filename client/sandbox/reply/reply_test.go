package reply

import (
	"strings"
	"testing"
)

func FuzzReply(f *testing.F) {
	for _, s := range []string{"improve this prompt", `improve prompt: ""`, "prompt improve:\n", "enhance prompt ```x```", "\xff improve the prompt \xff:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.TrimSpace(To("", s, func(int64, string) uint64 { return 1 })) == "" {
			t.Errorf("no answer to %q", s)
		}
	})
}
