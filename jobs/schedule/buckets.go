package schedule

import (
	"container/heap"
	"time"
)

// Slot is when an item falls due, and its place in [Buckets]; items embed it.
type Slot struct {
	Due  time.Time // zero for never
	tick int64     // the bucket that it lies in; 0 for none
}

func (s *Slot) slot() *Slot { return s }

// Lift forgets the place, as when the buckets are filled anew.
func (s *Slot) Lift() { s.tick = 0 }

// Buckets hold items by the tick in which they fall due, so that a tick costs what falls
// due in it, however many others there are. An item that is put in again is found in its
// new tick only; what is left of it in the old one is skipped there.
type Buckets[T interface{ slot() *Slot }] struct {
	ticks tickHeap
	at    map[int64][]T
	spare [][]T // emptied, to be filled again
}

// maxSpare is how many emptied buckets are kept.
const maxSpare = 64

// NewBuckets makes empty ones.
func NewBuckets[T interface{ slot() *Slot }]() *Buckets[T] { return &Buckets[T]{at: map[int64][]T{}} }

// tickOf numbers the tick at whose end t lies; 0 for no time.
func tickOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return (t.UnixNano() + int64(Tick) - 1) / int64(Tick)
}

// Put notes when an item falls due; one with a zero time is left out.
func (b *Buckets[T]) Put(item T) {
	at := item.slot()
	tick := tickOf(at.Due)
	if tick == at.tick {
		return // it lies there already
	}
	if at.tick = tick; tick == 0 {
		return
	}
	list, ok := b.at[tick]
	if !ok {
		heap.Push(&b.ticks, tick)
		if n := len(b.spare); n > 0 {
			list, b.spare = b.spare[n-1], b.spare[:n-1]
		}
	}
	b.at[tick] = append(list, item)
}

// Take hands over what is due by now, the longest due first.
func (b *Buckets[T]) Take(now time.Time, each func(T)) {
	until := now.UnixNano() / int64(Tick)
	for len(b.ticks) > 0 && b.ticks[0] <= until {
		tick, _ := heap.Pop(&b.ticks).(int64)
		list := b.at[tick]
		delete(b.at, tick)
		for _, item := range list {
			if at := item.slot(); at.tick == tick {
				at.tick = 0
				each(item)
			}
		}
		clear(list)
		if len(b.spare) < maxSpare {
			b.spare = append(b.spare, list[:0])
		}
	}
}

// Next is when the next item falls due; zero for none. What was put in again since may
// make it too early.
func (b *Buckets[T]) Next() time.Time {
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
