package preview

import (
	"errors"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// How often a playing video shows another frame: in cells or on a canvas that scales, and where
// each frame costs the canvas all of its pixels.
const (
	playEvery     = 100 * time.Millisecond
	playEverySlow = 500 * time.Millisecond
)

// playState is the state of a [Play].
type playState uint8

const (
	stopped playState = iota
	decoding
	paused
	playing
)

// Play plays a video in one place of a screen, again and again, until it is stopped. Its frames are
// drawn in commands; the screen passes their answers to [Play.Handle] and shows [Play.Lines]. It is
// used by bubbletea's loop only. The zero Play with a Loader is stopped.
type Play struct {
	Loader *Loader
	// Now is the clock; nil for time.Now.
	Now func() time.Time
	// Round is how long a round takes at least: a shorter video holds its last picture until then. So two
	// videos that begin together also begin anew together. The zero Round is as long as the video.
	Round time.Duration

	req     Request
	state   playState
	resting bool // nobody looks: no frame is made
	then    playState
	clip    *Clip
	err     error

	turn  int64
	from  time.Time // when frame base was due
	base  int
	frame int // the one that shows
	lines []string
}

// frameMsg brings a frame that is due.
type frameMsg struct {
	clip  *Clip
	turn  int64
	frame int
	lines []string
	err   error
}

// Active reports whether there is something to show or on its way: a frame, or what went
// wrong.
func (p *Play) Active() bool { return p.state != stopped || p.err != nil }

// Playing reports whether frames follow one another: not while it rests.
func (p *Play) Playing() bool { return p.state == playing && !p.resting }

// Of reports whether it plays, or tried to play, a file.
func (p *Play) Of(path string) bool { return p.Active() && p.req.Path == path }

// Err returns why the last video does not play, nil if it does.
func (p *Play) Err() error { return p.err }

// Toggle plays the video of a request, pauses it, or goes on. If it rests, it goes on only when it
// is woken.
func (p *Play) Toggle(r Request) tea.Cmd {
	switch {
	case !p.Of(r.Path) || p.state == stopped:
		return p.load(r, playing, 0)
	case p.state == decoding && p.resting:
		p.then = playing
		return nil
	case p.state == decoding:
		p.then = paused + playing - p.then
		return nil
	case p.Playing():
		p.state = paused
		p.next()
		return nil
	default:
		return p.run()
	}
}

// Step pauses and moves by n frames, back if n is negative.
func (p *Play) Step(r Request, n int) tea.Cmd {
	if !p.Of(r.Path) || p.state == stopped {
		return p.load(r, paused, 0)
	}
	if p.state == decoding {
		p.then = paused
		return nil
	}
	p.state = paused
	count := p.clip.Frames
	return p.draw((p.frame+n%count+count)%count, 0)
}

// Fit adapts to another size or mode of the place; if the place shows another file, it stops.
func (p *Play) Fit(r Request) tea.Cmd {
	switch {
	case !p.Active() || r.Key() == p.req.Key():
		return nil
	case r.Path != p.req.Path || p.state == stopped:
		p.Stop()
		return nil
	}
	then, at := p.state, p.frame
	if then == decoding {
		then = p.then
	}
	return p.load(r, then, at)
}

// Rest pauses drawing while nobody looks, until Wake.
func (p *Play) Rest() {
	if !p.resting {
		p.resting = true
		p.next()
	}
}

// Wake goes on after Rest.
func (p *Play) Wake() tea.Cmd {
	if !p.resting {
		return nil
	}
	p.resting = false
	if p.state == playing {
		return p.run()
	}
	return nil
}

// Stop ends the playing, and frees what it holds.
func (p *Play) Stop() {
	if p.Loader != nil && p.state == decoding {
		p.Loader.Cancel(p.req.Slot)
	}
	p.next()
	if p.clip != nil {
		go p.clip.close() // it waits for a frame that is being drawn
	}
	p.clip, p.state, p.err, p.lines, p.frame, p.req = nil, stopped, nil, nil, 0, Request{}
}

func (p *Play) load(r Request, then playState, at int) tea.Cmd {
	p.Stop()
	p.req, p.state, p.then, p.frame = r, decoding, then, at
	return p.Loader.Clip(r)
}

// next begins a new turn, so that all frames on their way are dropped, and returns its number.
func (p *Play) next() int64 {
	p.turn++
	if p.clip != nil {
		p.clip.turn.Store(p.turn)
	}
	return p.turn
}

// Handle takes a message, and reports whether it was for this Play and whether the screen has to
// draw anew: the pixels of a canvas change under lines that stay.
func (p *Play) Handle(msg tea.Msg) (cmd tea.Cmd, mine, changed bool) {
	lines, text := p.lines, p.Text()
	if cmd, mine = p.handle(msg); !mine {
		return nil, false, false
	}
	same := len(lines) > 0 && len(p.lines) > 0 && &lines[0] == &p.lines[0]
	return cmd, true, !same || text != p.Text()
}

func (p *Play) handle(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case ClipMsg:
		if p.state != decoding || msg.Slot != p.req.Slot || msg.Key != p.req.Key() {
			if msg.Clip != nil && msg.Slot == p.req.Slot {
				go msg.Clip.close()
			}
			return nil, msg.Slot == p.req.Slot
		}
		return p.came(msg), true
	case frameMsg:
		if msg.clip != p.clip || msg.turn != p.turn {
			return nil, false
		}
		return p.shown(msg), true
	}
	return nil, false
}

func (p *Play) came(msg ClipMsg) tea.Cmd {
	if msg.Err != nil {
		p.state, p.err = stopped, msg.Err
		return nil
	}
	p.clip, p.state = msg.Clip, p.then
	p.frame = min(p.frame, p.clip.Frames-1)
	if p.state == playing && !p.resting {
		p.begin()
	}
	return p.draw(p.frame, 0) // the first one at once
}

func (p *Play) shown(msg frameMsg) tea.Cmd {
	if msg.err != nil {
		if errors.Is(msg.err, errTurn) {
			return nil
		}
		r := p.req
		p.Stop()
		p.req, p.err = r, msg.err
		return nil
	}
	p.frame, p.lines = msg.frame, msg.lines
	if p.state != playing || p.resting {
		return nil
	}
	return p.due()
}

// run plays on from the frame that shows.
func (p *Play) run() tea.Cmd {
	p.state = playing
	if p.resting {
		return nil
	}
	p.next()
	p.begin()
	return p.due()
}

// begin sets the clock: the frame that shows is due now.
func (p *Play) begin() { p.base, p.from = p.frame, p.now() }

// due draws the next frame when its time has come. Frames for which there was no time are skipped,
// so that the video keeps its pace.
func (p *Play) due() tea.Cmd {
	every := playEvery
	if p.clip.canvas != nil && p.clip.key.Mode.Surface.Exact {
		every = playEverySlow
	}
	every = max(every, time.Duration(float64(time.Second)/p.clip.Rate))
	at := p.now().Sub(p.from)/every + 1
	offset := at * every
	n := p.base + int(offset.Seconds()*p.clip.Rate+0.5)
	return p.drawAt(p.inRound(n), p.turn, p.from.Add(offset).Sub(p.now()))
}

// inRound is the picture that shows when n have been due.
func (p *Play) inRound(n int) int {
	round := max(p.clip.Frames, int(p.Round.Seconds()*p.clip.Rate+0.5))
	return min(n%round, p.clip.Frames-1)
}

// draw shows a frame in place of all that are on their way.
func (p *Play) draw(n int, in time.Duration) tea.Cmd { return p.drawAt(n, p.next(), in) }

func (p *Play) drawAt(n int, turn int64, in time.Duration) tea.Cmd {
	clip := p.clip
	return func() tea.Msg {
		if in > 0 {
			timer := time.NewTimer(in)
			defer timer.Stop()
			<-timer.C
		}
		lines, err := clip.frame(n, turn)
		return frameMsg{clip, turn, n, lines, err}
	}
}

// Length returns how long the video that shows plays, 0 before that is known.
func (p *Play) Length() time.Duration {
	if p.clip == nil {
		return 0
	}
	return p.clip.Length()
}

// Lines returns the frame that is shown, exactly as large as was asked for; nil before the first.
func (p *Play) Lines() []string { return p.lines }

// Text says how far the video is, such as "▶ 1 of 5.0 s"; while paused it names the frame as well.
func (p *Play) Text() string {
	switch {
	case p.err != nil:
		return "does not play"
	case p.state == decoding:
		return "decoding …"
	case p.clip == nil:
		return ""
	}
	whole := ""
	if !p.clip.Whole {
		whole = ", the beginning"
	}
	at := float64(p.frame) / p.clip.Rate
	text := fmt.Sprintf("%.1f of %.1f s%s", at, p.clip.Length().Seconds(), whole)
	if p.state == playing { // in whole seconds, so that not every frame changes the text
		return fmt.Sprintf("▶ %d of %.1f s%s", int(at), p.clip.Length().Seconds(), whole)
	}
	return fmt.Sprintf("‖ %s · %d/%d", text, p.frame+1, p.clip.Frames)
}

func (p *Play) now() time.Time {
	if p.Now != nil {
		return p.Now()
	}
	return time.Now()
}
