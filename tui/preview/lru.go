package preview

import (
	"container/list"
	"image"

	"darkroom/client/mediainfo"
)

// maxPictures bounds how many pictures a canvas holds at a time.
const maxPictures = 100

// maxLost bounds how many forgotten pictures are remembered.
const maxLost = 1000

// entry is a preview that is kept.
type entry struct {
	lines  []string
	info   mediainfo.Info
	size   image.Point // see [ReadyMsg]
	number int         // of the canvas' picture, 0 for none
	pixels int64       // bytes that the canvas may keep of it
	err    error       // what else went wrong
}

// ready returns the answer to a request.
func (e entry) ready(r Request) ReadyMsg {
	return ReadyMsg{Slot: r.Slot, Key: r.Key(), Lines: e.lines, Info: e.info, Size: e.size, Err: e.err}
}

func (e entry) bytes() int64 {
	n := e.pixels + int64(256+8*len(e.info.Wave))
	for _, l := range e.lines {
		n += int64(len(l)) + 16
	}
	return n
}

type item struct {
	key Key
	at  stamp
	e   entry
}

// lru keeps entries up to a number of bytes, and forgets the least recently used first. For each
// key only the newest state of its files is kept.
type lru struct {
	most, used int64
	pictures   int          // entries of the canvas
	dropped    func(int)    // is told the number of each that is forgotten; may be nil
	lost       map[Key]bool // those of the canvas that were forgotten
	order      *list.List   // of *item, the last used in front
	byKey      map[Key]*list.Element
}

func newLRU(most int64) lru {
	return lru{most: most, order: list.New(), byKey: map[Key]*list.Element{}, lost: map[Key]bool{}}
}

// get finds a preview made from exactly that state of the files.
func (c *lru) get(k Key, at stamp) (entry, bool) {
	el, ok := c.byKey[k]
	if !ok {
		return entry{}, false
	}
	it, _ := el.Value.(*item)
	if it.at != at {
		return entry{}, false
	}
	c.order.MoveToFront(el)
	return it.e, true
}

// latest finds a preview whatever its state.
func (c *lru) latest(k Key) (entry, bool) {
	el, ok := c.byKey[k]
	if !ok {
		return entry{}, false
	}
	it, _ := el.Value.(*item)
	return it.e, true
}

func (c *lru) put(k Key, at stamp, e entry) {
	if el, ok := c.byKey[k]; ok {
		c.drop(el)
	}
	if e.bytes() > c.most && e.number == 0 {
		return
	}
	delete(c.lost, k)
	c.byKey[k] = c.order.PushFront(&item{key: k, at: at, e: e})
	c.used += e.bytes()
	if e.number > 0 {
		c.pictures++
	}
	// A picture that shows is not dropped for being large: it is the newest.
	for (c.used > c.most || c.pictures > maxPictures) && (e.number == 0 || c.order.Len() > 1) {
		c.drop(c.order.Back())
	}
}

func (c *lru) drop(el *list.Element) {
	it, _ := c.order.Remove(el).(*item)
	delete(c.byKey, it.key)
	c.used -= it.e.bytes()
	if it.e.number > 0 {
		c.pictures--
		c.dropped(it.e.number)
		if len(c.lost) >= maxLost {
			clear(c.lost)
		}
		c.lost[it.key] = true
	}
}
