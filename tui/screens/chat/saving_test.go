package chat

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/tui/screen"
)

func TestWhatIsTypedIsKeptAndComesBack(t *testing.T) {
	b := named(t, 100, 30)
	b.Type("half a tho")
	b.Send(saveTick{})
	c := b.st.only(t)
	assert.Equal(t, "half a tho", c.Draft)
	assert.Empty(t, b.m.Unsaved())
	again := start(t, 100, 30, c)
	assert.Contains(t, again.View(), "half a tho")
	assert.Equal(t, "gpt-x", again.m.model.Value())
	n := again.st.saves
	again.Send(saveTick{}, screen.HiddenMsg{})
	assert.Equal(t, n, again.st.saves, "what was read is saved")
	again.Type("ught")
	require.NoError(t, again.m.Flush())
	assert.Equal(t, "half a thought", again.st.only(t).Draft)
}

func TestAChangeWakesUpToSaveOnce(t *testing.T) {
	b := named(t, 100, 30)
	b.m.keep.later = saveLater
	b.Limit = 5 * time.Millisecond // the timer is set aside
	b.Type("abc")
	assert.Equal(t, 1, b.Waiting())
	b.Settle(5*time.Second, "it is saved", func() bool { return b.m.keep.saved == b.m.keep.revision })
	assert.Equal(t, "abc", b.st.only(t).Draft)
	assert.LessOrEqual(t, saveAfter, 400*time.Millisecond, "half a second is all that may be lost")
}

func TestNothingEmptyIsKept(t *testing.T) {
	b := start(t, 100, 30)
	b.Type("a")
	b.Key("backspace")
	b.Send(saveTick{}, screen.HiddenMsg{})
	require.NoError(t, b.m.Flush())
	assert.Empty(t, b.st.kept)
}

func TestTypedBeforeWhatWasKeptCame(t *testing.T) {
	m, _, _ := newModel(t, aTalk(question("old"), reply("old")))
	m.SetSize(80, 24)
	cmd := m.Init()
	m.input.Insert("new")
	_ = m.keep.changed()
	_, _ = m.Update(cmd())
	assert.Equal(t, "new", m.input.Value())
	assert.Empty(t, m.talk.conv.Messages, "what was begun goes on")
	assert.Equal(t, "gpt-x", m.model.Value(), "with the model of before")
}

func TestAnotherConsoleChangedIt(t *testing.T) {
	b := start(t, 100, 30, aTalk(question("hi"), reply("ho")))
	b.st.fork = "0197f000-0000-7000-8000-00000000000f"
	b.Type("x")
	b.Send(saveTick{})
	assert.Contains(t, b.toast(t).Text, "another console")
	b.Type("y")
	b.Send(saveTick{})
	assert.Equal(t, "xy", b.st.get("0197f000-0000-7000-8000-00000000000f").Draft)
	assert.Empty(t, b.st.get(aTalk().ID).Draft, "theirs is not touched")
	require.NoError(t, b.m.Flush())
	assert.Len(t, b.st.kept, 2)
}

func TestASaveThatFails(t *testing.T) {
	b := named(t, 100, 30)
	b.st.err = errors.New("disk full\x1b[2J")
	b.Type("a")
	b.Send(saveTick{})
	assert.Contains(t, b.toast(t).Text, "disk full")
	b.Sent = nil
	b.Type("b")
	b.Send(saveTick{})
	assert.Empty(t, b.Sent, "said once")
	assert.NotEmpty(t, b.m.Unsaved())
	require.ErrorContains(t, b.m.Flush(), "disk full")
	b.Key("ctrl+n")
	assert.Contains(t, b.toast(t).Text, "previous conversation is not saved")
	b.st.err = nil
	require.NoError(t, b.m.Flush(), "what was left behind is tried again")
	assert.Equal(t, "ab", b.st.only(t).Draft)
}

func TestAnOlderWriteThatComesLate(t *testing.T) {
	_, _, st := newModel(t)
	w := newWriter(st)
	id, err := w.write(snapshot{key: 1, revision: 2, conv: kept.Conversation{Draft: "new"}})
	require.NoError(t, err)
	_, err = w.write(snapshot{key: 1, revision: 1, conv: kept.Conversation{Draft: "old"}})
	require.NoError(t, err)
	assert.Equal(t, "new", st.get(id).Draft)
	require.NoError(t, w.remove("", 1))
	_, err = w.write(snapshot{key: 1, revision: 3, conv: kept.Conversation{Draft: "late"}})
	require.NoError(t, err)
	assert.Empty(t, st.kept, "what was deleted does not come back")
}

func TestFlushKeepsTheAnswerThatComes(t *testing.T) {
	b := named(t, 100, 30)
	b.Limit = 30 * time.Millisecond
	b.gw.deltas, b.gw.hold = []string{"one "}, make(chan struct{})
	b.say("hi")
	b.Settle(5*time.Second, "a part comes", func() bool { return b.m.talk.conv.Messages[1].Text != "" })
	b.m.talk.stream.Put("two") // came since the last look
	require.NoError(t, b.m.Flush())
	c := b.st.only(t)
	assert.Equal(t, "one two", c.Messages[1].Text)
	assert.Equal(t, kept.Stopped, c.Messages[1].State)
}

func TestAConsoleThatWasKilled(t *testing.T) {
	x := reply("half")
	x.State = kept.Arriving
	b := start(t, 100, 30, aTalk(question("hi"), x))
	assert.Contains(t, b.View(), "the console closed before the answer ended")
	assert.Zero(t, b.m.NextTick())
	b.gw.answer.Text = "whole"
	b.Key("ctrl+r")
	assert.Contains(t, b.View(), "whole")
	assert.Equal(t, "half", b.st.only(t).Messages[1].Text)
}

func TestBrokenFilesAreTold(t *testing.T) {
	m, _, st := newModel(t)
	st.lerr = errors.New("set aside as x.broken")
	_, cmd := m.Update(m.Init()())
	require.NotNil(t, cmd)
	assert.Contains(t, cmd().(screen.ToastMsg).Text, "set aside")
}

func TestNoStore(t *testing.T) {
	m, g, _ := newModel(t)
	m.deps.Store, m.keep.writer = nil, nil
	g.answer = client.ChatAnswer{Text: "ok"}
	b := start(t, 100, 30)
	b.m.deps.Store, b.m.keep.writer = nil, nil
	b.m.model.SetValue("m")
	b.gw.answer.Text = "ok"
	b.say("hi")
	assert.Contains(t, b.View(), "not kept")
	require.NoError(t, b.m.Flush())
	b.Key("alt+x", "d")
	assert.Empty(t, b.m.talk.conv.Messages)
	assert.Nil(t, m.Init())
}
