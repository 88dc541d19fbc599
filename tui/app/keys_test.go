package app

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/keys"
)

func TestKeysHaveNoConflictsAndCanBeSent(t *testing.T) {
	m := Keys()
	all := map[string][]string{}
	for _, a := range m.Actions("") {
		assert.NotContains(t, all, a.ID, "it is there twice")
		all[a.ID] = a.Keys
		assert.NotEmpty(t, a.Title, a.ID)
		assert.Contains(t, a.ID, ".")
		for _, k := range a.Keys {
			n, err := keys.Normal(k)
			require.NoError(t, err, a.ID)
			assert.Equal(t, k, n, a.ID)
			msg, ok := keys.Parse(k)
			require.True(t, ok, "%s: %s", a.ID, k)
			assert.Equal(t, k, msg.String(), a.ID)
		}
	}
	_, errs := m.Override(all)
	assert.Empty(t, errs, "no key is that of two actions")
}

func TestComposeKeysWorkWhileTyping(t *testing.T) {
	all := Keys().Actions("compose")
	require.NotEmpty(t, all)
	for _, a := range all {
		for _, k := range a.Keys {
			msg, _ := keys.Parse(k)
			assert.True(t, msg.Type != tea.KeyRunes || msg.Alt, "%s would be typed into the prompt", a.ID)
		}
	}
}
