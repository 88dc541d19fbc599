package models

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client/catalog"
)

// TestModelsShowEvery model: none is left without its sections.
func TestModelsShowEveryModel(t *testing.T) {
	t.Parallel()
	cat, err := catalog.Embedded()
	require.NoError(t, err)
	for _, m := range cat.Models("") {
		d := detailOf(cat, m)
		require.NotEmpty(t, d.Creates, m.ID)
		require.NotEmpty(t, d.ModeDetail, m.ID)
		require.NotEmpty(t, d.Fields, m.ID)
		require.Len(t, d.Queries, len(m.Routes), m.ID)
		for _, q := range append(slices.Clone(d.Queries), d.Creates...) {
			require.True(t, q.Path == "" || strings.HasPrefix(q.Path, "GET /") || strings.HasPrefix(q.Path, "POST /"), "%s %v", m.ID, q)
		}
		for _, l := range d.Limits {
			require.NotEmpty(t, l.Text, m.ID)
			require.Contains(t, []string{limitHard, limitUsual, limitMapped}, l.Strength)
		}
	}
}
