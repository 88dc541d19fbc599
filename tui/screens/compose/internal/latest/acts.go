package latest

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/charmbracelet/bubbles/key"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/jobs/delivered"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/remote"
	"darkroom/tui/screen"
)

// Scope is that of the pane's actions.
const Scope = "latest"

// Title is the heading of the actions in the help.
const Title = "Compose: latest results"

// Actions of the pane.
const (
	actPlay   = Scope + ".play"
	actZoom   = Scope + ".zoom"
	actStar   = Scope + ".star"
	actReject = Scope + ".reject"
	actSeed   = Scope + ".seed"
	actUse    = Scope + ".use"
	actTake   = Scope + ".take"
	actQueue  = Scope + ".queue"
	actCopy   = Scope + ".copy-path"
	actNext   = Scope + ".next"
	actPrev   = Scope + ".prev"
	actPlayer = Scope + "." + remote.Toggle
)

// Commands is the table of what can be done with a result in place. The capital letters with alt work
// from the form as well, where plain letters are typed.
func Commands() []screen.Command[*Pane] {
	return []screen.Command[*Pane]{
		{ID: actPlay, Title: "Play the latest result, or pause it", Keys: []string{"m", " ", "alt+M"}, Word: "play", Off: ofJob(offPlay), Do: (*Pane).play},
		{ID: actZoom, Title: "Zoom the latest result, or back", Keys: []string{"w", "alt+W"}, Word: "zoom", Off: ofJob(nil), Do: screen.Act(func(p *Pane) { p.around.Whole() })},
		{ID: actStar, Title: "Star or unstar the latest result", Keys: []string{"*"}, Word: "star", Off: ofJob(offKeep), Do: (*Pane).star},
		{ID: actReject, Title: "Reject the latest result", Keys: []string{"x", "alt+X"}, Word: "reject", Off: ofJob(offReject), Do: (*Pane).reject},
		{ID: actSeed, Title: "Use the seed of the latest result", Keys: []string{"s", "alt+S"}, Word: "seed", Off: ofJob(offSeed), Do: (*Pane).seed},
		{ID: actUse, Title: "Take the latest result as a reference", Keys: []string{"u", "alt+U"}, Word: "use", Off: ofJob(offUse), Do: func(p *Pane) tea.Cmd { return p.around.Use(p.Job().ID) }},
		{ID: actTake, Title: "Take all of the latest job into the form", Keys: []string{"c"}, Word: "reuse", Off: ofJob(offTake), Do: func(p *Pane) tea.Cmd { return p.around.Draft(p.Job()) }},
		{ID: actQueue, Title: "Show the latest result in Queue", Keys: []string{"enter", "g", "alt+G"}, Word: "Queue", Off: ofJob(nil),
			Do: func(p *Pane) tea.Cmd { return screen.Open(screen.Queue, screen.ShowJob{JobID: p.Job().ID}) }},
		{ID: actCopy, Title: "Copy the path of the latest result", Keys: []string{"y"}, Word: "copy path", Off: ofJob(offCopy), Do: (*Pane).copyPath},
		{ID: actPlayer, Title: "Play the latest result in the player, or pause it", Keys: []string{"P"}, Off: ofJob(func(p *Pane, j *jobs.Job) string { return p.outside.Off(remote.Toggle, j) }),
			Do: func(p *Pane) tea.Cmd { return p.outside.Do(remote.Toggle, p.Job()) }},
		{ID: actNext, Title: "Older result", Keys: []string{"right", "l", "pgdown"}, Off: ofJob(nil), Do: screen.Act(func(p *Pane) { p.step(1) })},
		{ID: actPrev, Title: "Newer result", Keys: []string{"left", "h", "pgup"}, Off: ofJob(nil), Do: screen.Act(func(p *Pane) { p.step(-1) })},
	}
}

// Lookup is the action of a key: of any while the pane has the keys, else of one with alt.
func (p *Pane) Lookup(k tea.KeyMsg) (id string, ok bool) {
	if k.Paste || !p.focused && !k.Alt {
		return "", false
	}
	return p.commands.Lookup(k.String())
}

// Do carries out an action, or says why it cannot be done now; it does nothing for an ID of another
// table.
func (p *Pane) Do(id string) tea.Cmd { return p.commands.Do(p, id) }

// Actions are those of the palette.
func (p *Pane) Actions() []screen.Action {
	if p.o.History == nil {
		return nil
	}
	return p.commands.Actions(p)
}

// ShortHelp is what the keys do while the pane has them, beside those that stand below the picture.
func (p *Pane) ShortHelp() []key.Binding {
	all := []string{actPlay, actZoom, actStar, actReject, actSeed, actUse, actTake, actQueue, actCopy}
	fit := p.fitting()
	out := p.commands.LineNow(p, slices.DeleteFunc(all, func(id string) bool { return slices.Contains(fit, id) })...)
	if len(p.list()) > 1 {
		out = slices.Insert(out, 0, keys.Fixed("←→", "older, newer"))
	}
	return slices.Insert(out, 0, keys.Fixed("esc", "form"))
}

// ofJob turns a rule about the job that is looked at into one about the pane; nil allows any job.
func ofJob(off func(*Pane, *jobs.Job) string) func(*Pane) string {
	return func(p *Pane) string {
		j := p.Job()
		switch {
		case j == nil:
			return "there is no result of this kind yet"
		case off == nil:
			return ""
		}
		return off(p, j)
	}
}

// result is the first saved file of a job.
func result(j *jobs.Job) (jobs.Result, bool) {
	if all := j.Results(); len(all) > 0 {
		return all[0], true
	}
	return jobs.Result{}, false
}

func offPlay(p *Pane, j *jobs.Job) string {
	r, ok := result(j)
	switch {
	case !ok:
		return "no file of this job is on the disk to play"
	case r.Kind == client.AssetAudio:
		return p.outside.Off(remote.Toggle, j)
	case r.Kind != client.AssetVideo:
		return "a picture does not play; " + p.commands.Key(actZoom) + " shows it on the whole screen"
	case p.o.Previews == nil:
		return "there are no previews here; " + p.commands.Key(actPlayer) + " plays it in the player"
	case p.o.Previews.Mode(p.o.Styles).Colors == preview.NoColor:
		return "videos play here in colours only; " + p.commands.Key(actPlayer) + " plays it in the player"
	}
	return ""
}

// play plays a video in its place, and a sound in the player.
func (p *Pane) play() tea.Cmd {
	j := p.Job()
	if r, _ := result(j); r.Kind == client.AssetAudio {
		return p.outside.Do(remote.Toggle, j)
	}
	if p.w == 0 {
		p.around.Whole() // or nobody would see it
	}
	p.touch()
	return p.film.Toggle(p.stage(j))
}

func offKeep(p *Pane, _ *jobs.Job) string {
	if p.o.Keeper == nil {
		return "nothing can be kept here"
	}
	return ""
}

// doneMsg is the outcome of what was done to a job.
type doneMsg struct {
	what, done string // done is said of what the pane does not show by itself
	err        error
}

func (d doneMsg) said() tea.Cmd {
	if d.err != nil {
		return screen.Toast(screen.Bad, d.what+" did not work: "+client.CleanLine(d.err.Error()))
	}
	if d.done == "" {
		return nil
	}
	return screen.Toast(screen.Info, d.done)
}

// actWait bounds what is done to a job.
const actWait = 10 * time.Second

// each does something to a job in a command.
func each(what, done string, do func(context.Context) error) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), actWait)
		defer stop()
		return doneMsg{what, done, do(ctx)}
	}
}

func (p *Pane) star() tea.Cmd {
	j, keeper := p.Job(), p.o.Keeper
	id, add, remove := j.ID, []string{jobs.Star}, []string(nil)
	if j.Starred() {
		add, remove = remove, add
	}
	return each("the star", "", func(ctx context.Context) error { return keeper.Tag(ctx, id, add, remove) })
}

// Rejecter rejects jobs, or takes that back; see [jobs.Keeper].
type Rejecter interface {
	Reject(ctx context.Context, ids []string, on bool) error
}

// Reject is what a question about a reject is about.
type Reject struct{ id string }

func offReject(p *Pane, j *jobs.Job) string {
	if _, ok := p.o.Keeper.(Rejecter); !ok {
		return "nothing can be rejected here"
	}
	return jobs.WhyNot(jobs.ActReject, j)
}

// reject rejects the result that is looked at; the first time it asks.
func (p *Pane) reject() tea.Cmd {
	about := Reject{p.Job().ID}
	if p.asked {
		return p.Rejected(about)
	}
	return p.around.Ask(ask.Decide("Reject this result?", "It leaves the lists at once, and its files are removed when the console ends. Until then "+
		p.o.Keys.Keys(p.o.Undo)+" takes that back. You are asked this once.", "Keep it", "Reject", about))
}

// Rejected rejects what a question was about, since the answer was yes.
func (p *Pane) Rejected(about Reject) tea.Cmd {
	p.asked = true
	p.gone = append(p.gone, about.id)
	p.around.Rejected()
	return p.setRejected(about.id, true, saidRejected(p))
}

func saidRejected(p *Pane) string {
	return "rejected; " + p.o.Keys.Keys(p.o.Undo) + " takes it back"
}

func (p *Pane) setRejected(id string, on bool, said string) tea.Cmd {
	r, ok := p.o.Keeper.(Rejecter)
	if !ok {
		return nil
	}
	return each("the reject", said, func(ctx context.Context) error { return r.Reject(ctx, []string{id}, on) })
}

// CanRestore reports whether something was rejected here that can be taken back.
func (p *Pane) CanRestore() bool { return len(p.gone) > 0 }

// Restore takes the last reject back.
func (p *Pane) Restore() tea.Cmd {
	n := len(p.gone) - 1
	id := p.gone[n]
	p.gone = p.gone[:n]
	return tea.Batch(screen.Untoast(saidRejected(p)), p.setRejected(id, false, "the rejected result is back"))
}

// seedOf is the seed that a job was sent with, "" for none.
func seedOf(j *jobs.Job) string {
	seed, _ := j.Draft.Values.Text(expand.FieldSeed)
	return seed
}

// Answers has the answers of the gateway about jobs.
type Answers interface {
	Detail(ctx context.Context, id string) (jobs.Detail, error)
}

func offSeed(p *Pane, j *jobs.Job) string {
	_, ok := p.o.History.(Answers)
	if seedOf(j) == "" && (!ok || j.State != jobs.Completed) {
		return "this job was sent without a seed; what the gateway drew is known once it is made"
	}
	return p.around.OffSeed()
}

// seedMsg is the seed that the gateway drew for a job.
type seedMsg struct {
	seed string
	err  error
}

// seed puts the seed of a result into the form: the one that it was sent with, else the one that the
// answer names.
func (p *Pane) seed() tea.Cmd {
	j := p.Job()
	if seed := seedOf(j); seed != "" {
		return p.around.Seed(seed)
	}
	answers, _ := p.o.History.(Answers)
	id := j.ID
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), actWait)
		defer stop()
		d, err := answers.Detail(ctx, id)
		return seedMsg{delivered.Seed(d.Answer), err}
	}
}

func takeDrawn(p *Pane, msg seedMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return screen.Toast(screen.Bad, "the seed was not read: "+client.CleanLine(msg.err.Error()))
	case msg.seed == "":
		return screen.Toast(screen.Warn, "the gateway does not tell which seed it drew; with a seed in the form, the next one is known")
	case p.around.OffSeed() != "": // the form is another one now
		return screen.Toast(screen.Warn, p.around.OffSeed())
	}
	return p.around.Seed(msg.seed)
}

func offUse(_ *Pane, j *jobs.Job) string {
	if _, err := chain.Take(j, chain.Reference); err != nil {
		return err.Error()
	}
	return ""
}

func offTake(_ *Pane, j *jobs.Job) string { return jobs.WhyNot(jobs.ActCompose, j) }

func offCopy(_ *Pane, j *jobs.Job) string {
	if j.OpenPath() == "" {
		return "no file of this job is on the disk"
	}
	return ""
}

func (p *Pane) copyPath() tea.Cmd {
	path := p.Job().OpenPath()
	return func() tea.Msg { return screen.CopyMsg{Text: path, What: "the path"} }
}
