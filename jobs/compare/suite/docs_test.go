package suite

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGuide reads the suites of docs/TESTERS.md.
func TestGuide(t *testing.T) {
	b, err := os.ReadFile("../../../docs/TESTERS.md")
	require.NoError(t, err)
	n := 0
	for part := range strings.SplitSeq(string(b), "```yaml suite\n") {
		text, _, ok := strings.Cut(part, "\n```")
		if !ok || !strings.HasPrefix(text, "name: ") {
			continue
		}
		_, err := Parse("TESTERS.md", []byte(text))
		require.NoError(t, err)
		n++
	}
	require.Positive(t, n)
}
