package page

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/compare/browsertest"
	"darkroom/jobs/compare/vote"
	"darkroom/jobs/compare/vote/votetest"
)

// tab is a page of a vote in a browser.
type tab struct {
	*browsertest.Page
	t *testing.T
}

func look(t *testing.T, b *bench) *tab {
	t.Helper()
	p := &tab{browsertest.Open(t, browsertest.Below(b.site.address())), t}
	require.NoError(t, chromedp.Do(p.Context, chromedp.Navigate(b.site.address())))
	return p
}

// until waits until something is true in the page.
func (p *tab) until(what string) {
	p.t.Helper()
	wait := fmt.Sprintf("new Promise(done => { const look = () => { if (%s) done(true); else setTimeout(look, 20) }; look() })", what)
	_, err := chromedp.Run(p.Context, chromedp.Evaluate[bool](wait, func(e *runtime.EvaluateParams) { e.AwaitPromise = new(true) }))
	require.NoError(p.t, err, what)
}

// press presses keys as a keyboard does: what a page does with a key decides whether it types.
func (p *tab) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		events := kb.Encode([]rune(k)[0])
		down, up := *events[0], *events[len(events)-1]
		if len(events) == 3 {
			down.Text = events[1].Text
		}
		for _, e := range []input.DispatchKeyEventParams{down, up} {
			_, err := chromedp.Call(p.Context, input.DispatchKeyEvent, e)
			require.NoError(p.t, err, k)
		}
	}
}

// shows waits until a text is somewhere in the page.
func (p *tab) shows(text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("document.body.innerText.includes(%q)", text))
}

// ready waits until both sides can be judged.
func (p *tab) ready() {
	p.t.Helper()
	p.until(`!document.querySelector('[data-do=tie]').disabled`)
}

// clean checks that the page complained of nothing and asked for nothing elsewhere.
func (p *tab) clean() {
	p.t.Helper()
	assert.Empty(p.t, p.Told())
	assert.Empty(p.t, p.Strayed())
	assert.Empty(p.t, p.Dialogs())
}

// TestThreePairsByKeyboard: pictures, in Chromium, to the reveal and the end.
func TestThreePairsByKeyboard(t *testing.T) {
	run := votetest.Pictures(t, 3, 1, 1)
	for i := range run.Cells {
		run.Cells[i].Prompt.Text = `<script>alert("prompt")</script><img src=x onerror=alert(1)> kite`
	}
	b := start(t, run)
	p := look(t, b)
	p.shows("Pair 1 of 3")
	p.shows(`<script>alert("prompt")`)
	p.ready()
	p.press("z")
	p.until(`["a", "b"].every(s => document.querySelector("#frame-" + s + " img").style.transform === "scale(2)")`)
	p.press("a", "4")
	p.shows("★★★★☆")
	p.press("n")
	p.until(`document.activeElement.id === "note"`)
	p.press("1", " ", "s", kb.Enter) // is typed, and judges nothing
	p.until(`document.querySelector("#writing").hidden`)
	p.press(kb.ArrowRight)
	p.shows("Pair 2 of 3")
	p.ready()
	p.press("u")
	p.shows("Pair 1 of 3")
	p.ready()
	p.shows("★★★★☆")
	p.press("1")
	p.shows("Pair 2 of 3")
	p.ready()
	p.press(" ")
	p.shows("Pair 3 of 3")
	p.ready()
	assert.NotContains(t, p.text(), "fam")
	p.press("s")
	p.shows("Nothing is left to judge")
	p.press("r")
	p.shows("r once more shows it")
	assert.False(t, b.session.Revealed(), "one key reveals nothing")
	p.press("r")
	p.shows("2 votes by 1 judge.")
	assert.Contains(t, p.text(), "fam0-omni")
	p.press("q")
	p.shows("You can close this page")
	assert.True(t, b.ended)
	p.clean()

	file, err := os.ReadFile(vote.File(b.dir, run.ID, "ana"))
	require.NoError(t, err)
	for word, n := range map[string]int{`"answer":"a"`: 1, `"answer":"b"`: 1, `"answer":"tie"`: 1, `"answer":"skip"`: 1, `"undo"`: 1, `"stars":4`: 1, `"text":"1 s"`: 1, `"reveal"`: 1} {
		assert.Equal(t, n, strings.Count(string(file), word), word)
	}
}

func (p *tab) text() string {
	p.t.Helper()
	text, err := chromedp.Run(p.Context, chromedp.Evaluate[string]("document.documentElement.outerHTML"))
	require.NoError(p.t, err)
	return text
}

// TestVideosPlayInStep, one of them with its sound, and another window is told when it comes too late.
func TestVideosPlayInStep(t *testing.T) {
	b := start(t, votetest.Videos(t, 3, 1, 1))
	p := look(t, b)
	p.ready()
	const two = `(([a, b]) => (%s))([...document.querySelectorAll("video")])`
	p.until(fmt.Sprintf(two, "!a.paused && !b.paused && a.currentTime > 0.2 && Math.abs(a.currentTime - b.currentTime) < 0.3"))
	p.until(fmt.Sprintf(two, "a.getBoundingClientRect().width === b.getBoundingClientRect().width && a.getBoundingClientRect().height === b.getBoundingClientRect().height"))
	p.until(fmt.Sprintf(two, "!a.muted && b.muted"))
	p.press("m")
	p.until(fmt.Sprintf(two, "a.muted && !b.muted"))
	p.press("m")
	p.until(fmt.Sprintf(two, "a.muted && b.muted"))
	p.press("p")
	p.until(fmt.Sprintf(two, "a.paused && b.paused"))
	p.press("p")
	p.until(fmt.Sprintf(two, "!a.paused && !b.paused"))
	// They begin anew together when both are over.
	p.until(fmt.Sprintf(two, `(a.addEventListener("seeked", () => { window.anew = true }, { once: true }), true)`))
	p.until("window.anew && " + fmt.Sprintf(two, "!a.paused && !b.paused"))

	now, ok := b.session.Ballot()
	require.True(t, ok)
	require.NoError(t, b.session.Vote(now.ID, vote.Tie), "as another window does")
	p.press("1")
	p.shows("judged already, perhaps in another window")
	p.shows("Pair 2 of 3")
	p.ready()
	assert.EqualValues(t, 1, b.session.Progress().Judged, "it took nothing away")
	require.Len(t, p.Told(), 1, "the browser notes the refusal")
	assert.Contains(t, p.Told()[0], "409")
}

// TestSoundsAreHeardOneAtATime.
func TestSoundsAreHeardOneAtATime(t *testing.T) {
	b := start(t, votetest.Sounds(t, 2, 1, 1))
	p := look(t, b)
	p.ready()
	p.until(`(([a, b]) => !a.muted && b.muted && !a.paused && !b.paused)([...document.querySelectorAll("audio")])`)
	p.shows("♪ A")
	p.press("m", "2")
	p.shows("Nothing is left to judge")
	p.clean()
}
