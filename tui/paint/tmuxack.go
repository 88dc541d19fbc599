package paint

import (
	"slices"
	"time"
)

// tmuxParcel is how much of a picture tmux is given at once, in bytes. It takes sequences of
// up to a megabyte, and a parcel comes through whole or not at all.
const tmuxParcel = 512 << 10

// How often a lost picture is sent again, and how long to wait for tmux: it has written a parcel
// once its terminal took it.
const (
	ackTries = 3
	ackFirst = 10 * time.Millisecond
	ackLast  = time.Second
)

// tmuxAcks asks tmux how many bytes it has written to its terminal, which tells whether a picture
// came through: while tmux waits to redraw a pane it silently drops what it would pass on. The zero
// tmuxAcks does not ask.
type tmuxAcks struct {
	written func() (int64, bool)
}

// count is what tmux had written before a parcel; ok is false where it does not tell.
type count struct {
	bytes int64
	ok    bool
	taken bool // tmux was asked at all
}

func (t tmuxAcks) now() count {
	if t.written == nil {
		return count{taken: true}
	}
	n, ok := t.written()
	return count{n, ok, true}
}

// before takes the count if a parcel is to be sent next.
func (t tmuxAcks) before(p *pictures) count {
	if !p.asks() {
		return count{}
	}
	return t.now()
}

// verify waits until tmux has written a parcel, and has the picture sent again if it never
// does. It runs in a goroutine of its own.
func (o *output) verify(before count, size int) {
	o.pics.passed(o.passes(before, size))
	o.signal()
}

// passes waits for a parcel of size bytes, and reports whether it came through. What else tmux
// writes meanwhile is small in comparison.
func (o *output) passes(before count, size int) bool {
	if !before.ok {
		return true // nobody knows
	}
	for wait := ackFirst; ; wait *= 2 {
		now := o.acks.now()
		if !now.ok || now.bytes-before.bytes >= int64(size-size/8) {
			return true
		}
		if wait > ackLast {
			return false
		}
		timer := time.NewTimer(wait)
		select {
		case <-o.done:
			timer.Stop()
			return true
		case <-timer.C:
		}
	}
}

// behindTmux reports whether tmux stands between us and the terminal.
func (p *pictures) behindTmux() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tmux
}

// asks reports whether tmux has to be asked about the next piece.
func (p *pictures) asks() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.due()
	return at >= 0 && p.counted && !p.byNumber[p.queue[at]].moving
}

// passed is told whether the parcel under way came through. If not, its picture is sent again from
// the beginning; one that never comes through, as in a window that tmux does not show, is sent when
// a frame shows it anew.
func (p *pictures) passed(arrived bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pic := p.byNumber[p.parcel]
	p.parcel = 0
	if arrived || pic == nil || pic.moving || pic.kitty == "" {
		return
	}
	pic.sent, pic.next = false, 0
	p.partial = pic.number // kitty may have a part of it
	p.queue = slices.DeleteFunc(p.queue, func(n uint8) bool { return n == pic.number })
	if pic.tries++; pic.tries > ackTries {
		pic.tries = 0 // until its cells are painted again
		return
	}
	p.enqueue(pic.number)
}
