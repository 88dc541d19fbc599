package tags

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"io"
	"strings"
)

var vorbisNames = map[string]string{
	"TITLE": "Title", "ARTIST": "Artist", "ALBUM": "Album", "TRACKNUMBER": "Track", "DATE": "Date", "GENRE": "Genre",
	"COMPOSER": "Composer", "BPM": "Tempo", "COMMENT": "Comment", "DESCRIPTION": "Comment", "ENCODER": "Software",
}

// flac reads the blocks before the sound.
func (t *Tags) flac(r io.ReaderAt, size int64) {
	at := int64(4)
	for range maxBlocks {
		head := block(r, at, 4)
		if len(head) < 4 {
			return
		}
		n := int64(head[1])<<16 | int64(head[2])<<8 | int64(head[3])
		at += 4
		if n > size-at {
			return
		}
		switch head[0] & 0x7f {
		case 4:
			t.vorbis(block(r, at, n))
		case 6:
			t.picture(block(r, at, n))
		}
		if head[0]&0x80 != 0 {
			return
		}
		at += n
	}
}

// vorbis reads a list of comments.
func (t *Tags) vorbis(b []byte) {
	_, b, ok := sized(b, binary.LittleEndian) // who wrote it
	if !ok || len(b) < 4 {
		return
	}
	b = b[4:]
	for range maxBlocks {
		var c []byte
		if c, b, ok = sized(b, binary.LittleEndian); !ok {
			return
		}
		key, value, _ := strings.Cut(string(c), "=")
		switch key = strings.ToUpper(key); key {
		case "LYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS":
			t.sing(value)
		case "METADATA_BLOCK_PICTURE":
			if raw, err := base64.StdEncoding.DecodeString(value); err == nil {
				t.picture(raw)
			}
		default:
			if name := vorbisNames[key]; name != "" {
				t.add(name, value)
			}
		}
	}
}

// sized takes a text with its length before it off.
func sized(b []byte, order binary.ByteOrder) (text, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n := int64(order.Uint32(b))
	if n > int64(len(b)-4) {
		return nil, nil, false
	}
	return b[4 : 4+n], b[4+n:], true
}

// picture reads FLAC's block of one.
func (t *Tags) picture(b []byte) {
	if len(b) < 4 {
		return
	}
	kind := binary.BigEndian.Uint32(b)
	_, b, ok := sized(b[4:], binary.BigEndian) // its type
	if ok {
		_, b, ok = sized(b, binary.BigEndian) // about it
	}
	if !ok || len(b) < 16 { // width, height, depth, colours
		return
	}
	if data, _, ok := sized(b[16:], binary.BigEndian); ok {
		t.cover(data, kind == 3)
	}
}

// ogg reads the second packet of a file, which has the comments of Vorbis and Opus.
func (t *Tags) ogg(r io.ReaderAt, size int64) {
	var packet []byte
	at, first := int64(0), true
	for range maxBlocks {
		head := block(r, at, 27)
		if len(head) < 27 || string(head[:4]) != "OggS" {
			return
		}
		lacing := block(r, at+27, int64(head[26]))
		at += 27 + int64(len(lacing))
		for _, n := range lacing {
			if int64(n) > size-at {
				return
			}
			if !first {
				packet = append(packet, block(r, at, int64(n))...)
			}
			at += int64(n)
			if n == 255 {
				if len(packet) > maxTag {
					return
				}
				continue // the packet goes on
			}
			if first {
				first = false
				continue
			}
			if body, ok := bytes.CutPrefix(packet, []byte("\x03vorbis")); ok {
				t.vorbis(body)
			} else if body, ok := bytes.CutPrefix(packet, []byte("OpusTags")); ok {
				t.vorbis(body)
			}
			return
		}
	}
}
