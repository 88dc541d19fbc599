package child

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChildrenGetNoSecrets, neither of a given environment nor of our own.
func TestChildrenGetNoSecrets(t *testing.T) {
	secrets := []string{"DARKROOM_API_KEY", "DARKROOM_SANDBOX_KEY", "DARKROOM_SANDBOX_KEY_ANA", "DARKROOM_HISTORY", "PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE", "PGSSLPASSWORD", "PGSSLKEY"}
	var given []string
	for _, name := range secrets {
		t.Setenv(name, "sk-secret")
		given = append(given, name+"=sk-secret")
	}
	t.Setenv("DISPLAY", ":7")
	out, err := Command(t.Context(), nil, "/usr/bin/env").Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "DISPLAY=:7")
	require.NotContains(t, string(out), "sk-secret")

	out, err = Command(t.Context(), given, "/usr/bin/env").Output()
	require.NoError(t, err)
	require.Empty(t, strings.TrimSpace(string(out)), "an environment of secrets alone is an empty one: none at all would be ours")
	require.Equal(t, []string{"A=1"}, Environ(append(given, "A=1")))
}
