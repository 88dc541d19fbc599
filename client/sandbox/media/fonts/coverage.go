package fonts

import (
	"maps"
	"slices"

	"github.com/go-text/typesetting/font"
)

// coverage is the characters of a font, in pages of 256; a font for Chinese takes some 8 kB.
type coverage struct {
	pages []uint16 // sorted
	bits  [][4]uint64
}

func covered(chars font.Cmap) coverage {
	pages := map[uint16]*[4]uint64{}
	it := chars.Iter()
	for n := 0; n < mostRunes && it.Next(); n++ {
		r, glyph := it.Char()
		if glyph == 0 || r < 0 || r > 0x10ffff {
			continue
		}
		page := pages[uint16(r>>8)]
		if page == nil {
			page = new([4]uint64)
			pages[uint16(r>>8)] = page
		}
		page[r>>6&3] |= 1 << (r & 63)
	}
	c := coverage{pages: slices.Sorted(maps.Keys(pages))}
	for _, p := range c.pages {
		c.bits = append(c.bits, *pages[p])
	}
	return c
}

func (c coverage) has(r rune) bool {
	i, ok := slices.BinarySearch(c.pages, uint16(r>>8))
	return ok && c.bits[i][r>>6&3]&(1<<(r&63)) != 0
}

func (c coverage) all(runes []rune) bool {
	for _, r := range runes {
		if !c.has(r) {
			return false
		}
	}
	return true
}

func (c coverage) equal(other coverage) bool {
	return slices.Equal(c.pages, other.pages) && slices.Equal(c.bits, other.bits)
}
