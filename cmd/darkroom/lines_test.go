package main_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTheConsoleAsLines: in a terminal, what Compose, Queue, Inspect and Compare do is done in nothing but
// lines, and what happens to a job comes by itself while the prompt waits.
func TestTheConsoleAsLines(t *testing.T) {
	t.Parallel()
	x := newHome(t).open(t, 160, 60, "--accessible")
	for _, step := range [][2]string{
		{"quit to leave.", "new image\n"}, {"Model", "famL-pro\n"}, {"Prompt", "a lighthouse\n"},
	} {
		x.shows(step[0])
		x.keys(step[1])
	}
	x.keys(strings.Repeat("\n", 12)) // the other fields stay as they are
	x.shows("Submit?")
	x.keys("yes\n")
	x.shows("is sent", "completed", "saved as ")
	x.keys("jobs\n")
	x.shows("1. completed")
	x.keys("star 1\n")
	x.shows("starred")
	x.keys("jobs is:starred\n")
	x.shows("1. completed", "starred")
	x.keys("inspect 1\n")
	x.shows("was the result itself")
	x.keys("compare\nimage\na tram\n\n5\n9\n\n1\n" + t.TempDir() + "/trams.yaml\nyes\n") // kind, prompts, models, repeats, file
	x.shows("2 trials of 2 cells", "2 of 2 trials completed")
	x.keys("quit\n")
	assert.Zero(t, x.exit())
	assert.NotContains(t, x.bytes(), "\x1b", "no sequence that moves, colours or draws")
}
