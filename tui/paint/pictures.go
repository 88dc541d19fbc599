package paint

import (
	"errors"
	"image"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi/kitty"

	"darkroom/tui/paint/internal/pixels"
)

const (
	// maxCells bounds the columns, and the rows, of a picture.
	maxCells = 297
	// maxPictures is how many pictures there can be at a time.
	maxPictures = 255

	// kittyPiece is how many bytes are sent between two looks for a new frame.
	kittyPiece = 16 << 10
)

// Errors of [Terminal.Put].
var (
	ErrNoPictures      = errors.New("this terminal shows no pictures")
	ErrTooManyPictures = errors.New("too many pictures at a time")
)

// picture is one that frames can show by its cells.
type picture struct {
	number     uint8
	cols, rows int
	size       image.Point
	kitty      string          // pixels as kitty takes them
	sixel      *image.Paletted // for sixel, exactly as large as the cells
	inline     *image.RGBA     // for iTerm2, of as many whole pixels as its cells take
	moving     bool            // its pixels were replaced, and will be again
	next       int             // bytes of kitty that were sent
	sent       bool
	there      bool // kitty may have it, whole or in part
	tries      int  // how often it was lost on the way
}

// pictures are those that frames can show. Kitty keeps what it was sent: a picture is
// sent once, the first time that a frame shows it, behind that frame and in pieces
// between which other frames are painted. Other protocols' pixels are painted over cells; see
// [pictures.overCells]. It is safe for use by several goroutines.
//
// A picture's cells are those of kitty's Unicode placeholders under all protocols: the
// character U+10EEEE with marks for row and column, its text colour the picture's
// number. So a frame is text, whatever is laid over it.
type pictures struct {
	mu       sync.Mutex
	protocol Protocol
	tmux     bool
	counted  bool // tmux can be asked what it has handed on
	cell     image.Point
	colors   int
	high     int // the highest byte of ids, which tells consoles in one terminal apart
	byNumber map[uint8]*picture
	last     uint8
	queue    []uint8        // kitty: those that show and were not sent
	gone     []uint8        // kitty: those to be deleted
	partial  uint8          // kitty: the one that was sent in part, 0 for none
	parcel   uint8          // kitty: of this one a part is on its way through tmux, 0 for none
	moved    map[uint8]bool // those that show other pixels now than their cells were painted with

	squeezers sync.Pool // of *pixels.Squeezer, kitty's: each holds a megabyte
}

func newPictures(high int) *pictures {
	return &pictures{high: 1 + high%200, byNumber: map[uint8]*picture{}, moved: map[uint8]bool{}}
}

// set changes the protocol. Pictures made for another one show no more.
func (p *pictures) set(s *surface) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.protocol, p.tmux, p.counted = s.protocol(), s.tmux, s.tmux && s.local
	p.cell, p.colors = s.message().Cell, s.colors
}

func (p *pictures) using() Protocol {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.protocol
}

// put takes a picture and returns its number and its cells.
func (p *pictures) put(img *image.RGBA, cols, rows int) (int, []string, error) {
	if cols <= 0 || rows <= 0 || cols > maxCells || rows > maxCells || img.Bounds().Empty() {
		return 0, nil, ErrNoPictures
	}
	p.mu.Lock()
	protocol, cell, colors := p.protocol, p.cell, p.colors
	p.mu.Unlock()
	pic := &picture{cols: cols, rows: rows, size: img.Bounds().Size()}
	if protocol.Exact() && pic.size != image.Pt(cols*cell.X, rows*cell.Y) {
		return 0, nil, ErrNoPictures // the cells have changed meanwhile
	}
	if err := p.fill(pic, protocol, img, colors); err != nil {
		return 0, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.byNumber) >= maxPictures {
		return 0, nil, ErrTooManyPictures
	}
	for p.last++; p.last == 0 || p.byNumber[p.last] != nil; {
		p.last++
	}
	pic.number = p.last
	p.byNumber[pic.number] = pic
	return int(pic.number), p.lines(pic), nil
}

// fill prepares the pixels for a protocol.
func (p *pictures) fill(pic *picture, protocol Protocol, img *image.RGBA, colors int) error {
	switch protocol {
	case KittyPictures:
		z, ok := p.squeezers.Get().(*pixels.Squeezer)
		if !ok {
			z = pixels.NewSqueezer()
		}
		pic.kitty = z.Squeeze(img)
		p.squeezers.Put(z)
	case SixelPictures:
		pic.sixel = pixels.Quantize(img, colors)
	case InlinePictures:
		pic.inline = img
	default:
		return ErrNoPictures
	}
	return nil
}

// lines returns the cells of a picture.
func (p *pictures) lines(pic *picture) []string {
	out := make([]string, pic.rows)
	high := string(kitty.Diacritic(p.high))
	var b strings.Builder
	for y := range out {
		b.Reset()
		b.WriteString("\x1b[38;5;" + strconv.Itoa(int(pic.number)) + "m")
		row := string(kitty.Diacritic(y))
		for x := range pic.cols {
			b.WriteRune(kitty.Placeholder)
			b.WriteString(row)
			b.WriteRune(kitty.Diacritic(x))
			b.WriteString(high)
		}
		b.WriteString("\x1b[0m")
		out[y] = b.String()
	}
	return out
}

// drop forgets a picture; frames that still show it have blanks in its place.
func (p *pictures) drop(number int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pic := p.byNumber[uint8(number)]
	if number <= 0 || number > maxPictures || pic == nil {
		return
	}
	delete(p.byNumber, pic.number)
	if pic.there {
		p.gone = append(p.gone, pic.number)
	}
}

// shown says that a picture is in the frame that is being painted.
func (p *pictures) shown(number uint8) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pic := p.byNumber[number]
	if pic == nil || pic.kitty == "" || pic.sent {
		return
	}
	p.enqueue(number)
}

func (p *pictures) enqueue(number uint8) {
	if !slices.Contains(p.queue, number) {
		p.queue = append(p.queue, number)
	}
}

// pending reports whether there is something to send.
func (p *pictures) pending() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.due() >= 0 || len(p.gone) > 0 || len(p.moved) > 0
}

// due returns the index in the queue of what to send next, -1 for none. While tmux is asked about a
// picture, only frames of videos go on, about which it is not asked.
func (p *pictures) due() int {
	p.queue = slices.DeleteFunc(p.queue, func(n uint8) bool { return p.byNumber[n] == nil })
	switch {
	case p.parcel != 0 && p.partial != 0: // the rest of that one comes first
		return -1
	case p.parcel != 0:
		return slices.IndexFunc(p.queue, func(n uint8) bool { return p.byNumber[n].moving })
	}
	return min(len(p.queue), 1) - 1
}

// piece appends what to send next: not much, since a frame may have to wait for it. ask is for how
// many bytes of it tmux has to be asked whether they came through; until [pictures.passed] no more
// pictures are sent, and none at all if what tmux had written before was not counted.
func (p *pictures) piece(dst []byte, counted bool) (piece []byte, ask int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if pic := p.byNumber[p.partial]; p.partial != 0 && (pic == nil || pic.next == 0) {
		p.partial = 0
		dst = p.through(dst, pixels.KittyAbort)
	}
	for _, n := range p.gone {
		dst = p.through(dst, pixels.KittyDelete(p.id(n)))
	}
	p.gone = p.gone[:0]
	at := p.due()
	if at < 0 {
		return dst, 0
	}
	pic := p.byNumber[p.queue[at]]
	if pic.moving {
		p.queue = slices.Delete(p.queue, at, at+1)
		if !pic.there {
			p.moved[pic.number] = true
		}
		return p.through(dst, pic.whole(p.id(pic.number))), 0
	}
	if p.counted && !counted {
		return dst, 0
	}
	most := kittyPiece
	if p.tmux {
		most = tmuxParcel
	}
	parcel := pic.chunks(p.id(pic.number), most)
	pic.there = true
	if p.partial = pic.number; pic.next == len(pic.kitty) {
		pic.sent, p.partial = true, 0
		p.queue = p.queue[1:]
		p.moved[pic.number] = true
	}
	if p.counted {
		p.parcel, ask = pic.number, len(parcel)
	}
	return p.through(dst, parcel), ask
}

// chunks returns the next parts of a picture for kitty, of most bytes or a little more.
func (pic *picture) chunks(id, most int) (seq string) {
	k := pixels.Kitty{ID: id, Size: pic.size, Cols: pic.cols, Rows: pic.rows, Data: pic.kitty}
	seq, pic.next = k.Chunks(pic.next, most)
	return seq
}

// resend forgets what the terminal was sent: it may have lost it.
func (p *pictures) resend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget()
}

func (p *pictures) forget() {
	for _, pic := range p.byNumber {
		pic.sent, pic.next, pic.tries = false, 0, 0
	}
	p.queue = nil
}

// leave returns what frees all that the terminal keeps.
func (p *pictures) leave() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var dst []byte
	if p.partial != 0 {
		dst = p.through(dst, pixels.KittyAbort)
	}
	for n, pic := range p.byNumber {
		if pic.there {
			dst = p.through(dst, pixels.KittyDelete(p.id(n)))
			pic.there = false
		}
	}
	for _, n := range p.gone {
		dst = p.through(dst, pixels.KittyDelete(p.id(n)))
	}
	p.gone, p.partial = nil, 0
	p.forget()
	return string(dst)
}

// id returns a picture's id for kitty: its number is the text colour of its cells, in a palette
// index that tmux passes on unchanged, and the rest a third mark of each cell.
func (p *pictures) id(number uint8) int { return p.high<<24 | int(number) }

// through appends a sequence for the terminal, wrapped if tmux stands before it.
func (p *pictures) through(dst []byte, seq string) []byte {
	if p.tmux {
		seq = passthrough(seq)
	}
	return append(dst, seq...)
}

// free returns what frees every picture of this console, whichever the terminal has.
func (p *pictures) free(tmux bool) string {
	seq := pixels.KittyFree(p.id(1), p.id(maxPictures))
	if tmux {
		seq = passthrough(seq)
	}
	return seq
}
