package autosave

import (
	"errors"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/screen"
)

type disk struct {
	prompt string
	err    error
}

func (d *disk) Load(client.Modality) (kept.Draft, bool, error) {
	return kept.Draft(draft(d.prompt)), d.prompt != "", d.err
}

func (d *disk) Save(x kept.Draft) error {
	if d.err == nil {
		d.prompt = x.Draft.Prompt
	}
	return d.err
}

func draft(prompt string) screen.ComposeDraft {
	return screen.ComposeDraft{Draft: client.Draft{Modality: client.Video, Prompt: prompt}}
}

func form(prompt string) func() []screen.ComposeDraft {
	return func() []screen.ComposeDraft { return []screen.ComposeDraft{draft(prompt)} }
}

func saver(d Drafts) *Saver {
	s := New(d)
	s.Later = func() tea.Cmd { return func() tea.Msg { return TickMsg{} } }
	s.Loaded()
	return &s
}

func saved(t *testing.T, cmd tea.Cmd) SavedMsg {
	t.Helper()
	require.NotNil(t, cmd)
	return cmd().(SavedMsg)
}

func TestAChangeIsSavedOnce(t *testing.T) {
	d := &disk{}
	s := saver(d)
	assert.Empty(t, s.Note())
	assert.Nil(t, s.Arm())
	s.Changed()
	require.NotNil(t, s.Arm())
	assert.Nil(t, s.Arm(), "one tick is on its way")
	assert.Equal(t, "draft changed", s.Note())
	cmd := s.Tick(form("a"))
	assert.Nil(t, s.Save(form("ab")), "one command is writing")
	s.Changed()
	assert.NotNil(t, s.Saved(saved(t, cmd)), "what changed meanwhile is saved, too")
	assert.Nil(t, s.Saved(saved(t, s.Tick(form("ab")))))
	assert.Equal(t, "ab", d.prompt)
	assert.Equal(t, "draft saved", s.Note())
	assert.False(t, s.Pending())
}

func TestAnOlderDraftThatComesLate(t *testing.T) {
	d := &disk{}
	s := saver(d)
	s.Changed()
	slow := s.Save(form("a"))
	s.Changed()
	require.NoError(t, s.Flush(nil, nil, form("ab")))
	assert.NoError(t, saved(t, slow).err)
	assert.Equal(t, "ab", d.prompt)
}

// TestLeavingSavesBesideASlowWrite: who leaves does not go before the form of that moment is saved,
// and the answers may come in either order.
func TestLeavingSavesBesideASlowWrite(t *testing.T) {
	for _, first := range []string{"slow", "leaving"} {
		d := &disk{}
		s := saver(d)
		s.Changed()
		slow := s.Save(form("a"))
		s.Changed()
		leaving := s.SaveNow(form("ab"))
		require.NotNil(t, leaving)
		answers := []SavedMsg{saved(t, slow), saved(t, leaving)}
		if first == "leaving" {
			answers[0], answers[1] = answers[1], answers[0]
		}
		for _, a := range answers {
			s.Saved(a)
		}
		assert.Equal(t, "ab", d.prompt)
		assert.False(t, s.Pending(), first)
		assert.Nil(t, s.SaveNow(form("ab")), "nothing is left to save")
	}
}

func TestAFailureIsToldOnce(t *testing.T) {
	d := &disk{err: errors.New("read-only")}
	s := saver(d)
	s.Changed()
	assert.NotNil(t, s.Saved(saved(t, s.Save(form("a")))))
	assert.Nil(t, s.Saved(saved(t, s.Save(form("a")))))
	assert.Equal(t, "draft not saved", s.Note())
	d.err = nil
	s.Saved(saved(t, s.Save(form("a"))))
	assert.False(t, s.Pending())
}

func TestWhatWasNeverReadIsNotOverwritten(t *testing.T) {
	d := &disk{prompt: "kept"}
	s := New(d)
	s.Changed()
	assert.Nil(t, s.Save(form("a")), "before it was read")
	var had string
	restore := func(m map[client.Modality]screen.ComposeDraft) { had = m[client.Video].Draft.Prompt }
	require.NoError(t, s.Flush([]client.Modality{client.Video}, restore, form("a")))
	assert.Equal(t, "kept", had)
	assert.Equal(t, "a", d.prompt)
}

func TestNothingIsKept(t *testing.T) {
	s := New(nil)
	s.Changed()
	assert.False(t, s.Pending())
	assert.Nil(t, s.Load(nil))
	assert.Nil(t, s.Arm())
	assert.Empty(t, s.Note())
	assert.NoError(t, s.Flush(nil, nil, nil))
}
