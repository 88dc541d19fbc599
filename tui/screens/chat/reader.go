package chat

import (
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/kept"
	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// place is a line of the conversation: of a block of a message.
type place struct{ msg, block, line int }

// reader is the part of the conversation that shows. It knows only the place of its first line, so
// that nothing out of sight has to be laid out.
type reader struct {
	of   *exchange
	ink  *inks
	stop string   // the key that stops an answer, or what to press instead
	laid []*sheet // of the messages, as far as they were looked at

	w, h   int // of the text, without the scroll bar
	follow bool
	top    place
	last   int // the last message that showed

	reasoning bool // reasoning shows unfolded
}

// begin shows another conversation, at its end.
func (r *reader) begin() { r.laid, r.follow, r.top, r.last = nil, true, place{}, 0 }

func (r *reader) toEnd() { r.follow = true }

func (r *reader) messages() []kept.Message { return r.of.conv.Messages }

// foldReasoning shows the reasoning of all answers, or hides it.
func (r *reader) foldReasoning() {
	r.reasoning = !r.reasoning
	for _, s := range r.laid {
		if s != nil {
			s.showReason, s.head = r.reasoning, nil
		}
	}
}

// unfold unfolds the reasoning of one message, or the whole of one that was set aside; or folds it.
func (r *reader) unfold(what, at string) {
	i, err := strconv.Atoi(at)
	if err != nil || i < 0 || i >= len(r.messages()) {
		return
	}
	s := r.sheet(i)
	if what == "aside" {
		s.wide = !s.wide
	} else {
		s.showReason = !s.showReason
	}
	s.head = nil
}

// block is the lines at a place.
func (r *reader) block(p place) []string { return r.sheet(p.msg).block(p.block) }

// settle moves a place to the nearest that exists.
func (r *reader) settle(p place) place {
	n := len(r.messages())
	if n == 0 {
		return place{}
	}
	if p.msg >= n {
		p = place{msg: n - 1, block: 1 << 30}
	}
	p.msg = max(0, p.msg)
	if b := r.sheet(p.msg).blocks(); p.block >= b {
		p.block, p.line = b-1, 1<<30
	}
	p.block = max(0, p.block)
	p.line = max(0, min(p.line, len(r.block(p))-1))
	return p
}

// end is the last line.
func (r *reader) end() place { return r.settle(place{msg: 1 << 30}) }

// up is the place n lines above, and how many lines there were.
func (r *reader) up(p place, n int) (place, int) {
	did := 0
	for did < n {
		switch {
		case p.line > 0:
			step := min(p.line, n-did)
			p.line -= step
			did += step
			continue
		case p.block > 0:
			p.block--
		case p.msg > 0:
			p.msg--
			p.block = r.sheet(p.msg).blocks() - 1
		default:
			return p, did
		}
		p.line = len(r.block(p)) - 1
		did++
	}
	return p, did
}

// down is the place n lines below, and how many lines there were.
func (r *reader) down(p place, n int) (place, int) {
	did := 0
	for did < n {
		if left := len(r.block(p)) - 1 - p.line; left > 0 {
			step := min(left, n-did)
			p.line += step
			did += step
			continue
		}
		switch {
		case p.block+1 < r.sheet(p.msg).blocks():
			p.block++
		case p.msg+1 < len(r.messages()):
			p.msg++
			p.block = 0
		default:
			return p, did
		}
		p.line = 0
		did++
	}
	return p, did
}

// move scrolls by n lines, down if n is positive. At the end it follows again.
func (r *reader) move(n int) {
	if len(r.messages()) == 0 || r.h <= 0 {
		return
	}
	first := r.first()
	if n < 0 {
		r.top, _ = r.up(first, -n)
		r.follow = r.atEnd(r.top)
		return
	}
	r.top, _ = r.down(first, n)
	r.follow = r.atEnd(r.top)
}

// first is the first line that shows.
func (r *reader) first() place {
	if r.follow {
		p, _ := r.up(r.end(), r.h-1)
		return p
	}
	return r.settle(r.top)
}

// atEnd reports whether there is no line below a window that begins at a place.
func (r *reader) atEnd(p place) bool {
	_, did := r.down(p, r.h)
	return did < r.h
}

// scrollKey scrolls by a key and reports whether the key was for that.
func (r *reader) scrollKey(name string) bool {
	page := max(1, r.h-1)
	switch name {
	case "up", "k":
		r.move(-1)
	case "down", "j":
		r.move(1)
	case "pgup", "b", "ctrl+b":
		r.move(-page)
	case "pgdown", " ", "ctrl+f":
		r.move(page)
	case "ctrl+u":
		r.move(-max(1, r.h/2))
	case "ctrl+d":
		r.move(max(1, r.h/2))
	case "home", "g":
		r.top, r.follow = place{}, false
		r.move(0)
	case "end", "G":
		r.toEnd()
	default:
		return false
	}
	return true
}

// view draws the lines that show, w x h cells with the scroll bar.
// measure is how wide a line of text gets, in cells: longer ones are hard to read.
const measure = 100

func (r *reader) view(st *themes.Styles, w, h int) string {
	r.w, r.h = max(1, min(w-2, measure)), h
	if h <= 0 || w <= 0 {
		return ""
	}
	p := r.first()
	from := p
	out := make([]string, 0, h)
	for len(out) < h {
		lines := r.block(p)
		for ; p.line < len(lines) && len(out) < h; p.line++ {
			out = append(out, widgets.Line(lines[p.line], max(1, w-2)))
		}
		r.last = p.msg
		switch {
		case p.block+1 < r.sheet(p.msg).blocks():
			p.block++
		case p.msg+1 < len(r.messages()):
			p.msg++
			p.block = 0
		default:
			for len(out) < h {
				out = append(out, strings.Repeat(" ", max(1, w-2)))
			}
		}
		p.line = 0
	}
	total, above := r.weigh(from)
	bar := widgets.Scrollbar(st, total, h, above)
	for i := range out {
		out[i] = zone.Mark("talk", out[i]+" "+bar[i])
	}
	return strings.Join(out, "\n")
}

// weigh estimates how many lines there are, and how many are above a place: messages that nobody
// looked at are not laid out just to be counted.
func (r *reader) weigh(p place) (total, above int) {
	for i := range r.messages() {
		n := 3
		if x := &r.messages()[i]; !x.Aside {
			n += len(x.Text) / max(8, r.w*2/3)
		}
		if i == p.msg {
			s := r.sheet(i)
			above = total + n*p.block/max(1, s.blocks())
		}
		total += n
	}
	if r.follow {
		above = total
		if p.msg == 0 && p.block == 0 && p.line == 0 {
			return 0, 0 // all of it shows
		}
	}
	return max(total, r.h+1), above
}

// answer is the index of the answer that shows: the newest when the end shows. -1 for none.
func (r *reader) answer() int {
	from := len(r.messages()) - 1
	if !r.follow {
		from = min(from, r.last)
	}
	for i := from; i >= 0; i-- {
		x := &r.messages()[i]
		if x.Role == client.RoleAssistant && !hollow(x) && (!x.Aside || r.laidWide(i)) {
			return i
		}
	}
	return -1
}

func (r *reader) laidWide(i int) bool { return i < len(r.laid) && r.laid[i] != nil && r.laid[i].wide }

// text is the answer that shows, cleaned because it leaves the console.
func (r *reader) text() string {
	i := r.answer()
	if i < 0 {
		return ""
	}
	x := &r.messages()[i]
	for _, t := range []string{x.Text, x.Refusal, x.Reasoning} {
		if t != "" {
			return client.Clean(t)
		}
	}
	return ""
}

// codes are the blocks of code of the answer that shows.
func (r *reader) codes() []string {
	if i := r.answer(); i >= 0 {
		return codes(r.messages()[i].Text)
	}
	return nil
}

// codeAt is the block of code of a zone, "<message>:<piece>"; "" for none.
func (r *reader) codeAt(at string) string {
	a, b, _ := strings.Cut(at, ":")
	i, err := strconv.Atoi(a)
	j, err2 := strconv.Atoi(b)
	if err != nil || err2 != nil || i < 0 || i >= len(r.messages()) {
		return ""
	}
	src := &r.sheet(i).text
	if j < 0 || j >= len(src.pieces) {
		return ""
	}
	return src.codeAt(j)
}

// position is where the window stands among the messages, "" while the end shows.
func (r *reader) position() string {
	n := len(r.messages())
	if r.follow || n == 0 {
		return ""
	}
	return "more below · " + human.Count(r.last+1) + " of " + human.Count(n)
}

// say adds a message, and shows it.
func (r *reader) say(x kept.Message) {
	r.of.append(x)
	r.toEnd()
}

// setAside excludes the messages from one on from what is sent.
func (r *reader) setAside(from int) {
	r.of.setAside(from)
	r.laid = r.laid[:min(len(r.laid), from)]
}
