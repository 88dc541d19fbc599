package pasted

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/tui/screen"
)

// Bounds of what waits for a look: how long the disk has to answer, and how many keys wait.
const (
	lookWait   = 3 * time.Second
	maxPending = 1000
)

// form is where what was pasted and typed goes.
type form struct {
	do    func(tea.Msg) tea.Cmd // does a key, a click or an action
	paste func(text []rune) tea.Cmd
	asks  func() bool // a question about something pasted is open
	// chooses says that something is to be chosen for it; what waits is released with [queue.release]
	// when it was.
	chooses func() bool
}

// queue holds what waits for a look, in its order.
type queue struct {
	form    form
	on      bool
	gen     uint64           // of the newest look
	text    func() pasteText // goes into the form when nobody waits any longer; nil for files that were chosen
	pending []tea.Msg        // keys, clicks and actions
	blocked string           // why nothing is sent by what has waited, "" when it may be
	going   bool             // what has waited is being done
}

// Found puts what a look has found into the form, and says what of it will not be there, "" when all
// of it will.
type Found func() (cmd tea.Cmd, missing string)

// LookedMsg brings what a look has found, nil when the disk did not answer in time.
type LookedMsg struct {
	gen   uint64
	found Found
}

// look has a command look at something; what follows waits for it. Text is what was pasted, nil for
// files that were chosen.
func (q *queue) look(text func() pasteText, find func() Found) tea.Cmd {
	q.gen++
	q.on, q.text = true, text
	gen := q.gen
	return func() tea.Msg { return LookedMsg{gen, within(time.After(lookWait), find)} }
}

// within is what find returns, or nil when it takes longer. What fails in it fails here.
func within(over <-chan time.Time, find func() Found) Found {
	type answer struct {
		found Found
		fault any
	}
	came := make(chan answer, 1)
	go func() {
		a := answer{}
		defer func() {
			a.fault = recover()
			came <- a
		}()
		a.found = find()
	}()
	select {
	case a := <-came:
		if a.fault != nil {
			panic(a.fault)
		}
		return a.found
	case <-over:
		return nil
	}
}

// Looking reports whether a look has no answer yet.
func (q *queue) Looking() bool { return q.on }

// waiting reports whether something waits for a choice or a question; no look is under way then.
func (q *queue) waiting() bool { return !q.on && len(q.pending) > 0 }

// Do does what a person does, or holds it while a look is under way, which esc ends.
func (q *queue) Do(msg tea.Msg) tea.Cmd {
	if !q.on {
		return q.form.do(msg)
	}
	if k, ok := msg.(tea.KeyMsg); ok && k.Type == tea.KeyEsc {
		return q.end("")
	}
	if q.pending = append(q.pending, msg); len(q.pending) == maxPending {
		return q.end("too much was typed meanwhile")
	}
	return nil
}

// Looked takes what the newest look has found, and then what has waited for it. A question about it
// is answered first: what was typed before it could be seen is no answer.
func (q *queue) Looked(msg LookedMsg) tea.Cmd {
	switch {
	case !q.on || msg.gen != q.gen:
		return nil
	case msg.found == nil:
		return q.end("the disk did not answer")
	}
	q.on = false
	cmd, missing := msg.found()
	if q.form.asks() || q.form.chooses() {
		return cmd
	}
	return tea.Batch(cmd, q.release(missing))
}

// end ends a look without its answer: what was pasted is text, what has waited follows. Why is ""
// when the person ended it.
func (q *queue) end(why string) tea.Cmd {
	if !q.on {
		return nil
	}
	q.on = false
	var cmd tea.Cmd
	said, blocked := "kept as text, not looked at", "what was pasted is text now: look at it, then do it again"
	if q.text != nil {
		t := q.text()
		if t.text != "" {
			cmd = q.form.paste([]rune(t.text))
			said = t.after(said)
		} else if t.said != "" {
			said, blocked = t.said, "what was pasted is not there: look at it, then do it again"
		}
	} else {
		said, blocked = "the files are not added: choose them again", "the files that were chosen are not added"
	}
	if why != "" {
		said = why + ": " + said
	}
	return tea.Batch(cmd, screen.Toast(screen.Warn, said), q.release(blocked))
}

// release does what has waited, in its order, until another paste is looked at or asked about.
// Where it is blocked, all is done but what sends or hands over the form.
func (q *queue) release(blocked string) tea.Cmd {
	pending := q.pending
	q.pending = nil
	if blocked != "" {
		q.blocked = blocked
	}
	q.going = true
	defer func() { q.going = false }()
	var cmds []tea.Cmd
	for i, msg := range pending {
		if q.on || q.form.asks() {
			q.pending = append(q.pending, pending[i:]...)
			return tea.Batch(cmds...)
		}
		cmds = append(cmds, q.form.do(msg))
	}
	q.blocked = ""
	return tea.Batch(cmds...)
}

// drop lets go of what has waited, and says which words were among it.
func (q *queue) drop() tea.Cmd {
	var words strings.Builder
	for _, msg := range q.pending {
		if k, ok := msg.(tea.KeyMsg); ok && (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && !k.Alt {
			words.WriteString(string(k.Runes))
		}
	}
	q.pending, q.blocked = nil, ""
	if words.Len() == 0 {
		return nil
	}
	said := words.String()
	said = redact(said[:min(len(said), redactAtOnce)]).text
	return screen.Toast(screen.Warn, "left out, since the form is another one now: "+text.Clip(client.CleanLine(said), 60))
}

// Blocked says why the form as it is now goes nowhere, "" when it may. Whatever costs or takes the
// form elsewhere asks this first: a key that was pressed before it could be seen what becomes of a
// paste does not mean the form without it.
func (q *queue) Blocked() string { return q.blocked }

// BlockRest has nothing be sent by what waits behind something that was asked for before.
func (q *queue) BlockRest(why string) {
	if q.going {
		q.blocked = why
	}
}

// Hint is said in the place of a field's help while keys wait, "" else.
func (q *queue) Hint() string {
	if !q.on || len(q.pending) == 0 {
		return ""
	}
	return "looking at what was pasted; what you type waits for it, and comes behind it: esc takes it as text now"
}

// unsaved tells what a look has not brought into the form yet, and what becomes of it at quit; ""
// for nothing.
func (q *queue) unsaved() string {
	switch {
	case !q.on:
		return ""
	case q.text == nil:
		return "Files that were chosen in Compose are still being looked at: quitting does not add them, and submits nothing."
	default:
		return "What was pasted in Compose is still being looked at: quitting keeps it as text, and submits nothing."
	}
}
