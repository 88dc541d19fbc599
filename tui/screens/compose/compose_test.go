package compose

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func toast(t *testing.T, b *bench) screen.ToastMsg {
	t.Helper()
	msg, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok, "no toast")
	return msg
}

func TestTypingMakesTheRequest(t *testing.T) {
	b := start(t, 120, 34)
	assert.True(t, b.m.Capturing(), "the prompt has the focus at once")
	b.Type("a red kite")
	assert.Equal(t, "a red kite", b.m.sheet.Draft.Prompt)
	assert.Contains(t, b.View(), `"prompt": "a red kite"`)
	assert.Contains(t, b.View(), "✓ nothing is missing")
	b.Paste(" over\na salt flat\x07")
	assert.Equal(t, "a red kite over\na salt flat", b.m.sheet.Draft.Prompt)
	b.Key("esc")
	assert.False(t, b.m.Capturing())
	require.True(t, b.m.sheet.Form.Focus("#kind"))
	b.Paste("!")
	assert.Equal(t, "a red kite over\na salt flat!", b.m.sheet.Draft.Prompt, "what is pasted is not lost on a choice")
}

func TestValuesSurviveModelModeAndKind(t *testing.T) {
	b := start(t, 120, 40)
	b.Type("a kite")
	b.pick("famF-video")
	assert.Equal(t, "famF-video", b.m.sheet.Draft.Model)
	assert.Equal(t, "famF-v1", b.m.sheet.Draft.ModelName, "the base wants a model name")
	b.Key("alt+m")
	require.True(t, b.m.sheet.Form.Focus("cfg_scale"))
	b.Type("0.7")
	require.Equal(t, json.Number("0.7"), b.m.sheet.Draft.Values["cfg_scale"])

	b.pick("famA3")
	assert.NotContains(t, b.m.sheet.Draft.Values, "cfg_scale", "what does not apply is not sent")
	assert.Empty(t, b.m.sheet.Draft.ModelName)
	assert.Contains(t, b.View(), "not used now, kept:")
	assert.Contains(t, b.View(), "0.7")

	b.Click("compose/#kind/o2") // music
	assert.Equal(t, client.Music, b.m.sheet.Draft.Modality)
	assert.Equal(t, "a kite", b.m.sheet.Draft.Prompt)
	b.Click("compose/#kind/o0")
	b.pick("famF-video")
	assert.Equal(t, json.Number("0.7"), b.m.sheet.Draft.Values["cfg_scale"], "and it comes back")

	b.Click("compose/mode/o1") // t2v i2v
	require.Equal(t, "i2v", b.m.sheet.Draft.Mode)
	b.pick("famI-omni")
	assert.Equal(t, "t2v", b.m.sheet.Draft.Mode, "a mode that the model has not")
	b.pick("famF-video")
	assert.Equal(t, "i2v", b.m.sheet.Draft.Mode)
}

func TestRejectedSubmitKeepsEverythingAndGoesToTheField(t *testing.T) {
	b := start(t, 80, 24)
	b.Type("a kite")
	b.pick("famI-omni")
	b.Click("compose/mode/o2") // r2v, which needs a reference
	require.Equal(t, "r2v", b.m.sheet.Draft.Mode)
	before := b.m.sheet.Whole()
	b.Key("ctrl+s")
	assert.Empty(t, b.jobs.got, "nothing was submitted")
	assert.Contains(t, b.View(), "✗ not submitted: ")
	assert.Equal(t, before, b.m.sheet.Whole())
	p, bad := b.m.sheet.FirstBad()
	require.True(t, bad)
	assert.Equal(t, p.Field, b.m.sheet.Form.Focused())
	assert.Contains(t, b.View(), "✗")
	b.Type("https://example.org/a.png")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, screen.Info, toast(t, b).Level, "nobody knows yet how it ends")
}

func TestSubmitSendsOnlyWhatAppliesAndKeepsTheForm(t *testing.T) {
	b := filledBench(t, 120, 34)
	b.Key("ctrl+s")
	// The file of the draft is not there.
	require.Empty(t, b.jobs.got)
	assert.Contains(t, b.View(), "not submitted: ")
	assert.Contains(t, b.View(), "there is no file /pictures/flat.jpg")
	assert.Equal(t, "reference_images", b.m.sheet.Form.Focused())
	b.Key("ctrl+u", "backspace")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	s := b.jobs.got[0][0]
	assert.NotContains(t, s.Draft.Values, "cfg_scale")
	assert.Equal(t, []any{"https://example.org/kite.png"}, s.Draft.Values["reference_images"])
	assert.Empty(t, s.Group)
	assert.Contains(t, b.m.sheet.Values, "cfg_scale")
	assert.Contains(t, b.m.sheet.Form.Text(client.FieldPrompt), "a red kite")
	assert.Contains(t, toast(t, b).Text, "submitted famI-omni, job 001-0000")
}

func TestDoubleSubmitIsOne(t *testing.T) {
	m, j, _ := newModel(t)
	m.SetSize(80, 24)
	m.sheet.Form.SetText(client.FieldPrompt, "a kite")
	m.doc.Refresh()
	first := m.do("compose.submit")
	second := m.do("compose.submit")
	require.NotNil(t, first)
	says, _ := second().(screen.ToastMsg)
	assert.Equal(t, screen.Warn, says.Level)
	assert.Contains(t, says.Text, "not submitted again", "the second one only says so")
	_, _ = m.Update(first())
	require.Len(t, j.got, 1)
	_, _ = m.Update(m.do("compose.submit")())
	assert.Len(t, j.got, 2, "afterwards another one is deliberate")
}

func TestFailedJournalSaysSo(t *testing.T) {
	b := start(t, 120, 34)
	b.Type("a kite")
	b.jobs.err = errors.New("disk full\x1b[31m")
	b.Key("ctrl+s")
	assert.Equal(t, screen.Bad, toast(t, b).Level)
	assert.Contains(t, b.View(), "not submitted: disk full")
	assert.Empty(t, b.m.sending.Off())
	b.jobs.err = nil
	b.Key("ctrl+s")
	assert.Len(t, b.jobs.got, 1)
	assert.NotContains(t, b.View(), "disk full")
}

func TestCopiesCountTheSeedUp(t *testing.T) {
	b := start(t, 120, 34)
	b.Type("a kite")
	require.True(t, b.m.sheet.Form.Focus("seed"))
	b.Type("9007199254740993")
	b.Click("compose/#copies/o2")
	assert.Contains(t, b.View(), "Submit ×3")
	b.Click("btn:compose/#do/o0")
	require.Len(t, b.jobs.got, 1)
	require.Len(t, b.jobs.got[0], 3)
	var seeds []any
	for _, s := range b.jobs.got[0] {
		seeds = append(seeds, s.Draft.Values["seed"])
		assert.NotEmpty(t, s.Group)
		assert.Equal(t, b.jobs.got[0][0].Group, s.Group)
	}
	assert.Equal(t, []any{json.Number("9007199254740993"), json.Number("9007199254740994"), json.Number("9007199254740995")}, seeds)
}

func TestRefusalShowsAtTheField(t *testing.T) {
	b := start(t, 120, 34)
	b.Type("a kite")
	b.Key("ctrl+s")
	b.jobs.changed = []jobs.Job{
		{ID: "other", State: jobs.Refused, Error: &client.TaskError{Message: "not ours"}},
		{ID: "job-0001-0000", State: jobs.Refused, Error: &client.TaskError{Message: "seconds must be one of 4, 8", Code: "invalid_request_error"}},
	}
	b.Send(screen.JobsMsg{})
	assert.Equal(t, screen.ToastMsg{Level: screen.Bad, Text: "refused: seconds must be one of 4, 8; the form is kept"}, toast(t, b),
		"the newest toast tells how it ended")
	assert.Contains(t, b.View(), "refused: seconds must be one of 4, 8")
	assert.Equal(t, "duration", b.m.sheet.Refusal.Field, "an alias names its field")
	require.True(t, b.m.sheet.Form.Focus("duration"))
	b.Type("8")
	assert.NotContains(t, b.View(), "refused")
}

func TestALostAnswerIsSaid(t *testing.T) {
	b := start(t, 80, 24)
	b.Type("a kite")
	// The answer is there before the screen is told that the submission was written down.
	b.jobs.changed = []jobs.Job{{ID: "job-0001-0000", State: jobs.Ambiguous}, {ID: "job-0001-0001", State: jobs.Ambiguous}}
	require.True(t, b.m.sheet.Form.Focus("seed"))
	b.Click("compose/#copies/o1")
	b.Key("ctrl+s")
	require.Len(t, b.jobs.got, 1)
	assert.Equal(t, screen.Warn, toast(t, b).Level, "the outcome is the newest")
	assert.Contains(t, toast(t, b).Text, "2 jobs: the answer was lost")
	b.Sent = nil
	b.Send(screen.JobsMsg{})
	assert.Empty(t, b.Sent, "and said once")
}

// Who has left a text sees that digits are keys now, and how to go on typing.
func TestALeftTextLooksLeft(t *testing.T) {
	b := start(t, 200, 60)
	b.Type("a kite")
	typing := "a kite▏"
	require.Contains(t, b.View(), typing)
	b.Key("esc")
	view := b.View()
	assert.NotContains(t, view, "▏")
	assert.Contains(t, view, "letters or enter go on typing, digits and signs are keys · alt+= improves it")
	assert.Equal(t, "type", b.m.ShortHelp()[0].Help().Desc)
	b.Key("enter")
	assert.Contains(t, b.View(), typing)
	assert.NotContains(t, b.View(), "go on typing")
	assert.Equal(t, "submit", b.m.ShortHelp()[0].Help().Desc)
	b.m.doc.GoTo(client.FieldModel)
	assert.NotContains(t, b.View(), "go on typing", "a choice takes no text")
}
