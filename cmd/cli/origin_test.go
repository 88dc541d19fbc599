package cli

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// deaf is a keyring that never answers until it is let go.
type deaf struct{ until chan struct{} }

func (d deaf) Get(string, string) (string, error) {
	<-d.until
	return "", errors.New("let go")
}

func (d deaf) Set(string, string, string) error {
	<-d.until
	return errors.New("let go")
}

func (d deaf) Delete(string, string) error {
	<-d.until
	return errors.New("let go")
}

// TestAKeyringThatHangsHidesNoQuestion: the key is in a file, and meant for another host than the settings
// name. The console waits but a moment for the keyring, and looks into the file all the same. The clock is
// the bubble's.
func TestAKeyringThatHangsHidesNoQuestion(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "keys")
	synctest.Test(t, func(t *testing.T) {
		ring := deaf{until: make(chan struct{})}
		defer close(ring.until)
		none := func(string) string { return "" }
		secrets := config.Secrets{Dir: dir, Env: none, Keyring: ring}
		_, err := secrets.Keep(config.Profile{Name: "work", BaseURL: "https://kept.example"}, testKey)
		require.NoError(t, err)

		var said bytes.Buffer
		k := kit.New(&kit.IO{Err: &said, Env: none, Secret: func(config.Paths, func(string) string) config.Secrets { return secrets }}, "")
		begun := time.Now()
		require.NoError(t, settleOrigin(t.Context(), k, config.Profile{Name: "work", BaseURL: "https://named.example"}))
		assert.Equal(t, originLook, time.Since(begun))
		assert.Contains(t, said.String(), "https://kept.example")
		assert.Contains(t, said.String(), "https://named.example")
		assert.NotContains(t, said.String(), testKey)
	})
}
