package nobg

import (
	"go/parser"
	"go/token"
	"reflect"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What makes this package run before bubbletea's init. That it does, a test of
// package paint sees on a terminal that never answers.
func TestReadyBeforeBubbletea(t *testing.T) {
	type here struct{}
	assert.Less(t, reflect.TypeFor[here]().PkgPath(), "github.com/charmbracelet/bubbletea")

	file, err := parser.ParseFile(token.NewFileSet(), "nobg.go", nil, parser.ImportsOnly)
	require.NoError(t, err)
	require.Len(t, file.Imports, 1)
	assert.Equal(t, `"github.com/charmbracelet/lipgloss"`, file.Imports[0].Path.Value)
}

func TestBackgroundIsTaken(t *testing.T) {
	assert.True(t, lipgloss.HasDarkBackground())
}
