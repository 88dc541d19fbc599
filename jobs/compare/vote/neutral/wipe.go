package neutral

import (
	"encoding/binary"
	"errors"
	"os"
	"slices"
)

// maxBoxes bounds the boxes and chunks of a file that are looked at.
const maxBoxes = 20_000

var errDamaged = errors.New("the file is damaged")

// wiper overwrites parts of a file in place, so that nothing in it moves.
type wiper struct {
	f    *os.File
	left int
}

// zero writes zeros.
func (w *wiper) zero(at, end int64) error {
	var none [32 << 10]byte
	for at < end {
		n, err := w.f.WriteAt(none[:min(int64(len(none)), end-at)], at)
		if err != nil {
			return err
		}
		at += int64(n)
	}
	return nil
}

// wipeMP4 makes all boxes of an MP4 empty that say who made it and when; streams and indexes stay.
func wipeMP4(f *os.File, size int64) error {
	return (&wiper{f, maxBoxes}).boxes(0, size, 0)
}

// boxes goes through the boxes between two offsets.
func (w *wiper) boxes(at, end int64, depth int) error {
	const deepest = 10
	for end-at >= 8 {
		if w.left--; w.left < 0 || depth > deepest {
			return errDamaged
		}
		var h [16]byte
		if _, err := w.f.ReadAt(h[:min(16, end-at)], at); err != nil {
			return err
		}
		length, head := int64(binary.BigEndian.Uint32(h[:])), int64(8)
		switch length {
		case 0:
			length = end - at
		case 1:
			length, head = int64(binary.BigEndian.Uint64(h[8:])), 16
		}
		if length < head || length > end-at {
			return errDamaged
		}
		if err := w.box(string(h[4:8]), at, at+head, at+length, depth); err != nil {
			return err
		}
		at += length
	}
	return nil
}

// box goes into a box, or makes it say nothing: it begins at from, and its content at at.
func (w *wiper) box(name string, from, at, end int64, depth int) error {
	switch name {
	case "moov", "trak", "mdia", "minf", "stbl", "moof", "traf", "edts", "dinf":
		return w.boxes(at, end, depth+1)
	case "udta", "meta", "uuid", "free", "skip", "emsg":
		if _, err := w.f.WriteAt([]byte("free"), from+4); err != nil {
			return err
		}
		return w.zero(at, end)
	case "mvhd", "tkhd", "mdhd": // when it was made and changed
		var version [1]byte
		if _, err := w.f.ReadAt(version[:], at); err != nil {
			return errDamaged
		}
		return w.zero(at+4, min(end, at+4+8+8*int64(min(version[0], 1))))
	case "hdlr": // the name of the handler
		return w.zero(min(end, at+24), end)
	case "stsd":
		return w.boxes(min(end, at+8), end, depth+1)
	case "avc1", "avc3", "hvc1", "hev1", "av01", "vp09", "mp4v": // the name of the encoder
		return w.zero(min(end, at+42), min(end, at+42+32))
	}
	return nil
}

// wipeWAV makes all chunks of a WAV empty but its format and its samples.
func wipeWAV(f *os.File, size int64) error {
	w := &wiper{f, maxBoxes}
	for at := int64(12); size-at >= 8; {
		if w.left--; w.left < 0 {
			return errDamaged
		}
		var h [8]byte
		if _, err := f.ReadAt(h[:], at); err != nil {
			return err
		}
		end := min(size, at+8+int64(binary.LittleEndian.Uint32(h[4:])))
		if !slices.Contains([]string{"fmt ", "data", "fact"}, string(h[:4])) {
			if _, err := f.WriteAt([]byte("JUNK"), at); err != nil {
				return err
			}
			if err := w.zero(at+8, end); err != nil {
				return err
			}
		}
		at = end + end&1
	}
	return nil
}

// freeBox puts the head of an empty box of n bytes behind the last one.
func freeBox(path string, at, n int64) error {
	const most = 1<<32 - 1
	f, err := os.OpenFile(path, os.O_WRONLY, 0) // #nosec G304 -- of our own folder
	if err != nil {
		return err
	}
	if n > most {
		n = most
	}
	_, err = f.WriteAt(append(binary.BigEndian.AppendUint32(nil, uint32(n)), "free"...), at)
	return errors.Join(err, f.Close())
}
