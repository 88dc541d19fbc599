package input

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

const (
	maxCSI    = 64       // longest control sequence that is held
	maxString = 8 << 10  // longest answer that is kept; the rest is dropped
	maxPaste  = 16 << 20 // longest paste that the console keeps
	ctrlC     = 0x03
)

var (
	pasteStart = []byte("\x1b[200~")
	pasteEnd   = []byte("\x1b[201~")
)

// filterState is where in a sequence the filter stands.
type filterState int

const (
	ground    filterState = iota
	inUTF8                // a rune is incomplete
	escaped               // after ESC
	inCSI                 // after ESC [
	inSS3                 // after ESC O
	inConsole             // after ESC [ [, a function key of the Linux console
	inX10                 // the three bytes after ESC [ M
	inString              // in an OSC, DCS, SOS, PM or APC string
	stringEsc             // after ESC in a string
	inPaste               // between the paste brackets
)

// filter separates what was typed from what the terminal answered. It is fed
// the bytes as they are read, in pieces of any size: the bytes it lets through
// and the calls it makes are the same wherever the pieces are cut.
//
// Every sequence and rune that it lets through is whole, so that the parser
// behind it needs no look-ahead. A paste is taken out and kept; a short paste
// with its number goes through in its place, so that its order among the keys
// is kept; the shelf keeps what was pasted.
type filter struct {
	reply func(r Reply) // an answer of the terminal, or a focus report

	pastes *shelf
	most   int // bytes of a paste that are kept; the rest is dropped

	state filterState
	held  []byte // the undecided sequence, from its ESC or first byte
	need  int    // bytes still to come in inUTF8 and inX10
	str   []byte // payload of the string, from its introducer
	paste []byte // what came of a paste

	interrupts int // so many ctrl+c were let through
}

// Reply is a sequence that the terminal sent, without ESC and terminator.
// Kind is the second byte of the sequence: '[' for CSI, ']' OSC, 'P' DCS,
// '_' APC, '^' PM, 'X' SOS.
type Reply struct {
	Kind byte
	Body []byte // valid during the call only
}

// feed appends to dst what src lets through.
func (f *filter) feed(dst, src []byte) []byte {
	for _, b := range src {
		dst = f.step(dst, b)
	}
	return dst
}

// undecided reports whether what is held could be a key that was typed: Escape, or Alt with one of
// the characters that begin a sequence.
func (f *filter) undecided() bool {
	switch f.state {
	case escaped, inSS3, inConsole:
		return true
	case inCSI:
		return f.held[len(f.held)-1] == '['
	case inString:
		return len(f.str) == 1
	}
	return false
}

// loneEscape reports whether a single ESC is held.
func (f *filter) loneEscape() bool { return f.state == escaped && len(f.held) == 1 }

// giveUp lets what is undecided through: nothing followed it in time.
func (f *filter) giveUp(dst []byte) []byte {
	if !f.undecided() {
		return dst
	}
	if f.state == inString {
		f.held = append(f.held, f.str[0])
	}
	return f.pass(dst)
}

// pass lets what is held through.
func (f *filter) pass(dst []byte) []byte {
	dst = append(dst, f.held...)
	f.drop()
	return dst
}

// passTyped lets an ESC through that was typed right before a sequence which is
// taken out, and drops the sequence.
func (f *filter) passTyped(dst []byte) []byte {
	if len(f.held) > 1 && f.held[1] == 0x1b {
		dst = append(dst, 0x1b)
	}
	f.drop()
	return dst
}

func (f *filter) drop() {
	f.held, f.str, f.need, f.state = f.held[:0], f.str[:0], 0, ground
}

func (f *filter) step(dst []byte, b byte) []byte {
	switch f.state {
	case inPaste:
		return f.stepPaste(dst, b)
	case inString, stringEsc:
		return f.stepString(dst, b)
	case inCSI:
		return f.stepCSI(dst, b)
	case escaped:
		return f.stepEscaped(dst, b)
	case inUTF8:
		if b&0xc0 != 0x80 {
			return f.step(f.pass(dst), b)
		}
		return f.count(dst, b)
	case inX10:
		return f.count(dst, b)
	case inSS3, inConsole:
		if b < 0x20 || b >= 0x7f {
			return f.step(f.pass(dst), b)
		}
		f.held = append(f.held, b)
		return f.pass(dst)
	}
	return f.stepGround(dst, b)
}

func (f *filter) stepGround(dst []byte, b byte) []byte {
	switch n := runeLength(b); {
	case b == 0x1b:
		f.held, f.state = append(f.held, b), escaped
	case n > 1:
		f.held, f.need, f.state = append(f.held, b), n-1, inUTF8
	default:
		if b == ctrlC {
			f.interrupts++
		}
		f.held = append(f.held, b)
		return f.pass(dst)
	}
	return dst
}

// runeLength returns how many bytes a rune that begins with b has; 1 for a byte that begins none.
func runeLength(b byte) int {
	switch {
	case b >= 0xc2 && b < 0xe0:
		return 2
	case b >= 0xe0 && b < 0xf0:
		return 3
	case b >= 0xf0 && b < 0xf5:
		return utf8.UTFMax
	}
	return 1
}

// count takes one of the bytes that are still needed.
func (f *filter) count(dst []byte, b byte) []byte {
	f.held = append(f.held, b)
	if f.need--; f.need > 0 {
		return dst
	}
	return f.pass(dst)
}

func (f *filter) stepEscaped(dst []byte, b byte) []byte {
	switch b {
	case '[':
		f.held, f.state = append(f.held, b), inCSI
	case 'O':
		f.held, f.state = append(f.held, b), inSS3
	case ']', 'P', 'X', '^', '_':
		f.str, f.state = append(f.str[:0], b), inString
	case 0x1b:
		if len(f.held) == 2 { // a third ESC: the first two are Alt+Escape
			dst = f.pass(dst)
			f.state = escaped
		}
		f.held = append(f.held, b)
	default:
		if n := runeLength(b); n > 1 {
			f.held, f.need, f.state = append(f.held, b), n-1, inUTF8
			return dst
		}
		f.held = append(f.held, b)
		return f.pass(dst)
	}
	return dst
}

func (f *filter) stepCSI(dst []byte, b byte) []byte {
	body := f.held[bytes.IndexByte(f.held, '[')+1:]
	switch {
	case b == '[' && len(body) == 0:
		f.held, f.state = append(f.held, b), inConsole
		return dst
	case b < 0x20 || b >= 0x7f: // the sequence was broken off
		if len(body) == 0 {
			dst = f.pass(dst)
		}
		f.drop()
		return f.step(dst, b)
	}
	f.held = append(f.held, b)
	body = f.held[len(f.held)-len(body)-1:]
	private := body[0] == '?' || body[0] == '>' || body[0] == '='
	switch {
	case b == '$' && !private: // rxvt ends keys with it, and so never finishes
		return f.pass(dst)
	case b >= 0x40:
		return f.endCSI(dst, body, private)
	case len(f.held) > maxCSI:
		f.drop()
	}
	return dst
}

// endCSI decides about a whole control sequence.
func (f *filter) endCSI(dst, body []byte, private bool) []byte {
	final := body[len(body)-1]
	switch {
	case string(body) == "M":
		f.need, f.state = 3, inX10
		return dst
	case string(body) == "200~":
		dst = f.passTyped(dst)
		f.paste, f.state = f.paste[:0], inPaste
		return dst
	case string(body) == "201~":
		return f.passTyped(dst)
	case private, string(body) == "I", string(body) == "O",
		len(body) > 1 && (final == 't' || final == 'n'):
		f.reply(Reply{'[', body})
		return f.passTyped(dst)
	}
	return f.pass(dst)
}

func (f *filter) stepString(dst []byte, b byte) []byte {
	if f.state == stringEsc {
		if b == '\\' {
			return f.endString(dst)
		}
		f.drop() // broken off by another sequence
		return f.step(f.step(dst, 0x1b), b)
	}
	switch {
	case b == 0x07:
		return f.endString(dst)
	case b == 0x1b:
		f.state = stringEsc
	case b < 0x20: // no answer has one: somebody is typing
		f.drop()
		return f.step(dst, b)
	case len(f.str) < maxString:
		f.str = append(f.str, b)
	}
	return dst
}

func (f *filter) endString(dst []byte) []byte {
	f.reply(Reply{f.str[0], f.str[1:]})
	return f.passTyped(dst)
}

func (f *filter) stepPaste(dst []byte, b byte) []byte {
	f.paste = append(f.paste, b)
	switch {
	case b == pasteEnd[len(pasteEnd)-1] && bytes.HasSuffix(f.paste, pasteEnd):
		return f.endPaste(dst)
	case len(f.paste) >= f.most+2*len(pasteEnd): // keep what may be the end's beginning
		keep := f.paste[len(f.paste)-len(pasteEnd):]
		f.paste = append(f.paste[:f.most], keep...)
	}
	return dst
}

func (f *filter) endPaste(dst []byte) []byte {
	text := f.paste[:min(len(f.paste)-len(pasteEnd), f.most)]
	serial := f.pastes.put(text)
	f.paste, f.state = nil, ground
	dst = append(dst, pasteStart...)
	dst = strconv.AppendInt(dst, int64(serial), 10)
	return append(dst, pasteEnd...)
}
