package download

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// outerBoxes are the outer boxes of MP4 and MOV files.
var outerBoxes = []string{"ftyp", "styp", "moov", "mdat", "moof", "sidx", "mfra", "free", "skip", "wide", "uuid", "meta", "udta"}

// brokenOff says that a file of MP4's kind ends within one of its boxes. It is for bodies of no
// announced length, which end alike whether they are whole or not. Files of other kinds pass.
func brokenOff(r io.ReaderAt, size int64) error {
	var head [16]byte
	for at := int64(0); at < size; {
		n, err := r.ReadAt(head[:], at)
		if err != nil && err != io.EOF {
			return err
		}
		if n < 8 || !slices.Contains(outerBoxes, string(head[4:8])) {
			return nil
		}
		length := int64(binary.BigEndian.Uint32(head[:4]))
		switch {
		case length == 1 && n == len(head):
			length = int64(binary.BigEndian.Uint64(head[8:])) //nolint:gosec // a negative one ends the look
		case length == 0:
			return nil // to the end of the file
		}
		if length < 8 {
			return nil
		}
		if length > size-at {
			return fmt.Errorf("it ended after %d bytes, within its part %q that has %d", size, head[4:8], length)
		}
		at += length
	}
	return nil
}
