package mediainfo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// elements reads the heads of an EBML file's elements in place, as boxes does with an MP4's: it
// enters only those asked for.
type elements struct {
	r    io.ReaderAt
	left int // heads that may still be read
}

// element is where the content of an element lies.
type element struct {
	id      uint32
	at, end int64
}

// elementHead is how long a head is at most: four bytes of id, eight of a length.
const elementHead = 12

// head reads the head of the element at an offset, which ends before end. An element of unknown
// length is taken to extend to end.
func (e *elements) head(at, end int64) (element, error) {
	if e.left--; e.left < 0 {
		return element{}, fmt.Errorf("it has too many elements: at most %d are read", maxHeads)
	}
	var h [elementHead]byte
	n, err := e.r.ReadAt(h[:min(elementHead, end-at)], at)
	if err != nil && !errors.Is(err, io.EOF) {
		return element{}, err
	}
	id, idLen := vint(h[:n], 4)
	if idLen == 0 {
		return element{}, errDamaged
	}
	size, sizeLen := vint(h[idLen:n], 8)
	if sizeLen == 0 {
		return element{}, errDamaged
	}
	one := uint64(1) << (7 * sizeLen) // the bit that tells how long the length is
	from := at + int64(idLen+sizeLen)
	switch size -= one; {
	case size == one-1: // not known
		size = uint64(end - from) //nolint:gosec // there are bytes between them
	case size > math.MaxInt64 || int64(size) > end-from:
		return element{}, errDamaged
	}
	return element{uint32(id), from, from + int64(size)}, nil //nolint:gosec // four bytes at most, and within the file
}

// vint is a number of as many bytes as its first bit that is set says, with that bit, and how
// many these are; 0 where there are not so many, or more than most.
func vint(p []byte, most int) (v uint64, n int) {
	if len(p) == 0 || p[0] == 0 {
		return 0, 0
	}
	for n = 1; p[0]&(0x80>>(n-1)) == 0; n++ {
	}
	if n > most || n > len(p) {
		return 0, 0
	}
	for _, b := range p[:n] {
		v = v<<8 | uint64(b)
	}
	return v, n
}

// each calls a function for the elements between two offsets until it has enough.
func (e *elements) each(at, end int64, enough func(element) (bool, error)) error {
	for at < end {
		in, err := e.head(at, end)
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

// bytes reads what a short element holds.
func (e *elements) bytes(in element, most int64) ([]byte, error) {
	n := in.end - in.at
	if n > most {
		return nil, errDamaged
	}
	p := make([]byte, n)
	if n == 0 {
		return p, nil
	}
	if got, err := e.r.ReadAt(p, in.at); got < len(p) {
		if errors.Is(err, io.EOF) {
			return nil, errDamaged
		}
		return nil, err
	}
	return p, nil
}

// whole reads an unsigned integer.
func (e *elements) whole(in element) (uint64, error) {
	p, err := e.bytes(in, 8)
	var v [8]byte
	copy(v[8-len(p):], p)
	return binary.BigEndian.Uint64(v[:]), err
}

// float reads a number of four or eight bytes; 0 for an empty element.
func (e *elements) float(in element) (float64, error) {
	p, err := e.bytes(in, 8)
	switch {
	case err != nil:
		return 0, err
	case len(p) == 4:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(p))), nil
	case len(p) == 8:
		return math.Float64frombits(binary.BigEndian.Uint64(p)), nil
	case len(p) == 0:
		return 0, nil
	}
	return 0, errDamaged
}
