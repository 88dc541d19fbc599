package chat

import (
	"strings"

	"darkroom/client"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// place is a line of the conversation: of a message, of a block of it.
type place struct{ msg, block, line int }

// window is the part of the conversation that shows. It knows only the place of its
// first line, so that nothing outside has to be laid out.
type window struct {
	w, h   int // of the text, without the scroll bar
	follow bool
	top    place
	last   int // the last message that showed

	reasoning bool // reasoning shows unfolded
}

func (t *window) toEnd() { t.follow = true }

// block is the lines at a place.
func (m *Model) block(p place) []string { return m.sheet(p.msg).block(p.block) }

// settle makes a place one that there is.
func (m *Model) settle(p place) place {
	n := len(m.conv.Messages)
	if n == 0 {
		return place{}
	}
	if p.msg >= n {
		p = place{msg: n - 1, block: 1 << 30}
	}
	p.msg = max(0, p.msg)
	if b := m.sheet(p.msg).blocks(); p.block >= b {
		p.block, p.line = b-1, 1<<30
	}
	p.block = max(0, p.block)
	p.line = max(0, min(p.line, len(m.block(p))-1))
	return p
}

// end is the last line.
func (m *Model) end() place { return m.settle(place{msg: 1 << 30}) }

// up is the place n lines above, and how many lines there were.
func (m *Model) up(p place, n int) (place, int) {
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
			p.block = m.sheet(p.msg).blocks() - 1
		default:
			return p, did
		}
		p.line = len(m.block(p)) - 1
		did++
	}
	return p, did
}

// down is the place n lines below, and how many lines there were.
func (m *Model) down(p place, n int) (place, int) {
	did := 0
	for did < n {
		if left := len(m.block(p)) - 1 - p.line; left > 0 {
			step := min(left, n-did)
			p.line += step
			did += step
			continue
		}
		switch {
		case p.block+1 < m.sheet(p.msg).blocks():
			p.block++
		case p.msg+1 < len(m.conv.Messages):
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

// move scrolls by n lines, down for a positive n. At the end it goes on following.
func (m *Model) move(n int) {
	if len(m.conv.Messages) == 0 || m.talk.h <= 0 {
		return
	}
	t := &m.talk
	first := m.first()
	if n < 0 {
		t.top, _ = m.up(first, -n)
		t.follow = m.atEnd(t.top)
		return
	}
	t.top, _ = m.down(first, n)
	t.follow = m.atEnd(t.top)
}

// first is the first line that shows.
func (m *Model) first() place {
	if m.talk.follow {
		p, _ := m.up(m.end(), m.talk.h-1)
		return p
	}
	return m.settle(m.talk.top)
}

// atEnd reports whether no line is below a window that begins at a place.
func (m *Model) atEnd(p place) bool {
	_, did := m.down(p, m.talk.h)
	return did < m.talk.h
}

// scrollKey moves by a key and reports whether it was one to move by.
func (m *Model) scrollKey(name string) bool {
	page := max(1, m.talk.h-1)
	switch name {
	case "up", "k":
		m.move(-1)
	case "down", "j":
		m.move(1)
	case "pgup", "b", "ctrl+b":
		m.move(-page)
	case "pgdown", " ", "ctrl+f":
		m.move(page)
	case "ctrl+u":
		m.move(-max(1, m.talk.h/2))
	case "ctrl+d":
		m.move(max(1, m.talk.h/2))
	case "home", "g":
		m.talk.top, m.talk.follow = place{}, false
		m.move(0)
	case "end", "G":
		m.talk.toEnd()
	default:
		return false
	}
	return true
}

// talkView draws the lines that show, w x h cells with the scroll bar.
func (m *Model) talkView(w, h int) string {
	t := &m.talk
	t.w, t.h = max(1, w-2), h
	if h <= 0 || w <= 0 {
		return ""
	}
	p := m.first()
	from := p
	out := make([]string, 0, h)
	for len(out) < h {
		lines := m.block(p)
		for ; p.line < len(lines) && len(out) < h; p.line++ {
			out = append(out, widgets.Line(lines[p.line], t.w))
		}
		t.last = p.msg
		switch {
		case p.block+1 < m.sheet(p.msg).blocks():
			p.block++
		case p.msg+1 < len(m.conv.Messages):
			p.msg++
			p.block = 0
		default:
			for len(out) < h {
				out = append(out, strings.Repeat(" ", t.w))
			}
		}
		p.line = 0
	}
	total, above := m.weigh(from)
	bar := widgets.Scrollbar(m.st, total, h, above)
	for i := range out {
		out[i] = zone.Mark("talk", out[i]+" "+bar[i])
	}
	return strings.Join(out, "\n")
}

// weigh guesses how many lines there are, and how many are above a place: what was not
// looked at is not laid out to be counted.
func (m *Model) weigh(p place) (total, above int) {
	for i := range m.conv.Messages {
		n := 3
		if x := &m.conv.Messages[i]; !x.Aside {
			n += len(x.Text) / max(8, m.talk.w*2/3)
		}
		if i == p.msg {
			s := m.sheet(i)
			above = total + n*p.block/max(1, s.blocks())
		}
		total += n
	}
	if m.talk.follow {
		above = total
		if p.msg == 0 && p.block == 0 && p.line == 0 {
			return 0, 0 // all of it shows
		}
	}
	return max(total, m.talk.h+1), above
}

// answer is the index of the answer that shows: the newest when the end does. -1 for none.
func (m *Model) answer() int {
	from := len(m.conv.Messages) - 1
	if !m.talk.follow {
		from = min(from, m.talk.last)
	}
	for i := from; i >= 0; i-- {
		x := &m.conv.Messages[i]
		if x.Role == client.RoleAssistant && !x.hollow() && (!x.Aside || m.laidWide(i)) {
			return i
		}
	}
	return -1
}

func (m *Model) laidWide(i int) bool { return i < len(m.laid) && m.laid[i] != nil && m.laid[i].wide }
