package schedule

// Turns is a queue of two lines: the first in a line is the first out of it, and while both wait they
// take turns, so that a long line does not hold the other one up. The zero value is empty.
type Turns[T any] struct {
	lines [2][]T
	next  int
}

// Put adds to the end of a line.
func (q *Turns[T]) Put(second bool, x T) {
	line := 0
	if second {
		line = 1
	}
	q.lines[line] = append(q.lines[line], x)
}

// Len is how many wait in both lines.
func (q *Turns[T]) Len() int { return len(q.lines[0]) + len(q.lines[1]) }

// Take takes the next one; there has to be one.
func (q *Turns[T]) Take() T {
	at := q.next
	if len(q.lines[at]) == 0 {
		at = 1 - at
	}
	var none T
	x := q.lines[at][0]
	q.lines[at][0] = none
	q.lines[at] = q.lines[at][1:]
	q.next = 1 - at
	return x
}
