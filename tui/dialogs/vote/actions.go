package vote

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs/compare/vote"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/screen"
)

// Scope is that of the dialog's keys and actions.
const Scope = "vote"

// Title is its heading in the help.
const Title = "In a blind vote"

// The actions that buttons, texts and the bottom line name.
const (
	actA      = Scope + ".a"
	actB      = Scope + ".b"
	actTie    = Scope + ".tie"
	actSkip   = Scope + ".skip"
	actUndo   = Scope + ".undo"
	actPlay   = Scope + ".play"
	actZoom   = Scope + ".zoom"
	actRateA  = Scope + ".rate-a"
	actRateB  = Scope + ".rate-b"
	actNote   = Scope + ".note"
	actReveal = Scope + ".reveal"
	actWeb    = Scope + ".web"
	actClose  = Scope + ".close"
)

// Commands is the table of the dialog's actions; no text is typed there.
func Commands() []screen.Command[*Dialog] {
	return []screen.Command[*Dialog]{
		{ID: actA, Title: "A is better (1, too)", Keys: []string{"left"}, Word: "A", Off: offJudge, Do: judge(vote.AnswerA)},
		{ID: actTie, Title: "Tie: neither is better", Keys: []string{"0", " "}, Word: "tie", Off: offJudge, Do: judge(vote.Tie)},
		{ID: actB, Title: "B is better (2, too)", Keys: []string{"right"}, Word: "B", Off: offJudge, Do: judge(vote.AnswerB)},
		{ID: actSkip, Title: "Skip the pair", Keys: []string{"s"}, Word: "skip", Off: offPair, Do: judge(vote.Skip)},
		{ID: actUndo, Title: "Take the last vote back", Keys: []string{"u"}, Word: "undo", Off: offUndo, Do: undo},
		{ID: actPlay, Title: "Play both videos, or pause them", Keys: []string{"p"}, Word: "pause", Off: offPlay, Do: func(d *Dialog) tea.Cmd { return d.stage.toggle() }},
		{ID: Scope + ".again", Title: "Both videos from the start", Keys: []string{"h"}, Off: offPlay, Do: func(d *Dialog) tea.Cmd { return d.stage.again() }},
		{ID: actZoom, Title: "Closer, at the same point of both", Keys: []string{"z"}, Word: "closer", Off: offZoom, Do: screen.Act(func(d *Dialog) { d.stage.closer() })},
		{ID: Scope + ".pan-left", Title: "Both pictures: further left", Keys: []string{"shift+left"}, Off: offPan, Do: pan(-1, 0)},
		{ID: Scope + ".pan-right", Title: "Both pictures: further right", Keys: []string{"shift+right"}, Off: offPan, Do: pan(1, 0)},
		{ID: Scope + ".pan-up", Title: "Both pictures: further up", Keys: []string{"shift+up"}, Off: offPan, Do: pan(0, -1)},
		{ID: Scope + ".pan-down", Title: "Both pictures: further down", Keys: []string{"shift+down"}, Off: offPan, Do: pan(0, 1)},
		{ID: actRateA, Title: "Give A stars", Keys: []string{"a"}, Word: "stars", Off: offPair, Do: screen.Act(func(d *Dialog) { d.rating = vote.A })},
		{ID: actRateB, Title: "Give B stars", Keys: []string{"b"}, Off: offPair, Do: screen.Act(func(d *Dialog) { d.rating = vote.B })},
		{ID: actNote, Title: "Note on the pair, or on the side that gets stars", Keys: []string{"n"}, Word: "note", Off: offPair, Do: note},
		{ID: actReveal, Title: "Show which is which, and the result", Keys: []string{"r"}, Word: "reveal", Off: offOpen, Do: reveal},
		{ID: actWeb, Title: "Judge in the browser: sound, and every pixel", Keys: []string{"w"}, Word: "browser", Off: offWeb, Do: openPage},
		{ID: actClose, Title: "End the vote here; all votes are kept", Keys: []string{"esc"}, Word: "end", Do: back},
	}
}

func offOpen(d *Dialog) string {
	switch {
	case d.failed != nil:
		return sentence(d.failed)
	case d.session == nil:
		return "the vote is being opened"
	}
	return ""
}

func offPair(d *Dialog) string {
	switch {
	case offOpen(d) != "":
		return offOpen(d)
	case d.now.ballot == nil:
		return "nothing is left to judge"
	case d.result:
		return "the result shows; " + d.o.Keys.Keys(actReveal) + " goes on judging"
	}
	return ""
}

// offJudge: who has not seen both does not judge.
func offJudge(d *Dialog) string {
	switch {
	case offPair(d) != "":
		return offPair(d)
	case d.o.Previews == nil:
		return "nothing can be seen here; " + d.o.Keys.Keys(actWeb) + " judges in the browser"
	case !d.stage.ready():
		return "one of them cannot be seen yet; " + d.o.Keys.Keys(actSkip) + " skips the pair"
	}
	return ""
}

func offUndo(d *Dialog) string {
	switch {
	case offOpen(d) != "":
		return offOpen(d)
	case !d.now.progress.Undo && d.now.progress.Revealed:
		return vote.ErrRevealed.Error()
	case !d.now.progress.Undo:
		return vote.ErrNoUndo.Error()
	}
	return ""
}

func offPlay(d *Dialog) string {
	if why := offPair(d); why != "" {
		return why
	}
	return d.stage.offPlay()
}

func offZoom(d *Dialog) string {
	if why := offPair(d); why != "" {
		return why
	}
	return d.stage.offZoom()
}

func offPan(d *Dialog) string {
	if why := offZoom(d); why != "" {
		return why
	}
	if d.stage.zoom == 0 {
		return "all of both shows; " + d.o.Keys.Keys(actZoom) + " goes closer"
	}
	return ""
}

func offWeb(d *Dialog) string {
	switch {
	case offOpen(d) != "":
		return offOpen(d)
	case d.o.Web == nil:
		return "there is no page to open here; darkroom compare vote --web opens one"
	case d.web != nil:
		return "it is open in the browser: " + d.web.address
	}
	return ""
}

func judge(a vote.Answer) func(*Dialog) tea.Cmd {
	return func(d *Dialog) tea.Cmd {
		ballot := d.now.ballot.ID
		if d.judged == ballot { // a key that was pressed twice
			return nil
		}
		d.judged = ballot
		return d.do(func(s *vote.Session) error { return s.Vote(ballot, a) })
	}
}

func undo(d *Dialog) tea.Cmd {
	d.result = false
	return d.do(func(s *vote.Session) error { return s.Undo() })
}

func pan(dx, dy int) func(*Dialog) tea.Cmd {
	return screen.Act(func(d *Dialog) { d.stage.pan(dx, dy) })
}

// noteOn is what a note is on.
type noteOn struct {
	ballot string
	side   vote.Side
}

func note(d *Dialog) tea.Cmd {
	side, b := d.rating, d.now.ballot
	d.rating = vote.Pair
	d.Open(ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "Note", Hint: "It shows in the result. Leave it empty to remove it.", Button: "Keep"},
		Prompt: "note: ", Placeholder: "what to remember", Subject: "On " + name(side), Text: b.Notes[side], About: noteOn{b.ID, side},
	}))
	return nil
}

// reveal asks before the first time, and turns between the pair and the result after that.
func reveal(d *Dialog) tea.Cmd {
	if d.now.result != nil {
		d.result = !d.result || d.now.ballot == nil
		return nil
	}
	d.Open(ask.Decide("Reveal", "The result shows which model is which. Votes after it are marked as seen, and do not count.", "Not yet", "Reveal", nil))
	return nil
}

// back leaves the result, or ends the vote.
func back(d *Dialog) tea.Cmd {
	if d.rating != vote.Pair {
		d.rating = vote.Pair
		return nil
	}
	return d.leave()
}

// OwnKey implements screen.OwnKeys: 1 and 2 are votes, though elsewhere they go to a screen, and digits are
// stars while a side is rated.
func (d *Dialog) OwnKey(k tea.KeyMsg) bool {
	s := k.String()
	return s == "1" || s == "2" || d.rating != vote.Pair && len(s) == 1 && strings.Contains("0345", s)
}

// key takes a key that is bound to nothing.
func (d *Dialog) key(k tea.KeyMsg) tea.Cmd {
	switch own := d.OwnKey(k); {
	case own && d.rating == vote.Pair:
		d.says = ""
		return d.commands.Do(d, map[string]string{"1": actA, "2": actB}[k.String()])
	case !own || d.now.ballot == nil:
		if d.result {
			d.text.Update(k)
		}
		return nil
	}
	side, ballot, stars := d.rating, d.now.ballot.ID, int(k.String()[0]-'0')
	d.rating = vote.Pair
	return d.do(func(s *vote.Session) error { return s.Rate(ballot, side, stars) })
}

func (d *Dialog) click(zone string) tea.Cmd {
	if id, ok := strings.CutPrefix(zone, "btn:"); ok {
		d.says = ""
		return d.commands.Do(d, id)
	}
	return nil
}

// openPage shows the vote in the browser; it goes on here, too.
func openPage(d *Dialog) tea.Cmd {
	ctx, end := context.WithCancel(d.ctx)
	w := &web{end: end}
	d.web = w
	s, serve := d.session, d.o.Web
	came := make(chan webMsg, 2)
	next := func() tea.Msg { return <-came }
	return func() tea.Msg {
		go func() {
			err := serve(ctx, s, func(address string, err error) { came <- webMsg{of: d, web: w, address: address, err: err, next: next} })
			end()
			came <- webMsg{of: d, web: w, err: err, over: true}
		}()
		return next()
	}
}

// page takes what became of the page.
func (d *Dialog) page(msg webMsg) tea.Cmd {
	if msg.web != d.web {
		return nil
	}
	switch {
	case msg.over:
		d.web, d.says = nil, ""
		if msg.err != nil {
			d.says = sentence(msg.err)
		}
		return d.do(func(*vote.Session) error { return nil }) // shows what was judged there
	case msg.err != nil:
		d.says = "Open it in a browser: " + msg.address
	default:
		d.says = "In the browser: " + msg.address
	}
	d.web.address = msg.address
	return msg.next
}
