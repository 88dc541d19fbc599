package input

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testPaste is how much of a paste the tests' filter keeps.
const testPaste = 1000

// sifted is everything that a filter does with some input.
type sifted struct {
	typed   string
	replies []string
	pastes  []string
}

// sift feeds the pieces to a filter of its own.
func sift(pieces ...string) sifted {
	var got sifted
	shelf := &shelf{}
	f := &filter{pastes: shelf, most: testPaste, reply: func(r Reply) {
		got.replies = append(got.replies, string(r.Kind)+string(r.Body))
	}}
	var out []byte
	for _, p := range pieces {
		out = f.feed(out, []byte(p))
	}
	got.typed = string(f.giveUp(out))
	for i := 1; i <= shelf.serial; i++ {
		text, _ := shelf.take(i)
		got.pastes = append(got.pastes, string(text))
	}
	return got
}

func TestFilterSeparatesAnswersFromKeys(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     sifted
	}{
		{"keys", "aé漢\r\x1b[A\x1bOP\x1b[1;5C\x1b[[A\x1bx\x1bé\x7f\x00", sifted{typed: "aé漢\r\x1b[A\x1bOP\x1b[1;5C\x1b[[A\x1bx\x1bé\x7f\x00"}},
		{"rxvt keys", "\x1b[7$a\x1b[a\x1b[c\x1b[3^\x1b\x1b[A", sifted{typed: "\x1b[7$a\x1b[a\x1b[c\x1b[3^\x1b\x1b[A"}},
		{"F3 with a modifier", "\x1b[1;2R", sifted{typed: "\x1b[1;2R"}},
		{"escape", "\x1b", sifted{typed: "\x1b"}},
		{"alt with introducers", "\x1b[", sifted{typed: "\x1b["}},
		{"alt ]", "\x1b]", sifted{typed: "\x1b]"}},
		{"mouse", "\x1b[<0;10;5M\x1b[<0;10;5m", sifted{typed: "\x1b[<0;10;5M\x1b[<0;10;5m"}},
		{"old mouse", "\x1b[M \x1b]x", sifted{typed: "\x1b[M \x1b]x"}},
		{"background", "a\x1b]11;rgb:0000/0000/0000\x1b\\b", sifted{typed: "ab", replies: []string{"]11;rgb:0000/0000/0000"}}},
		{"background, BEL", "\x1b]11;rgb:ff/ff/ff\x07", sifted{replies: []string{"]11;rgb:ff/ff/ff"}}},
		{"attributes", "\x1b[?62;4;22c", sifted{replies: []string{"[?62;4;22c"}}},
		{"mode", "\x1b[?2026;2$y", sifted{replies: []string{"[?2026;2$y"}}},
		{"version", "\x1bP>|kitty(0.35)\x1b\\", sifted{replies: []string{"P>|kitty(0.35)"}}},
		{"kitty", "\x1b_Gi=31;OK\x1b\\", sifted{replies: []string{"_Gi=31;OK"}}},
		{"cell size", "\x1b[6;20;10t", sifted{replies: []string{"[6;20;10t"}}},
		{"colour registers", "\x1b[?1;0;256Sq", sifted{typed: "q", replies: []string{"[?1;0;256S"}}},
		{"all that is asked about pictures", "j\x1bP>|tmux 3.4\x1b\\\x1b[6;20;10t\x1b[?1;0;256S\x1b[?62;4ck\x1b_Gi=31;OK\x1b\\l",
			sifted{typed: "jkl", replies: []string{"P>|tmux 3.4", "[6;20;10t", "[?1;0;256S", "[?62;4c", "_Gi=31;OK"}}},
		{"focus", "\x1b[Ix\x1b[O", sifted{typed: "x", replies: []string{"[I", "[O"}}},
		{"escape typed before an answer", "\x1b\x1b[?1c", sifted{typed: "\x1b", replies: []string{"[?1c"}}},
		{"answer broken off by a key", "\x1b]11;rg\rb", sifted{typed: "\rb"}},
		{"answer broken off by an answer", "\x1b]11;rg\x1b[?1c", sifted{replies: []string{"[?1c"}}},
		{"paste", "a\x1b[200~x\x1b[31m\x1b]11;?\x07\ny\x1b[201~b", sifted{typed: "a\x1b[200~1\x1b[201~b", pastes: []string{"x\x1b[31m\x1b]11;?\x07\ny"}}},
		{"two pastes", "\x1b[200~\x1b[201~\x1b[200~b\x1b[201~", sifted{typed: "\x1b[200~1\x1b[201~\x1b[200~2\x1b[201~", pastes: []string{"", "b"}}},
		{"stray end of paste", "\x1b[201~a", sifted{typed: "a"}},
		{"not UTF-8", "\xc3a\xff", sifted{typed: "\xc3a\xff"}},
	} {
		assert.Equal(t, tt.want, sift(tt.in), tt.name)
		for i := range len(tt.in) {
			assert.Equal(t, tt.want, sift(tt.in[:i], tt.in[i:]), "%s, cut at %d", tt.name, i)
		}
	}
}

func TestFilterBoundsWhatItKeeps(t *testing.T) {
	long := sift("\x1b]11;"+strings.Repeat("x", 3*maxString), "\x07a")
	assert.Equal(t, "a", long.typed)
	require.Len(t, long.replies, 1)
	assert.LessOrEqual(t, len(long.replies[0]), maxString+1)

	assert.Equal(t, "a", sift("\x1b["+strings.Repeat("1", maxCSI-1), "a").typed)

	paste := sift("\x1b[200~", strings.Repeat("p", 3*testPaste), "\x1b[201~z")
	assert.Equal(t, "\x1b[200~1\x1b[201~z", paste.typed)
	require.Len(t, paste.pastes, 1)
	assert.Len(t, paste.pastes[0], testPaste)
}

func FuzzFilter(f *testing.F) {
	f.Add([]byte("a\x1b]11;rgb:0/0/0\x1b\\b\x1b[?1;2cc\x1b[200~p\x1b[201~"), uint8(3), uint8(9))
	f.Add([]byte("\x1b\x1b[M\x1b[[\x1bO\xe6\xbc\xa2"), uint8(1), uint8(4))
	f.Fuzz(func(t *testing.T, in []byte, a, b uint8) {
		i := min(int(a), len(in))
		j := min(i+int(b), len(in))
		whole := sift(string(in))
		assert.Equal(t, whole, sift(string(in[:i]), string(in[i:j]), string(in[j:])))
		for _, answer := range []string{"\x1b]", "\x1bP", "\x1b_"} {
			// Nothing but the undecided key at the very end may look like one.
			rest := strings.ReplaceAll(strings.TrimSuffix(whole.typed, answer), "\x1b[M", "")
			if !bytes.Contains(in, []byte("\x1b[M")) {
				assert.NotContains(t, rest, answer)
			}
		}
	})
}

func TestFilterCountsInterrupts(t *testing.T) {
	for in, want := range map[string]int{
		"\x03":                       1,
		"a\x03b\x03":                 2,
		"\x1b\x03":                   0, // with alt it is another key
		"\x1b[200~\x03\x03\x1b[201~": 0,
		"\x1b[200~\x03\x1b[201~\x03": 1,
		"\x1b[M\x03\x03\x03":         0, // a mouse report
		"\x1b]11;rgb\x03":            1, // an answer that was broken off
		"\x1b[1\x03":                 1,
		"\xe6\x03":                   1,
	} {
		f := &filter{pastes: &shelf{}, most: testPaste, reply: func(Reply) {}}
		f.giveUp(f.feed(nil, []byte(in)))
		assert.Equal(t, want, f.interrupts, "%q", in)
	}
}
