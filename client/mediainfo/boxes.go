package mediainfo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// maxHeads bounds how many box heads are read of one file, wherever they are.
const maxHeads = 5000

// boxes reads the heads of an MP4's boxes in place. It enters only the boxes asked for by name, so
// that deep nesting costs nothing.
type boxes struct {
	r    io.ReaderAt
	left int // heads that may still be read
}

// box is where the content of a box lies.
type box struct {
	name    string
	at, end int64
}

// head reads the head of the box at a place, which ends before end.
func (b *boxes) head(at, end int64) (box, error) {
	if b.left--; b.left < 0 {
		return box{}, fmt.Errorf("it has too many boxes: at most %d are read", maxHeads)
	}
	var h [16]byte
	n, err := b.r.ReadAt(h[:min(int64(len(h)), end-at)], at)
	if err != nil && !errors.Is(err, io.EOF) {
		return box{}, err
	}
	if n < 8 {
		return box{}, errDamaged
	}
	length, head := uint64(binary.BigEndian.Uint32(h[:])), int64(8)
	switch length {
	case 0: // to the end
		length = uint64(end - at) //nolint:gosec // there are bytes between them
	case 1:
		if n < len(h) {
			return box{}, errDamaged
		}
		length, head = binary.BigEndian.Uint64(h[8:]), int64(len(h))
	}
	if length > math.MaxInt64 || int64(length) < head || int64(length) > end-at {
		return box{}, errDamaged
	}
	return box{string(h[4:8]), at + head, at + int64(length)}, nil
}

// each calls a function for the boxes between two offsets until it has enough. A few bytes after
// the last one are no box.
func (b *boxes) each(at, end int64, enough func(box) (bool, error)) error {
	for end-at >= 8 {
		in, err := b.head(at, end)
		if err != nil {
			return err
		}
		if done, err := enough(in); done || err != nil {
			return err
		}
		at = in.end
	}
	return nil
}

// find goes down into a box by names, the first of each name at a time; false where there is
// none.
func (b *boxes) find(in box, names ...string) (box, bool, error) {
	for _, name := range names {
		found := false
		err := b.each(in.at, in.end, func(inner box) (bool, error) {
			if found = inner.name == name; found {
				in = inner
			}
			return found, nil
		})
		if !found || err != nil {
			return box{}, false, err
		}
	}
	return in, true, nil
}

// read reads bytes of a box's content.
func (b *boxes) read(in box, p []byte) error {
	if int64(len(p)) > in.end-in.at {
		return errDamaged
	}
	if n, err := b.r.ReadAt(p, in.at); n < len(p) {
		if errors.Is(err, io.EOF) {
			return errDamaged
		}
		return err
	}
	return nil
}
