package paint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// emulator is a terminal as Enter leaves it: no autowrap.
func emulator(t *testing.T, w, h int) *vt.Emulator {
	t.Helper()
	e := vt.NewEmulator(w, h)
	send(t, e, "\x1b[?7l")
	return e
}

func send(t *testing.T, e *vt.Emulator, s string) {
	t.Helper()
	_, err := e.WriteString(s)
	require.NoError(t, err)
}

// grid describes everything a terminal shows, one line of text a row.
func grid(e *vt.Emulator) []string {
	const unseen = 1 | 2 | 4 // bold, faint, slanted: nothing of them shows on a space
	rows := make([]string, e.Height())
	for y := range rows {
		var b strings.Builder
		for x := range e.Width() {
			c := e.CellAt(x, y)
			if c == nil || c.IsZero() || c.Content == "" && c.Width == 1 || c.Content == " " && c.Style.Bg == nil && c.Style.Underline == 0 && c.Style.Attrs&^unseen == 0 {
				b.WriteString("[ ]")
				continue
			}
			fmt.Fprintf(&b, "[%s%s]", c.Style.String(), c.Content)
		}
		rows[y] = b.String()
	}
	return rows
}

// picker makes random frames of everything a view can contain.
type picker struct{ *rand.Rand }

func (p picker) one(of ...string) string { return of[p.IntN(len(of))] }

func (p picker) piece() string {
	switch p.IntN(12) {
	case 0, 1, 2, 3:
		return p.one("lorem", "ipsum", " ", "  ", "x", "·", "│", "─", "▏", "●", "é")
	case 4:
		return p.one("漢字", "日本", "한글", "，", "ｆｕｌｌ")
	case 5:
		return p.one("🪁", "👩‍🚀", "🇩🇪", "☺️", "⚠", "✅", "👍🏽")
	case 6:
		return p.one("e\u0301", "a\u0308\u0323", "\u200b", "नि", "שלום", "\u00ad")
	case 7:
		return p.one("\x1b[1m", "\x1b[7m", "\x1b[3;4m", "\x1b[38;5;200m", "\x1b[48;2;1;2;3m", "\x1b[0;31m",
			"\x1b[39m", "\x1b[49m", "\x1b[22m", "\x1b[1;38;2;9;8;7;48;5;3m", "\x1b[4:3m", "\x1b[38:5:12m", "\x1b[93;104m", "\x1b[58;5;9;2m")
	case 8, 9:
		return p.one("\x1b[m", "\x1b[0m")
	case 10:
		return p.one("\x1b]0;title\x07", "\x1b[2J", "\t", "\r", "\x1bc", "\u009b5n", "\xff", "\x1b[6n")
	}
	return strings.Repeat(p.one("ab", "漢", "=", " ", " "), p.IntN(30))
}

// plain makes a piece whose width no terminal disputes.
func (p picker) plain() string {
	return p.one("a", "b", "ab", "漢", "字", "│", "  ", "           ", "\x1b[1m", "\x1b[32m", "\x1b[7m", "\x1b[42m", "\x1b[m")
}

func (p picker) line() string {
	piece := p.piece
	if p.IntN(2) == 0 {
		piece = p.plain
	}
	var b strings.Builder
	for range p.IntN(14) {
		b.WriteString(piece())
	}
	return b.String()
}

// next changes some lines of a frame, or makes a new one.
func (p picker) next(f frame) frame {
	lines := append(slices.Clone(f.lines), make([]string, max(0, 1-len(f.lines)))...)
	switch p.IntN(6) {
	case 0:
		f.width, f.height = 1+p.IntN(40), 1+p.IntN(2*strokesFrom)
	case 1:
		lines = make([]string, p.IntN(f.height+3))
		for i := range lines {
			lines[i] = p.line()
		}
	case 2: // within a line
		i := p.IntN(len(lines))
		lines[i] = lines[i] + p.piece()
	default:
		lines[p.IntN(len(lines))] = p.line()
	}
	f.lines = lines
	f.cursor = cursor{x: p.IntN(f.width), y: p.IntN(f.height), shown: p.IntN(3) == 0}
	return f
}

func TestIncrementalPaintEqualsFullPaint(t *testing.T) {
	for seed := range uint64(30) {
		p := picker{rand.New(rand.NewPCG(seed, 7))}                //nolint:gosec // a reproducible test
		f := frame{width: 30, height: 6 + int(seed%2)*strokesFrom} // every other one is tall enough for strokes
		var s screen
		e := emulator(t, f.width, f.height)
		for step := range 25 {
			was := f
			f = p.next(f)
			if f.width != was.width || f.height != was.height {
				e.Resize(f.width, f.height)
			}
			send(t, e, string(s.paint(nil, f)))
			require.Empty(t, s.paint(nil, f), "the same frame again")

			fresh := emulator(t, f.width, f.height)
			var full screen
			send(t, fresh, string(full.paint(nil, f)))
			require.Equal(t, grid(fresh), grid(e), "seed %d step %d\n%q\n%q", seed, step, was, f)
			require.Equal(t, pen{}, s.pen)
			if f.cursor.shown {
				require.Equal(t, f.cursor.x, e.CursorPosition().X)
				require.Equal(t, f.cursor.y, e.CursorPosition().Y)
			}
		}
	}
}

// The full paint is itself compared with what a line says.
func TestFullPaintShowsTheText(t *testing.T) {
	for _, text := range []string{
		"plain", "漢字 and more", "a│b─c", "\x1b[31mred\x1b[m tail", "漢漢漢漢漢漢", "a漢漢漢漢漢漢",
		"far too long to fit into it", "", "   lead",
	} {
		const w = 10
		var s screen
		e := emulator(t, w, 2)
		send(t, e, string(s.paint(nil, frame{lines: strings.Split(text+"\nnext", "\n"), width: w, height: 2})))
		rows := strings.Split(e.String(), "\n")
		want := ansi.Strip(ansi.Truncate(text, w, ""))
		assert.Equal(t, want, strings.TrimRight(rows[0], " "), text)
		assert.Equal(t, "next", strings.TrimRight(rows[1], " "), text)
	}
}

func TestPaintSendsLittle(t *testing.T) {
	var s screen
	f := frame{lines: strings.Split("one\ntwo words\nthree", "\n"), width: 20, height: 3}
	s.paint(nil, f)
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "one\ntwo words\nthree", ""},
		{"one cell", "one\ntwo wards\nthree", "\x1b[2;6Ha"},
		{"two near cells", "one\ntwo wards\nthree", ""},
		{"style of one cell", "one\ntwo w\x1b[7ma\x1b[mrds\nthree", "\x1b[2;6H\x1b[7ma\x1b[m"},
		{"shorter", "one\ntwo w\nthree", "\x1b[2;6H\x1b[K"},
		{"a row less", "one\ntwo w", "\x1b[3H\x1b[K"},
		{"rows beyond the height", "one\ntwo w\n\nx\ny", ""},
		{"several rows", "1\n2", "\x1b[?2026h\x1b[1H1\x1b[K\x1b[2H2\x1b[K\x1b[?2026l"},
	} {
		f.lines = strings.Split(tt.text, "\n")
		assert.Equal(t, tt.want, string(s.paint(nil, f)), tt.name)
	}
}

// TestStrokesSendLess: a screen that changes as a whole is sent by pens.
func TestStrokesSendLess(t *testing.T) {
	rows := func(n int, text string) frame {
		return frame{lines: strings.Split(strings.Repeat("\x1b[38;2;1;2;3m✓\x1b[m "+text+" \x1b[38;2;3;2;1m│\x1b[m\n", n-1)+text, "\n"), width: 20, height: n}
	}
	for _, n := range []int{strokesFrom - 1, strokesFrom + 1} {
		var s screen
		s.paint(nil, frame{lines: strings.Split("before", "\n"), width: 20, height: n})
		got := string(s.paint(nil, rows(n, "kite")))
		want := 1
		if n < strokesFrom {
			want = n - 1
		}
		assert.Equal(t, want, strings.Count(got, "38;2;1;2;3m"), got)
		assert.Equal(t, want, strings.Count(got, "38;2;3;2;1m"), got)
	}
	var s screen
	red := func(text string) frame {
		return frame{lines: strings.Split(strings.Repeat("\x1b[31m"+text+"\x1b[m\n", strokesFrom), "\n"), width: 20, height: strokesFrom}
	}
	s.paint(nil, red("kite"))
	got := string(s.paint(nil, red("boat")))
	assert.True(t, strings.HasPrefix(got, syncBegin) && strings.HasSuffix(got, syncEnd), "rows that are all strokes show at once: %q", got)
}

func TestOnlyTextAndStyleReachTheTerminal(t *testing.T) {
	hostile := "a\x1b]52;c;AAAA\x07b\x1bP1$r\x1b\\c\x1b[6nd\x1b[?25he\x07\x08\x1bcf\u009b6ng\x1b[>4;2mh\x1b_Gx\x1b\\\x7f"
	var s screen
	got := string(s.paint(nil, frame{lines: strings.Split(hostile, "\n"), width: 40, height: 1}))
	assert.Equal(t, "\x1b[m\x1b[H\x1b[2J\x1b[1Habcdef6ngh", strings.TrimSuffix(strings.TrimPrefix(got, "\x1b[?2026h"), "\x1b[?2026l"))
}

func FuzzPaint(f *testing.F) {
	f.Add("one\ntwo", "one\n\x1b[1mtwo", uint8(20), uint8(4))
	f.Add("漢字\x1b[7m\n🪁", "a漢字\n☺️\u0301", uint8(3), uint8(2))
	f.Add("\x1b[", "\x1b]\xff", uint8(1), uint8(1))
	f.Fuzz(func(t *testing.T, a, b string, w, h uint8) {
		one := frame{lines: strings.Split(a, "\n"), width: 1 + int(w)%80, height: 1 + int(h)%24}
		two := one
		two.lines = strings.Split(b, "\n")
		e, fresh := emulator(t, one.width, one.height), emulator(t, one.width, one.height)
		var s, full screen
		send(t, e, string(s.paint(nil, one)))
		send(t, e, string(s.paint(nil, two)))
		send(t, fresh, string(full.paint(nil, two)))
		assert.Equal(t, grid(fresh), grid(e))
	})
}

// benchFrame is a full 200x60 screen with styles, as the console draws it.
func benchFrame(n int) frame {
	var b strings.Builder
	for y := range 60 {
		if y > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "\x1b[38;5;%dm│\x1b[m %06d %s\x1b[1m│\x1b[m%s", y, n+y, strings.Repeat("word ", 18), strings.Repeat("cells ", 16))
	}
	return frame{lines: strings.Split(b.String(), "\n"), width: 200, height: 60}
}

func BenchmarkPaintOneLine(b *testing.B) {
	var s screen
	one := benchFrame(0)
	two := one
	two.lines = strings.Split(strings.Replace(strings.Join(one.lines, "\n"), "000030", "\x1b[7m000031\x1b[m", 1), "\n")
	benchPaint(b, &s, one, two)
}

func BenchmarkPaintAllLines(b *testing.B) {
	var s screen
	benchPaint(b, &s, benchFrame(0), benchFrame(111111))
}

func benchPaint(b *testing.B, s *screen, one, two frame) {
	var buf []byte
	buf = s.paint(buf[:0], one)
	b.ReportAllocs()
	for b.Loop() {
		buf = s.paint(buf[:0], two)
		buf = s.paint(buf[:0], one)
	}
	b.ReportMetric(float64(len(buf)), "B/paint")
}
