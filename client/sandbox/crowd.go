package sandbox

import (
	"container/list"
	"time"
)

// Bounds of what is held in memory: many small tasks, or fewer large ones.
const (
	crowdTasks = 50_000
	crowdBytes = 128 << 20
	// crowdLive is how many times the bounds a server without a folder may hold, since it
	// lets go of no live task.
	crowdLive = 4
)

// crowd is the records in memory, oldest first, within bounds. It is not safe for
// concurrent use.
type crowd struct {
	tasks int
	bytes int

	records map[string]*record
	order   *list.List // of ids
	places  map[string]*list.Element
	size    int       // bytes, about
	swept   time.Time // when nothing could be let go
}

func newCrowd() crowd {
	return crowd{tasks: crowdTasks, bytes: crowdBytes, records: map[string]*record{}, order: list.New(), places: map[string]*list.Element{}}
}

func (c *crowd) add(r *record) {
	if _, ok := c.records[r.ID]; ok {
		return
	}
	c.records[r.ID] = r
	c.places[r.ID] = c.order.PushBack(r.ID)
	c.size += r.weight()
}

func (c *crowd) drop(id string) {
	if r, ok := c.records[id]; ok {
		c.size -= r.weight()
		c.order.Remove(c.places[id])
		delete(c.records, id)
		delete(c.places, id)
	}
}

// over reports whether the crowd exceeds its bounds, times a factor.
func (c *crowd) over(times int) bool { return len(c.records) > c.tasks*times || c.size > c.bytes*times }

// trim lets the oldest go, live or not: for records that are on disk too.
func (c *crowd) trim() {
	for c.over(1) && c.order.Len() > 1 {
		c.drop(c.order.Front().Value.(string))
	}
}

// room makes room for one more record by letting the oldest tasks go that have ended, and
// says whether there is room. It looks for them at most once a second while there are
// none, so that a crowd of live tasks costs no create much.
func (c *crowd) room(now time.Time) bool {
	if !c.over(1) || now.Sub(c.swept) >= 0 && now.Sub(c.swept) < time.Second {
		return !c.over(crowdLive)
	}
	tasks, bytes := c.tasks*7/8, c.bytes*7/8
	var next *list.Element
	for e := c.order.Front(); e != nil && (len(c.records) > tasks || c.size > bytes); e = next {
		next = e.Next()
		if id := e.Value.(string); c.records[id].ended(now) {
			c.drop(id)
		}
	}
	if c.over(1) {
		c.swept = now
	}
	return !c.over(crowdLive)
}

// weight is roughly the memory that a record takes, in bytes.
func (r *record) weight() int {
	n := 1024 + len(r.Prompt) + len(r.Payload) + len(r.ExternalID) + 200*len(r.Script.Answers)
	if p := r.Video; p != nil {
		n += refsWeight(p.References)
		for _, frame := range []*ref{p.First, p.Last} {
			if frame != nil {
				n += len(frame.Value)
			}
		}
	}
	if p := r.Image; p != nil {
		n += refsWeight(p.Sources)
	}
	if p := r.Music; p != nil {
		n += len(p.Lyrics) + len(p.Title) + len(p.Tags)
	}
	return n
}

func refsWeight(refs []ref) int {
	n := 0
	for _, r := range refs {
		n += 100 + len(r.Value)
	}
	return n
}
