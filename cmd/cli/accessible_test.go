package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// typed is what a person types, a line each.
func typed(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// inOrder checks that texts come one after the other.
func inOrder(t *testing.T, text string, want ...string) {
	t.Helper()
	rest := text
	for _, w := range want {
		_, after, ok := strings.Cut(rest, w)
		require.True(t, ok, "%q is missing after what came before it in\n%s", w, text)
		rest = after
	}
}

// TestADayInLines: made, heard of, found, starred, made again with one change, inspected, all in lines.
func TestADayInLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.in = typed(
		"new video", "", "?", "", "a red kite", "?", "eleven", "10", "", "", "", // model, mode, prompt, duration, ratio, resolution, seed
		"ratio", "9:16", "yes", "wait",
		"jobs", "star 1", "jobs is:starred", "show 2", "show 1",
		"again 1", "prompt", "a blue kite", "yes", "wait",
		"inspect 1", "models list --kind music", "nonsense", "quit")
	got := w.ok("--accessible")
	inOrder(t, got.out,
		"No job is under way.", "Model (enter: famA3", "Mode: 1 text to video", "image to video: needs a prompt and a first image.", "Mode: 1 text to video", "Prompt (enter: nothing yet):",
		"Duration in s, 5 or 10 (enter: auto):", "how long the video is to be", `"eleven" is not a number`,
		"Prompt: a red kite.", "Duration: 10.", "Submit?", "Ratio, 16:9 or 9:16", "Ratio: 9:16.", " is sent.",
		": completed after", "a red kite.", ": saved as "+w.dir, "No job is under way.",
		"1. completed after", "a red kite, famA3", ": starred, a red kite.", "1. completed after", "starred.",
		"there is no number 2 in the list", "request",
		"Prompt (enter: a red kite):", "Prompt: a blue kite.", " is sent.", "a blue kite.", "No job is under way.",
		"It is finished.")
	assert.Equal(t, 2, strings.Count(got.out, ".mp4.\n"), "two videos, each told once\n%s", got.out)
	assert.NotContains(t, got.out, "\x1b")
	assert.NotContains(t, got.out, "╭")
	assert.NotContains(t, got.out, "aspect_ratio:")
	assert.Contains(t, got.err, `there is no command "darkroom nonsense"`)
}

// TestWhatWasTypedInLinesIsKept, whatever ends the questions.
func TestWhatWasTypedInLinesIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.in = typed("new video", "", "", "a red kite", "<", "<", ".", "quit")
	got := w.ok("--accessible")
	inOrder(t, got.out, "Duration", "Prompt (enter: a red kite):", "Mode", "Left. What you have is kept")
	w.in = typed("new video", "", "", "a blue kite") // the input ends
	w.ok("--accessible")
	w.env[envLines] = "1"
	w.in = typed("new", "vid", "", "", ".")
	assert.Contains(t, w.ok().out, "Prompt (enter: a blue kite):")

	w.in = typed("new video", "", "", "-", "", "", "", "", "yes", ".")
	got = w.ok()
	inOrder(t, got.out, "Wrong: ", "prompt", "It is not sent: change what is wrong first.", "Left.")
	assert.Contains(t, w.ok("jobs", "list", "-o", "json").out, "[]", "nothing was sent")
}

// TestModelsAreComparedInLines: the questions make a suite, which is kept and run.
func TestModelsAreComparedInLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := w.dir + "/trams.yaml"
	w.in = typed("compare", "image", "a tram", "", "nobody", "", "?", "5", "5", "9", "", "0", "2", file, "yes", "compare show last", "quit")
	got := w.ok("--accessible")
	inOrder(t, got.out, "What is compared", "Prompt 1", "Model 1", "is not one of the", "Two models are needed", "is taken in.", "is taken in already.", "Repeats 0: 1 to 50 are allowed.", "4 trials of 2 cells", "4 of 4 trials completed", "4 of 4 trials completed")
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(b), "a tram")
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Zero(t, info.Mode().Perm()&0o077, "it is a person's own")

	w.in = typed("compare", "image", "a tram", "", "5", "9", "", "1", file, "no", w.dir+"/other.yaml", "no")
	inOrder(t, w.ok("--accessible").out, "is there already. Replace it?", "Keep it as", "Not sent.")
}
