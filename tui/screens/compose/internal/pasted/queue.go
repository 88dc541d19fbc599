package pasted

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/tui/screen"
)

// Bounds of waiting for a look: how long the disk may take to answer, and how many keys may wait.
const (
	lookWait   = 3 * time.Second
	maxPending = 1000
)

// form takes what was pasted and typed.
type form struct {
	do    func(tea.Msg) tea.Cmd // does a key, a click or an action
	paste func(text []rune) tea.Cmd
	asks  func() bool // a question about something pasted is open
	// chooses says that something has to be chosen for the form first; what waits is released with
	// [queue.release] afterwards.
	chooses func() bool
}

// queue holds what waits for a look, in order.
type queue struct {
	form    form
	on      bool
	gen     uint64           // of the newest look
	text    func() pasteText // goes into the form when nobody waits any longer; nil for files that were chosen
	pending []tea.Msg        // keys, clicks and actions
	blocked string           // why nothing is sent by what has waited, "" when it may be
	going   bool             // what has waited is being done
}

// Found puts the findings of a look into the form, and says which of them will be missing there, ""
// for none.
type Found func() (cmd tea.Cmd, missing string)

// LookedMsg brings the findings of a look, nil when the disk did not answer in time.
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

// within returns the result of find, or nil if that takes longer. A panic in find is raised here.
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

// Do does what a person asks, or holds it while a look is under way; esc ends that look.
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

// Looked takes in the findings of the newest look, and then does what was waiting for it. If there
// is a question about them, it is answered first: what was typed before it could be seen is not an
// answer.
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

// end ends a look without its answer: what was pasted becomes text, and what was waiting is done.
// why is "" if the person ended the look.
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

// release does what was waiting, in order, until another paste is looked at or asked about. If
// blocked says why not, nothing of it sends or hands over the form.
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

// drop drops what was waiting, and says which words were among it.
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

// Blocked says why the form must not be sent or handed over now, "" when it may be. Whatever costs
// money or takes the form elsewhere asks this first: a key pressed before the outcome of a paste
// could be seen does not mean the form without it.
func (q *queue) Blocked() string { return q.blocked }

// BlockRest keeps what waits behind an earlier request from sending anything.
func (q *queue) BlockRest(why string) {
	if q.going {
		q.blocked = why
	}
}

// Hint replaces a field's help while keys wait, "" otherwise.
func (q *queue) Hint() string {
	if !q.on || len(q.pending) == 0 {
		return ""
	}
	return "looking at what was pasted; what you type waits for it and comes after it; esc takes it as text now"
}

// unsaved tells what a look has not brought into the form yet, and what becomes of it at quit; ""
// for nothing.
func (q *queue) unsaved() string {
	switch {
	case !q.on:
		return ""
	case q.text == nil:
		return "Compose is still reading the files you chose: quitting does not add them, and submits nothing."
	default:
		return "Compose is still reading what you pasted: quitting keeps it as text, and submits nothing."
	}
}
