// Package improve is the dialog in which a chat model improves a prompt: the question and the
// model, the answer as it arrives, and its parts, which are accepted one by one.
package improve

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/improve"
	"darkroom/client/kept"
	"darkroom/tui/dialogs/models"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/talk"
)

// Talks keeps the questions to a chat model and its answers where the person finds them again.
// Keep returns the id that it is kept under.
type Talks interface {
	Keep(improve.Talk) (id string, err error)
}

// partPause is the time between two looks at what came of an answer.
const partPause = 100 * time.Millisecond

// closeWait bounds the wait at the end for the part of an answer that the client has.
const closeWait = 300 * time.Millisecond

// Options are what the dialog works with.
type Options struct {
	Chat     talk.Gateway
	Talks    Talks // nil keeps nothing
	Keys     keys.Map
	Now      func() time.Time // nil tells no time
	Modality client.Modality
	// Model is the chat model to ask, "" for one that is yet to be chosen.
	Model string
	// Models makes the choice of a chat model, with one under the cursor.
	Models func(at string) *models.Dialog
	// Prompt is the prompt as it stands now.
	Prompt func() string
	// Free: nothing is paid for a question.
	Free bool
	// Blocked says why nothing may be asked now, "" when it may.
	Blocked func() string
}

// Asks is an answer: this chat model is asked from now on.
type Asks struct{ Model string }

// Taken is the answer that ends the dialog: the prompt with the accepted parts. Parts of Of
// changes were accepted.
type Taken struct {
	Prompt    string
	Parts, Of int
}

// Said tells the person what was accepted.
func (t Taken) Said() string {
	return fmt.Sprintf("%d of %s taken; ctrl+_ brings the prompt back", t.Parts, human.Plural(t.Of, "change"))
}

// phase is a stage of improving a prompt.
type phase int

const (
	ready     phase = iota // shows the question and the model; nothing is sent
	running                // still waiting for an answer
	comparing              // the answer is being compared with the prompt
	review                 // its parts are accepted or rejected
	failed
)

// Dialog is the dialog. Nothing is sent before the person says so.
type Dialog struct {
	screen.Base
	o        Options
	commands screen.Commands[*Dialog]
	phase    phase

	prompt   string       // the prompt that was asked about, or compared with
	stream   *talk.Stream // nil when no answer is on its way
	stopping bool
	text     string // the text received
	kept     improve.Talk
	pause    time.Duration

	parts   []improve.Part
	changes []int        // of parts
	take    map[int]bool // by part
	at      int          // of changes: the one under the cursor

	trouble, advice string
}

// Off says why a prompt cannot be improved, "" when it can.
func Off(prompt string) string {
	if strings.TrimSpace(prompt) == "" {
		return "there is no prompt to improve yet"
	}
	return tooLong("the prompt", prompt)
}

// New is the dialog.
func New(o Options) *Dialog {
	return &Dialog{o: o, commands: screen.Bind(o.Keys, Commands()), prompt: o.Prompt(), pause: partPause}
}

// Init implements screen.Dialog.
func (d *Dialog) Init() tea.Cmd {
	if d.o.Model == "" {
		d.Open(d.o.Models(""))
	}
	return nil
}

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg: // the others are actions
	case screen.ActionMsg:
		return d.commands.Do(d, msg.ID)
	case screen.ClickMsg:
		return d.click(msg.Zone)
	case models.Picked:
		d.asks(msg.ID)
	case talk.PartMsg:
		return d.came(msg)
	case comparedMsg:
		d.compared(msg)
	}
	return nil
}

// asks sets the chat model for this prompt and for later ones.
func (d *Dialog) asks(model string) {
	switch {
	case model != "":
		d.o.Model = model
		d.Answer(Asks{model})
	case d.o.Model == "":
		d.Close()
	}
}

// ask sends the question, once. The question is recorded first; where that fails nothing is sent.
func (d *Dialog) ask() tea.Cmd {
	if why := d.o.Blocked(); why != "" {
		return screen.Toast(screen.Warn, "not asked: "+why)
	}
	req := improve.Request(d.o.Model, d.prompt, d.o.Modality)
	s, ctx := talk.New()
	d.phase, d.stream, d.stopping, d.text, d.trouble, d.advice = running, s, false, "", "", ""
	d.kept = improve.Talk{Model: d.o.Model, System: req.Messages[0].Content, Asked: d.prompt, Title: talk.Title(d.prompt), At: d.now(), State: kept.Arriving}
	var before func() error
	if keep := d.o.Talks; keep != nil {
		kept := d.kept
		before = func() error {
			id, err := keep.Keep(kept)
			s.SetTag(id)
			return err
		}
	}
	return tea.Batch(talk.Run(ctx, d.o.Chat, req, s, before), talk.Next(s, 0))
}

func (d *Dialog) now() time.Time {
	if d.o.Now == nil {
		return time.Time{}
	}
	return d.o.Now()
}

// stop gives up the answer, or leaves the dialog; the prompt is unchanged. Where the gateway's
// side does not end by itself, a second stop ends it here.
func (d *Dialog) stop() tea.Cmd {
	if d.stream == nil {
		d.Close()
		return nil
	}
	d.stream.Cancel()
	if !d.stopping {
		d.stopping = true
		return nil // the end comes as the last part does
	}
	p := d.stream.Look()
	p.Over = true
	return d.over(p)
}

// apply answers with the accepted parts. If the prompt was changed meanwhile, they are located
// anew.
func (d *Dialog) apply() tea.Cmd {
	n := d.accepted()
	if n == 0 {
		k := d.o.Keys
		return screen.Toast(screen.Info, "nothing is chosen: "+k.Keys(actToggle)+" chooses one, "+
			k.Keys(actAll)+" all, "+k.Keys(actClose)+" leaves the prompt as it was")
	}
	if now := d.o.Prompt(); now != d.prompt {
		cmd := d.compare(now)
		if d.phase != comparing {
			return cmd
		}
		return tea.Batch(cmd, screen.Toast(screen.Warn, "the prompt was changed meanwhile: these are the parts that differ from it now"))
	}
	d.Answer(Taken{Prompt: improve.Compose(d.parts, d.takes), Parts: n, Of: len(d.changes)})
	d.Close()
	return nil
}

// takes reports whether a part was chosen.
func (d *Dialog) takes(part int) bool { return d.take[part] }

func (d *Dialog) accepted() int {
	n := 0
	for _, c := range d.changes {
		if d.take[c] {
			n++
		}
	}
	return n
}

// Keep implements screen.Keeper: an answer that was paid for stays.
func (d *Dialog) Keep() bool { return d.busy() || d.phase == review }

// Unsaved implements screen.Unsaved.
func (d *Dialog) Unsaved() string {
	if !d.busy() {
		return ""
	}
	return "An improved prompt is on its way in Compose: quitting stops it, and Chat keeps what has come."
}

// Flush implements screen.Flusher: it ends a question that is under way, and keeps the text
// received.
func (d *Dialog) Flush() error {
	if d.stream == nil {
		return nil
	}
	d.stopping = true
	d.stream.Cancel()
	d.stream.Wait(closeWait)
	d.end(d.stream.Look())
	if d.o.Talks == nil || d.kept.ID == "" {
		return nil
	}
	_, err := d.o.Talks.Keep(d.kept)
	return err
}
