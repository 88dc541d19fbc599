package tags

import (
	"encoding/binary"
	"io"
)

var mp4Names = map[string]string{
	"\xa9nam": "Title", "\xa9ART": "Artist", "\xa9alb": "Album", "\xa9day": "Date", "\xa9gen": "Genre",
	"\xa9wrt": "Composer", "\xa9cmt": "Comment", "\xa9too": "Software",
}

// mp4 finds the item list in the index of an MP4.
func (t *Tags) mp4(r io.ReaderAt, size int64) {
	at := int64(0)
	for range maxBlocks {
		head := block(r, at, 16)
		if len(head) < 8 {
			return
		}
		n := int64(binary.BigEndian.Uint32(head))
		if n == 1 && len(head) == 16 {
			n = int64(binary.BigEndian.Uint64(head[8:]) & (1<<62 - 1))
		} else if n == 0 {
			n = size - at
		}
		if n < 8 || n > size-at {
			return
		}
		if string(head[4:8]) == "moov" {
			t.moov(block(r, at+8, n-8))
			return
		}
		at += n
	}
}

func (t *Tags) moov(b []byte) {
	inside(b, func(name string, b []byte) {
		if name != "udta" {
			return
		}
		inside(b, func(name string, b []byte) {
			if name != "meta" || len(b) < 12 {
				return
			}
			if string(b[4:8]) != "hdlr" { // QuickTime's has no version before its boxes
				b = b[4:]
			}
			inside(b, func(name string, b []byte) {
				if name == "ilst" {
					inside(b, t.item)
				}
			})
		})
	})
}

// item reads one item of the list: what it says stands in boxes named data.
func (t *Tags) item(name string, b []byte) {
	inside(b, func(inner string, b []byte) {
		if inner != "data" || len(b) < 8 {
			return
		}
		value := b[8:] // behind type and locale
		switch name {
		case "covr":
			t.cover(value, true)
		case "\xa9lyr":
			t.sing(string(value))
		case "trkn":
			if len(value) >= 6 {
				t.add("Track", number(int(binary.BigEndian.Uint16(value[2:])), int(binary.BigEndian.Uint16(value[4:]))))
			}
		default:
			if field := mp4Names[name]; field != "" {
				t.add(field, string(value))
			}
		}
	})
}

// inside calls a function for the boxes in a box.
func inside(b []byte, each func(name string, body []byte)) {
	for range maxBlocks {
		if len(b) < 8 {
			return
		}
		n := int64(binary.BigEndian.Uint32(b))
		if n < 8 || n > int64(len(b)) {
			return
		}
		each(string(b[4:8]), b[8:n])
		b = b[n:]
	}
}

var riffNames = map[string]string{
	"INAM": "Title", "IART": "Artist", "IPRD": "Album", "ITRK": "Track", "IPRT": "Track", "ICRD": "Date", "IGNR": "Genre",
	"IMUS": "Composer", "ICMT": "Comment", "ISFT": "Software",
}

// riff reads the INFO list and the ID3 chunk of a WAV, before the sound or behind it.
func (t *Tags) riff(r io.ReaderAt, size int64) {
	at := int64(12)
	for range maxBlocks {
		head := block(r, at, 8)
		if len(head) < 8 {
			return
		}
		n := int64(binary.LittleEndian.Uint32(head[4:]))
		at += 8
		switch string(head[:4]) {
		case "LIST":
			t.info(block(r, at, min(n, size-at, maxTag)))
		case "id3 ", "ID3 ":
			t.id3(block(r, at, min(n, size-at, maxTag)))
		}
		at += n + n&1
	}
}

func (t *Tags) info(b []byte) {
	if len(b) < 4 || string(b[:4]) != "INFO" {
		return
	}
	b = b[4:]
	for range maxBlocks {
		if len(b) < 8 {
			return
		}
		name, n := string(b[:4]), int64(binary.LittleEndian.Uint32(b[4:]))
		if n > int64(len(b)-8) {
			return
		}
		if field := riffNames[name]; field != "" {
			text, _ := cutText(0, b[8:8+n])
			t.add(field, string(text))
		}
		b = b[min(int64(len(b)), 8+n+n&1):]
	}
}
