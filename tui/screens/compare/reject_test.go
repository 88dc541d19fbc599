package compare

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAResultIsRejectedAndBroughtBack: it is asked once, in the grid and with the result large.
func TestAResultIsRejectedAndBroughtBack(t *testing.T) {
	x := start(t, 120, 34)
	x.shows(aRun(""))
	job := x.m.results.Run().Trials[0].JobID
	require.NotEmpty(t, job)
	x.Key("alt+z")
	assert.Contains(t, x.toast(t), "nothing was rejected here")
	x.Key("x")
	assert.Contains(t, x.flat(), "Reject the result?")
	x.Key("esc")
	assert.Empty(t, x.h.rejected)
	x.Key("x", "y")
	assert.Equal(t, []string{job + " true"}, x.h.rejected)
	assert.Equal(t, "rejected · alt+z takes it back", x.toast(t))
	assert.Contains(t, x.flat(), "· rejected")
	x.Key("x")
	assert.Contains(t, x.toast(t), "rejected already")
	x.Key("alt+z")
	assert.Equal(t, []string{job + " true", job + " false"}, x.h.rejected)
	assert.NotContains(t, x.flat(), "· rejected")
	x.Key("enter", "x")
	assert.Len(t, x.h.rejected, 3, "the question is asked once")
	assert.Contains(t, x.flat(), "rejected · ")
	x.Key("alt+z")
	x.Key("s", "x")
	assert.Contains(t, x.toast(t), "take its star away first", "what the history says is told")
}

// TestTheKeysOfQueueWorkHere: what a person learned in Queue does the same on a result here.
func TestTheKeysOfQueueWorkHere(t *testing.T) {
	t.Parallel()
	for _, scope := range []string{"run.", "trial."} {
		got := map[string]bool{}
		for _, a := range Rows() {
			for _, k := range a.Keys {
				got[k] = got[k] || strings.HasPrefix(a.ID, scope)
			}
		}
		for _, k := range []string{"m", "s", "x", "f", "o", "y", "P", "u", "c", "i", "alt+z"} {
			assert.True(t, got[k], "%s with %s", k, scope)
		}
	}
}
