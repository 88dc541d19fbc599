package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs"
)

func TestHasModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, model string
		want         bool
	}{
		{"", "famA", true},
		{"famA", "famA", true},
		{"famA", "famA3", false},
		{"FAMA", "famA", false},
		{"FAMA*", "famA3", true},
		{"*-video", "famF-video", true},
		{"*-video", "famF-video-2", false},
		{"fam*-v*2", "famF-video-2", true},
		{"a*a", "a", false},
		{"a*a", "aa", true},
		{"*", "", true},
		{"**", "x", true},
		{"fam?*", "famA", false},
	} {
		q := jobs.Query{Model: c.query}
		assert.Equal(t, c.want, q.HasModel(c.model), "%q of %q", c.model, c.query)
	}
}
