// Package vote is the dialog of a blind vote: two results of one prompt side by side, as pictures and
// moving videos, judged by keys, without a word of what made them. Sound, and 4K, are judged on the page
// that it can open in the browser, which shows the same vote.
package vote

import (
	"context"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs/compare/vote"
	"darkroom/jobs/compare/vote/neutral"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/scroll"
)

// Options are what the dialog works with.
type Options struct {
	// Open opens the vote, in a command; the dialog closes what it opens.
	Open func() (*vote.Session, error)
	// Previews draws the two sides; nil draws none.
	Previews *preview.Loader
	Keys     keys.Map
	// Web shows the vote in the browser until the judge ends it there or the context ends, as
	// [darkroom/jobs/compare/vote/page.Show] does; told is told the address. nil where there is no browser.
	Web func(ctx context.Context, s *vote.Session, told func(address string, err error)) error
}

// Dialog is the dialog. Make it with [New], open it on the stack of a screen; it answers nothing, and
// every vote is kept before the next pair shows.
type Dialog struct {
	screen.Base
	o        Options
	commands screen.Commands[*Dialog]
	stage    stage

	ctx    context.Context //nolint:containedctx // of what the dialog has started
	cancel context.CancelFunc

	session *vote.Session // nil until it is open, and once it is closing
	now     scene
	rating  vote.Side    // the side that stars are typed for
	doing   bool         // an act is on its way to the session
	waiting []act        // and these come after it
	judged  string       // the ballot that was answered last
	says    string       // a line for the person
	result  bool         // the result shows
	text    scroll.Model // of the result
	web     *web         // the page in the browser; nil for none
	failed  error        // why there is no vote
}

// act is something to do with the session, in a command.
type act func(*vote.Session) error

// scene is how the vote stands.
type scene struct {
	ballot   *vote.Ballot // nil when every pair had its turn
	progress vote.Progress
	result   *vote.Result // after the reveal
}

// web is the page while it is open.
type web struct {
	address string
	end     context.CancelFunc
}

// New is the dialog of a vote. A screen opens it with the session of a run and a judge, from a row of its
// table; [Commands] stands in the screen's entry of tui/app/registry.go:
//
//	m.dialogs.Open(vote.New(vote.Options{
//		Open:     func() (*judging.Session, error) { return judging.Open(dir, run, judge) },
//		Previews: deps.Previews, Keys: deps.Keys, Web: page.Show,
//	}))
//
// The screen's Flush calls that of its stack, so that no copies stay when the console ends.
func New(o Options) *Dialog {
	ctx, cancel := context.WithCancel(context.Background())
	d := &Dialog{o: o, commands: screen.Bind(o.Keys, Commands()), ctx: ctx, cancel: cancel, rating: vote.Pair}
	d.stage.loader = o.Previews
	return d
}

// Messages of the dialog's commands; each says whose it is.
type (
	openedMsg struct {
		of      *Dialog
		session *vote.Session
		now     scene
		err     error
	}
	sceneMsg struct {
		of  *Dialog
		now scene
		err error
	}
	mediaMsg struct {
		of     *Dialog
		ballot string
		sides  [2]neutral.File
		err    error
	}
	webMsg struct {
		of      *Dialog
		web     *web
		address string
		err     error
		over    bool
		next    func() tea.Msg
	}
	closedMsg struct{ of *Dialog }
)

// To implements screen.Addressed.
func (m openedMsg) To() screen.Dialog { return m.of }

// Missed implements screen.Addressed: nobody judges any more.
func (m openedMsg) Missed() tea.Cmd {
	return func() tea.Msg {
		if m.session != nil {
			_ = m.session.Close()
		}
		return nil
	}
}

// Init implements screen.Dialog.
func (d *Dialog) Init() tea.Cmd {
	return func() tea.Msg {
		s, err := d.o.Open()
		if err != nil {
			return openedMsg{of: d, err: err}
		}
		now, err := look(s)
		return openedMsg{of: d, session: s, now: now, err: err}
	}
}

// look reads how a vote stands.
func look(s *vote.Session) (now scene, err error) {
	if b, ok := s.Ballot(); ok {
		now.ballot = &b
	}
	if now.progress = s.Progress(); now.progress.Revealed {
		r, err := s.Reveal()
		if err != nil {
			return now, err
		}
		now.result = &r
	}
	return now, nil
}

// Scope implements screen.Dialog.
func (d *Dialog) Scope() string { return Scope }

// Update implements screen.Dialog.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	cmd := d.update(msg)
	return tea.Batch(cmd, d.stage.fit(d.room()))
}

func (d *Dialog) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return d.key(msg)
	case screen.ActionMsg:
		d.says = ""
		return d.commands.Do(d, msg.ID)
	case screen.ClickMsg:
		return d.click(msg.Zone)
	case screen.WheelMsg:
		d.text.Wheel(msg.Delta)
	case ask.Agreed:
		return d.do(func(s *vote.Session) error { _, err := s.Reveal(); return err })
	case ask.Typed:
		side, _ := msg.About.(noteOn)
		return d.do(func(s *vote.Session) error { return s.Note(side.ballot, side.side, msg.Text) })
	case screen.AwayMsg:
		return d.stage.rest(msg.Away)
	case screen.HiddenMsg:
		return d.stage.rest(true)
	case screen.ShownMsg:
		return d.stage.rest(false)
	case openedMsg, sceneMsg, mediaMsg, webMsg, closedMsg:
		return d.came(msg)
	default:
		return d.stage.take(msg)
	}
	return nil
}

// came takes the answer of one of the dialog's commands.
func (d *Dialog) came(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case openedMsg:
		if d.failed = msg.err; msg.session != nil && msg.err != nil {
			return closing(d, msg.session)
		}
		if d.session = msg.session; msg.err == nil {
			return d.show(msg.now)
		}
	case sceneMsg:
		if msg.of == d {
			return d.did(msg)
		}
	case mediaMsg:
		if msg.of == d && d.now.ballot != nil && d.now.ballot.ID == msg.ballot {
			if msg.err != nil {
				d.says = sentence(msg.err) + " " + d.o.Keys.Keys(actSkip) + " skips the pair."
				return nil
			}
			return d.stage.set(msg.sides, d.Styles)
		}
	case webMsg:
		if msg.of == d {
			return d.page(msg)
		}
	case closedMsg:
		if msg.of == d {
			d.Close()
		}
	}
	return nil
}

// sentence is an error as one.
func sentence(err error) string { return client.CleanLine(err.Error()) + "." }

// do has something done with the session, after what is on its way.
func (d *Dialog) do(a act) tea.Cmd {
	if d.session == nil {
		return nil
	}
	if d.doing {
		d.waiting = append(d.waiting, a)
		return nil
	}
	d.doing = true
	s := d.session
	return func() tea.Msg {
		err := a(s)
		now, broken := look(s)
		if err == nil {
			err = broken
		}
		return sceneMsg{of: d, now: now, err: err}
	}
}

// did goes on after an act.
func (d *Dialog) did(msg sceneMsg) tea.Cmd {
	d.doing = false
	if msg.err != nil {
		d.says, d.judged = sentence(msg.err), ""
	}
	cmd := d.show(msg.now)
	if len(d.waiting) == 0 {
		return cmd
	}
	next := d.waiting[0]
	d.waiting = d.waiting[1:]
	return tea.Batch(cmd, d.do(next))
}

// show shows how the vote stands; another pair is made ready.
func (d *Dialog) show(now scene) tea.Cmd {
	before, revealed := d.now.ballot, d.now.result != nil
	d.now = now
	if now.result != nil && !revealed || now.ballot == nil && now.result != nil {
		d.result = true
	}
	d.fill()
	if now.ballot == nil {
		d.stage.clear()
		return nil
	}
	if before != nil && before.ID == now.ballot.ID {
		return nil
	}
	d.rating = vote.Pair
	d.stage.clear()
	if d.o.Previews == nil {
		return nil
	}
	s, ctx, ballot := d.session, d.ctx, now.ballot.ID
	return func() tea.Msg {
		sides, err := s.Media(ctx, ballot)
		return mediaMsg{of: d, ballot: ballot, sides: sides, err: err}
	}
}

// closing closes a session, and then the dialog.
func closing(d *Dialog, s *vote.Session) tea.Cmd {
	return func() tea.Msg {
		_ = s.Close()
		return closedMsg{d}
	}
}

// leave ends the vote here; every vote is kept.
func (d *Dialog) leave() tea.Cmd {
	s := d.session
	if s == nil {
		d.Close()
		return nil
	}
	d.end()
	return closing(d, s)
}

// end stops all that the dialog has started.
func (d *Dialog) end() {
	d.session = nil
	d.cancel()
	d.stage.clear()
}

// Closed implements screen.Dialog.
func (d *Dialog) Closed() {
	s := d.session
	d.end()
	if s != nil {
		go func() { _ = s.Close() }()
	}
}

// Flush implements screen.Flusher: it removes the copies of what was judged.
func (d *Dialog) Flush() error {
	s := d.session
	d.end()
	if s == nil {
		return nil
	}
	return s.Close()
}

// Actions implements screen.Dialog.
func (d *Dialog) Actions() []screen.Action { return d.commands.Actions(d) }

// ShortHelp implements screen.Dialog.
func (d *Dialog) ShortHelp() []key.Binding {
	if d.rating != vote.Pair {
		return []key.Binding{keys.Fixed("1-5", "stars for "+name(d.rating)), keys.Fixed("0", "none"), keys.Fixed("n", "note on "+name(d.rating)), keys.Fixed("esc", "leave it")}
	}
	line := d.commands.LineNow(d, actTie, actSkip, actUndo, actReveal, actClose)
	if offJudge(d) == "" {
		line = append([]key.Binding{keys.Fixed("1", "A"), keys.Fixed("2", "B")}, line...)
	}
	return line
}

func name(s vote.Side) string {
	return map[vote.Side]string{vote.A: "A", vote.B: "B", vote.Pair: "the pair"}[s]
}
