package fonts

import "encoding/binary"

const (
	mostInFont = 4 << 20 // paints that a reader makes of one font
	mostNested = 100
)

// saneLayers reports whether the layers of a font stay within bounds when they are read. A paint
// may have the same ones in it as another: a few bytes could stand for more than there is memory.
func saneLayers(colr []byte) bool {
	if len(colr) < 22 || binary.BigEndian.Uint16(colr) == 0 {
		return true
	}
	c := counter{data: colr, known: map[int]tree{}}
	bases := int(binary.BigEndian.Uint32(colr[14:]))
	layers := int(binary.BigEndian.Uint32(colr[18:]))
	return c.roots(bases, 6, 2) && c.roots(layers, 4, 0)
}

// counter counts what paints are made of.
type counter struct {
	data  []byte
	known map[int]tree
	sum   int
}

// tree is how many paints are in one, itself too, and how deep.
type tree struct{ size, depth int }

// roots counts what a list of paints has in it: at is where the list is, and skip what stands before
// the place of a paint in each of its records. What lies outside of the table is a reader's to
// refuse.
func (c *counter) roots(at, record, skip int) bool {
	if at == 0 || at+4 > len(c.data) {
		return true
	}
	n := int(binary.BigEndian.Uint32(c.data[at:]))
	for i := 0; i < n && at+4+(i+1)*record <= len(c.data); i++ {
		t := c.count(at+int(binary.BigEndian.Uint32(c.data[at+4+i*record+skip:])), 0)
		if c.sum += t.size; c.sum > mostInFont || t.depth > mostNested {
			return false
		}
	}
	return true
}

// count counts the paint at a place. Those in it lie behind it.
func (c *counter) count(at, depth int) tree {
	if at >= len(c.data) || depth > mostNested {
		return tree{1, 1}
	}
	if t, ok := c.known[at]; ok {
		return t
	}
	var inside []int
	switch format := c.data[at]; {
	case format == 32:
		inside = []int{1, 5}
	case format >= 10 && format != 11 && format < 32:
		inside = []int{1}
	}
	t := tree{1, 1}
	for _, k := range inside {
		if at+k+3 > len(c.data) {
			continue
		}
		offset := int(c.data[at+k])<<16 | int(c.data[at+k+1])<<8 | int(c.data[at+k+2])
		if offset == 0 {
			continue
		}
		in := c.count(at+offset, depth+1)
		t.size = min(t.size+in.size, mostInFont+1)
		t.depth = max(t.depth, in.depth+1)
	}
	c.known[at] = t
	return t
}
