package jobs

import (
	"container/heap"
	"time"
)

// buckets hold entries by the tick in which they fall due, so that a tick costs what falls
// due in it, however many others there are. An entry that is put in again is found in its
// new tick only; what is left of it in the old one is skipped there. Only the loop touches
// them.
type buckets struct {
	ticks tickHeap
	at    map[int64][]*entry
	spare [][]*entry // emptied, to be filled again
}

// maxSpare is how many emptied buckets are kept.
const maxSpare = 64

func newBuckets() *buckets { return &buckets{at: map[int64][]*entry{}} }

// tickOf numbers the tick at whose end t lies; -1 for no time.
func tickOf(t time.Time) int64 {
	if t.IsZero() {
		return -1
	}
	return (t.UnixNano() + int64(Tick) - 1) / int64(Tick)
}

// put notes when an entry falls due; not at all for a zero time.
func (b *buckets) put(en *entry) {
	tick := tickOf(en.due)
	if tick == en.tick && tick >= 0 {
		return // it lies there already
	}
	if en.tick = tick; tick < 0 {
		return
	}
	list, ok := b.at[tick]
	if !ok {
		heap.Push(&b.ticks, tick)
		if n := len(b.spare); n > 0 {
			list, b.spare = b.spare[n-1], b.spare[:n-1]
		}
	}
	b.at[tick] = append(list, en)
}

// take hands over what is due by now, the longest due first. Entries may come that are not
// live any more.
func (b *buckets) take(now time.Time, each func(*entry)) {
	until := now.UnixNano() / int64(Tick)
	for len(b.ticks) > 0 && b.ticks[0] <= until {
		tick, _ := heap.Pop(&b.ticks).(int64)
		list := b.at[tick]
		delete(b.at, tick)
		for i, en := range list {
			list[i] = nil
			if en.tick == tick {
				en.tick = -1
				each(en)
			}
		}
		if len(b.spare) < maxSpare {
			b.spare = append(b.spare, list[:0])
		}
	}
}

// next is when the next entry falls due; zero for none. What was put in again since may
// make it too early.
func (b *buckets) next() time.Time {
	if len(b.ticks) == 0 {
		return time.Time{}
	}
	return time.Unix(0, b.ticks[0]*int64(Tick))
}

// tickHeap has the earliest tick first.
type tickHeap []int64

func (h tickHeap) Len() int           { return len(h) }
func (h tickHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h tickHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *tickHeap) Push(x any) {
	t, _ := x.(int64)
	*h = append(*h, t)
}

// Pop implements heap.Interface.
func (h *tickHeap) Pop() any {
	n := len(*h) - 1
	t := (*h)[n]
	*h = (*h)[:n]
	return t
}
