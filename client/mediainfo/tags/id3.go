package tags

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// id3Names are the frames that are told, of version 2.2 and of the later ones.
var id3Names = map[string]string{
	"TT2": "Title", "TP1": "Artist", "TAL": "Album", "TRK": "Track", "TYE": "Date", "TCO": "Genre", "TCM": "Composer", "TBP": "Tempo", "TSS": "Software",
	"TIT2": "Title", "TPE1": "Artist", "TALB": "Album", "TRCK": "Track", "TYER": "Date", "TDRC": "Date", "TCON": "Genre", "TCOM": "Composer", "TBPM": "Tempo", "TSSE": "Software",
}

// id3 reads an ID3v2 tag of version 2.2, 2.3 or 2.4.
func (t *Tags) id3(b []byte) {
	if len(b) < 10 {
		return
	}
	version, flags := b[3], b[5]
	body := b[10:min(len(b), 10+safe(b[6:10]))]
	if version < 2 || version > 4 {
		return
	}
	if flags&0x80 != 0 && version < 4 {
		body = resync(body)
	}
	if flags&0x40 != 0 && version > 2 { // an extended header
		if len(body) < 4 {
			return
		}
		n := int(binary.BigEndian.Uint32(body)) + 4
		if version == 4 {
			n = safe(body)
		}
		if n < 4 || n > len(body) {
			return
		}
		body = body[n:]
	}
	for range maxBlocks {
		id, data, rest, ok := id3Frame(version, body)
		if !ok {
			return
		}
		body = rest
		t.id3Take(id, data, version)
	}
}

// safe is a number of four bytes with seven bits each.
func safe(b []byte) int {
	return int(b[0]&0x7f)<<21 | int(b[1]&0x7f)<<14 | int(b[2]&0x7f)<<7 | int(b[3]&0x7f)
}

// resync takes out the zeros that keep players from finding frames in a tag.
func resync(b []byte) []byte { return bytes.ReplaceAll(b, []byte{0xff, 0}, []byte{0xff}) }

// id3Frame takes one frame off the body. Data is nil for one that cannot be read.
func id3Frame(version byte, b []byte) (id string, data, rest []byte, ok bool) {
	head, size := 10, 0
	if version == 2 {
		head = 6
	}
	if len(b) < head || b[0] == 0 {
		return "", nil, nil, false // padding
	}
	switch version {
	case 2:
		id, size = string(b[:3]), int(b[3])<<16|int(b[4])<<8|int(b[5])
	case 3:
		id, size = string(b[:4]), int(binary.BigEndian.Uint32(b[4:]))
	default:
		id, size = string(b[:4]), safe(b[4:])
	}
	if size < 0 || size > len(b)-head {
		return "", nil, nil, false
	}
	data, rest = b[head:head+size], b[head+size:]
	switch {
	case version == 3 && b[9]&0xc0 != 0, version == 4 && b[9]&0x0c != 0:
		return id, nil, rest, true // compressed or encrypted
	case version == 4 && b[9]&0x01 != 0 && len(data) >= 4:
		data = data[4:] // its length comes first
	}
	if version == 4 && b[9]&0x02 != 0 {
		data = resync(data)
	}
	return id, data, rest, true
}

func (t *Tags) id3Take(id string, data []byte, version byte) {
	if len(data) < 2 {
		return
	}
	enc := data[0]
	switch id {
	case "USLT", "ULT", "COMM", "COM":
		if len(data) < 5 {
			return
		}
		about, text := cutText(enc, data[4:])
		switch {
		case id[0] == 'U':
			t.sing(text16(enc, text))
		case len(about) == 0: // those with a name are programs' own notes
			t.add("Comment", text16(enc, text))
		}
	case "TXXX", "TXX": // where programs put what they know no frame for
		about, text := cutText(enc, data[1:])
		switch name := strings.ToLower(text16(enc, about)); {
		case strings.HasPrefix(name, "lyrics"), name == "unsyncedlyrics", name == "uslt":
			t.sing(text16(enc, text))
		case name == "comment":
			t.add("Comment", text16(enc, text))
		}
	case "APIC", "PIC":
		rest := data[1:]
		if version == 2 {
			rest = rest[min(3, len(rest)):]
		} else {
			_, rest, _ = bytes.Cut(rest, []byte{0})
		}
		if len(rest) < 2 {
			return
		}
		kind := rest[0]
		_, picture := cutText(enc, rest[1:])
		t.cover(picture, kind == 3)
	default:
		if name := id3Names[id]; name != "" {
			t.add(name, strings.ReplaceAll(text16(enc, data[1:]), "\x00", ", "))
		}
	}
}

// cutText parts a text from what follows its end.
func cutText(enc byte, b []byte) (text, rest []byte) {
	if enc != 1 && enc != 2 {
		text, rest, _ = bytes.Cut(b, []byte{0})
		return text, rest
	}
	for i := 0; i+1 < len(b); i += 2 {
		if b[i] == 0 && b[i+1] == 0 {
			if text = b[:i]; len(text) == 2 && (text[0] == 0xff || text[0] == 0xfe) {
				text = nil // a mark of the byte order alone
			}
			return text, b[i+2:]
		}
	}
	return b, nil
}

// text16 reads a text of one of ID3's encodings: Latin-1, UTF-16 with and without a mark of
// the byte order, UTF-8. Zeros that end it are left out.
func text16(enc byte, b []byte) string { return strings.TrimRight(decoded(enc, b), "\x00") }

func decoded(enc byte, b []byte) string {
	switch enc {
	case 1, 2:
		var order binary.ByteOrder = binary.BigEndian
		if len(b) >= 2 && b[0] == 0xff && b[1] == 0xfe {
			order, b = binary.LittleEndian, b[2:]
		} else if len(b) >= 2 && b[0] == 0xfe && b[1] == 0xff {
			b = b[2:]
		}
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = order.Uint16(b[2*i:])
		}
		return string(utf16.Decode(units))
	case 3:
		return string(b)
	default:
		runes := make([]rune, len(b))
		for i, c := range b {
			runes[i] = rune(c)
		}
		return string(runes)
	}
}
