package compose

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/tui/screen"
	"darkroom/tui/talk"
	"darkroom/tui/widgets/format"
)

// Chatter asks a chat model, once; see [client.Client.Chat].
type Chatter = talk.Gateway

// Talks keeps what a chat model is asked and says, where the person finds it again. Keep
// returns the id that it is kept under.
type Talks interface {
	Keep(improve.Talk) (id string, err error)
}

// pickImprover marks the choice of the chat model that improves prompts.
const pickImprover = "#improver"

// improvePause is the time between two looks at what came of an answer.
const improvePause = 100 * time.Millisecond

// improveWait bounds the wait at the end for what the client has of an answer.
const improveWait = 300 * time.Millisecond

// phase is how far improving a prompt is.
type phase int

const (
	closed  phase = iota
	ready         // what is asked of whom shows; nothing is sent
	running       // an answer is awaited
	review        // its parts are accepted or rejected
	failed
)

// improving is the dialog in which a prompt is improved.
type improving struct {
	phase    phase
	model    string
	prompt   string // as it was asked about
	stream   *talk.Stream
	compared *string // the prompt that the answer is being compared with, nil for none
	stopping bool
	text     string // what has come
	parts    []improve.Part
	changes  []int        // of parts
	take     map[int]bool // by part
	at       int          // of changes: the one under the cursor
	trouble  string
	advice   string
	kept     improve.Talk
	pause    time.Duration
}

// keptMsg says how writing a question down went.
type keptMsg struct{ err error }

// improver is the chat model that improves prompts: the one that did so last, else the one
// that is chosen for chats.
func (m *Model) improver() string {
	return cmp.Or(m.marks.Improver, strings.TrimSpace(m.chosen[client.Chat].model))
}

// offImprove says why the prompt can not be improved now, "" when it can.
func (m *Model) offImprove() string {
	switch {
	case m.deps.Chat == nil:
		return "there is no gateway to ask"
	case m.improve.phase == running:
		return "an answer is awaited"
	case strings.TrimSpace(m.form.Text(client.FieldPrompt)) == "":
		return "there is no prompt to improve yet"
	}
	return tooLong("the prompt", m.form.Text(client.FieldPrompt))
}

// openImprove shows what is asked of whom; nothing is sent before the person says so.
func (m *Model) openImprove() tea.Cmd {
	if off := m.offImprove(); off != "" {
		return screen.Toast(screen.Info, off)
	}
	m.onlyPane = false
	m.improve = improving{phase: ready, model: m.improver(), prompt: m.form.Text(client.FieldPrompt), pause: improvePause}
	if m.improve.model == "" {
		return m.pickModel(pickImprover)
	}
	return nil
}

// improveWith takes a chat model for this prompt and those to come.
func (m *Model) improveWith(model string) tea.Cmd {
	if model = strings.TrimSpace(model); model == "" {
		return nil
	}
	m.improve.model = model
	m.marks.Improver = model
	k := m.deps.Marks
	if k == nil {
		return nil
	}
	return func() tea.Msg {
		marks, err := k.Improve(model)
		return markedMsg{marks: marks, err: err}
	}
}

// askImprove sends the question, once. It is written down before; where that fails nothing
// is sent.
func (m *Model) askImprove() tea.Cmd {
	i := &m.improve
	if i.model == "" {
		return m.pickModel(pickImprover)
	}
	req := improve.Request(i.model, i.prompt, m.modality)
	s, ctx := talk.New()
	i.phase, i.stream, i.stopping, i.text, i.trouble, i.advice = running, s, false, "", "", ""
	i.kept = improve.Talk{Model: i.model, System: req.Messages[0].Content, Asked: i.prompt, At: m.now(), State: improve.Arriving}
	var before func() error
	if keep := m.deps.Talks; keep != nil {
		kept := i.kept
		before = func() error {
			id, err := keep.Keep(kept)
			s.SetTag(id)
			return err
		}
	}
	return tea.Batch(talk.Run(ctx, m.deps.Chat, req, s, before), talk.Next(s, 0))
}

func (m *Model) now() time.Time {
	if m.deps.Now == nil {
		return time.Time{}
	}
	return m.deps.Now()
}

// stopImprove gives the answer up, or leaves the dialog; the prompt is as it was. Where the
// gateway's side does not end by itself, the same again ends it here.
func (m *Model) stopImprove() tea.Cmd {
	i := &m.improve
	if i.phase != running || i.stream == nil {
		m.improve = improving{}
		return nil
	}
	i.stream.Cancel()
	if !i.stopping {
		i.stopping = true
		return nil // the end comes as the last part does
	}
	p := i.stream.Look()
	p.Over = true
	return m.improveOver(p)
}

// applyImprove puts the accepted parts into the prompt, as one step that undo takes back.
func (m *Model) applyImprove() tea.Cmd {
	i := &m.improve
	n := 0
	for _, c := range i.changes {
		if i.take[c] {
			n++
		}
	}
	if n == 0 {
		return screen.Toast(screen.Info, "no part is accepted: "+m.deps.Keys.Keys("improve.toggle")+" accepts one, "+
			m.deps.Keys.Keys("improve.all")+" all, "+m.deps.Keys.Keys("improve.close")+" leaves the prompt as it was")
	}
	if now := m.form.Text(client.FieldPrompt); now != i.prompt {
		cmd := m.compare(now)
		if i.phase != running {
			return cmd
		}
		return tea.Batch(cmd, screen.Toast(screen.Warn, "the prompt was changed meanwhile: these are the parts that differ from it now"))
	}
	text := improve.Apply(i.parts, func(p int) bool { return i.take[p] })
	said := fmt.Sprintf("%d of %s taken; ctrl+_ brings the prompt back", n, format.Plural(len(i.changes), "part"))
	m.improve = improving{}
	m.form.SetText(client.FieldPrompt, text)
	m.goTo(client.FieldPrompt)
	return tea.Batch(m.changed(client.FieldPrompt), screen.Toast(screen.Good, said))
}

// flushImprove ends a question that is on its way, and keeps what has come of it.
func (m *Model) flushImprove() error {
	i := &m.improve
	if i.stream == nil {
		return nil
	}
	i.stopping = true
	i.stream.Cancel()
	i.stream.Wait(improveWait)
	m.endTalk(i.stream.Look())
	i.phase = closed
	if m.deps.Talks == nil || i.kept.ID == "" {
		return nil
	}
	_, err := m.deps.Talks.Keep(i.kept)
	return err
}
