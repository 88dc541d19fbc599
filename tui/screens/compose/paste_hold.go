package compose

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/text"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/screen"
)

// Bounds of what waits for a paste: how long the disk has to answer, and how many keys wait.
const (
	pasteWait = 3 * time.Second
	maxHeld   = 1000
)

// pasting is a paste that a command looks at. What is typed, clicked and asked for meanwhile
// waits, so that it comes behind what was pasted, and nothing is submitted without that.
type pasting struct {
	on   bool
	gen  uint64          // of the newest look
	text func() keptText // goes into the form when nobody waits any longer; nil for files that were chosen
	held []tea.Msg       // keys, clicks and actions, in order
	// barred says why nothing is sent by what has waited, "" when it may be.
	barred string
	going  bool // what has waited is being done
}

// lookedMsg brings what a look has found, nil when the disk did not answer in time.
type lookedMsg struct {
	gen   uint64
	found tea.Msg
}

// lookAt has a command look at something pasted; what follows waits for it.
func (m *Model) lookAt(text func() keptText, find func() tea.Msg) tea.Cmd {
	p := &m.pasting
	p.gen++
	p.on, p.text = true, text
	gen := p.gen
	return func() tea.Msg { return lookedMsg{gen, within(time.After(pasteWait), find)} }
}

// within is what find returns, or nil when it takes longer. What fails in it fails here.
func within(over <-chan time.Time, find func() tea.Msg) tea.Msg {
	type answer struct {
		msg   tea.Msg
		fault any
	}
	came := make(chan answer, 1)
	go func() {
		a := answer{}
		defer func() {
			a.fault = recover()
			came <- a
		}()
		a.msg = find()
	}()
	select {
	case a := <-came:
		if a.fault != nil {
			panic(a.fault)
		}
		return a.msg
	case <-over:
		return nil
	}
}

// input is what a person does, which is counted; it waits while a paste is looked at, which esc ends.
func (m *Model) input(msg tea.Msg) tea.Cmd {
	m.done++
	p := &m.pasting
	if !p.on {
		return m.act(msg)
	}
	if k, ok := msg.(tea.KeyMsg); ok && k.Type == tea.KeyEsc {
		return m.endLook("")
	}
	if p.held = append(p.held, msg); len(p.held) == maxHeld {
		return m.endLook("too much was typed meanwhile")
	}
	return nil
}

func (m *Model) act(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case screen.ClickMsg:
		return m.click(msg)
	case screen.ActionMsg:
		return m.do(msg.ID)
	}
	return nil
}

// looked takes what a look has found, and then what has waited for it. A question about it is
// answered first: what was typed before it could be seen is no answer.
func (m *Model) looked(msg lookedMsg) tea.Cmd {
	p := &m.pasting
	switch {
	case !p.on || msg.gen != p.gen:
		return nil
	case msg.found == nil:
		return m.endLook("the disk did not answer")
	}
	p.on = false
	barred := m.partly(msg.found)
	_, cmd := m.Update(msg.found)
	if m.asksOfPaste() || m.over.Has(choose.Scope) {
		return cmd
	}
	return tea.Batch(cmd, m.goOnTyping(barred))
}

// asksOfPaste reports whether a question about something pasted is open.
func (m *Model) asksOfPaste() bool { return m.requests.ask != nil || m.dropped != nil }

// partly says what of something pasted or chosen will not be in the form, "" when all of it will.
func (m *Model) partly(found tea.Msg) string {
	switch found := found.(type) {
	case filesMsg:
		if found.failed != "" {
			return "a file that was chosen is not added"
		}
	case droppedMsg:
		if f, ok := m.sheet.FieldNamed(found.field); ok && f.Kind == catalog.Media && len(found.files) > 1 {
			return "not all files are taken: look at them, then do it again"
		}
	}
	return ""
}

// endLook ends a look without its answer: what was pasted is text, what has waited follows.
// Why is "" when the person ended it.
func (m *Model) endLook(why string) tea.Cmd {
	p := &m.pasting
	if !p.on {
		return nil
	}
	p.on = false
	var cmd tea.Cmd
	said, barred := "kept as text, not looked at", "what was pasted is text now: look at it, then do it again"
	if p.text != nil {
		t := p.text()
		if t.text != "" {
			cmd = m.pasteText([]rune(t.text))
			said = andSaid(said, t.said)
		} else if t.said != "" {
			said, barred = t.said, "what was pasted is not there: look at it, then do it again"
		}
	} else {
		said, barred = "the files are not added: choose them again", "the files that were chosen are not added"
	}
	if why != "" {
		said = why + ": " + said
	}
	return tea.Batch(cmd, screen.Toast(screen.Warn, said), m.goOnTyping(barred))
}

// releaseAll puts all that was pasted and typed into the form that is there, in its order, and
// submits nothing of it: no look is waited for any longer, and a question about what was pasted is
// answered "as text". Afterwards nothing waits. It comes to an end, since each round ends a look or
// a question, and only what has waited, which grows no more, can begin another.
func (m *Model) releaseAll(why string) tea.Cmd {
	var cmds []tea.Cmd
	for p := &m.pasting; ; {
		switch {
		case p.on:
			cmds = append(cmds, m.endLook(why))
		case m.requests.attach != nil:
			cmds = append(cmds, screen.Toast(screen.Warn, why+": "+leftFiles), m.answered(answerLeave))
		case m.requests.ask != nil:
			cmds = append(cmds, screen.Toast(screen.Warn, why+": "+keptAsText), m.answered(answerText))
		case m.dropped != nil:
			m.over.Close(askDropped)
			cmds = append(cmds, screen.Toast(screen.Warn, why+": "+keptAsText), m.droppedAnswered(answerText))
		case len(p.held) > 0: // for what is to be chosen
			m.over.Close(choose.Scope)
			cmds = append(cmds, m.goOnTyping(askedFirst))
		default:
			return tea.Batch(cmds...)
		}
	}
}

// keptAsText is said when nobody answers any more what is to be done with a paste.
const keptAsText = "kept as text, since the question about it was not answered"

// goOnTyping does what has waited, in its order, until another paste is looked at or asked about.
// Where it is barred, all is done but what sends or hands over the form.
func (m *Model) goOnTyping(barred string) tea.Cmd {
	p := &m.pasting
	held := p.held
	p.held = nil
	if barred != "" {
		p.barred = barred
	}
	p.going = true
	defer func() { p.going = false }()
	var cmds []tea.Cmd
	for i, msg := range held {
		if p.on || m.asksOfPaste() {
			p.held = append(p.held, held[i:]...)
			return tea.Batch(cmds...)
		}
		cmds = append(cmds, m.act(msg))
	}
	p.barred = ""
	return tea.Batch(cmds...)
}

// dropHeld lets go of what has waited, and says which words were among it.
func (m *Model) dropHeld() tea.Cmd {
	var words strings.Builder
	for _, msg := range m.pasting.held {
		if k, ok := msg.(tea.KeyMsg); ok && (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && !k.Alt {
			words.WriteString(string(k.Runes))
		}
	}
	m.pasting.held, m.pasting.barred = nil, ""
	if words.Len() == 0 {
		return nil
	}
	said := words.String()
	said = redact(said[:min(len(said), redactAtOnce)]).text
	return screen.Toast(screen.Warn, "left out, since the form is another one now: "+text.Clip(client.CleanLine(said), 60))
}

// notNow says why nothing is submitted at this moment, nil when it may be.
func (m *Model) notNow() tea.Cmd {
	switch {
	case m.pasting.barred != "":
		return m.barred("not submitted")
	case m.sending:
		return screen.Toast(screen.Warn, "not submitted again: "+stillSending)
	}
	return nil
}

// barred says why the form as it is now goes nowhere, and what is not done with it therefore; nil
// when it may. Whatever costs or takes the form elsewhere asks this first: a key that was pressed
// before it could be seen what becomes of a paste does not mean the form without it.
func (m *Model) barred(not string) tea.Cmd {
	if why := m.pasting.barred; why != "" {
		return screen.Toast(screen.Warn, not+": "+why)
	}
	return nil
}

// barRest has nothing be sent by what waits behind something that was asked for before.
func (p *pasting) barRest(why string) {
	if p.going {
		p.barred = why
	}
}

// pasteTells is said in the place of a field's help while keys wait.
func (m *Model) pasteTells() string {
	if !m.pasting.on || len(m.pasting.held) == 0 {
		return ""
	}
	return "looking at what was pasted; what you type waits for it, and comes behind it: esc takes it as text now"
}
