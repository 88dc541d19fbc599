package improve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// shown writes parts as people do: what went in [-…-], what came in {+…+}.
func shown(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.Same():
			b.WriteString(p.Old)
		default:
			if p.Old != "" {
				b.WriteString("[-" + p.Old + "-]")
			}
			if p.New != "" {
				b.WriteString("{+" + p.New + "+}")
			}
		}
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"nothing", "", "", ""},
		{"the same", "a kite", "a kite", "a kite"},
		{"from nothing", "", "a kite", "{+a kite+}"},
		{"to nothing", "a kite", "", "[-a kite-]"},
		{"a word", "a red kite", "a crimson kite", "a [-red-]{+crimson+} kite"},
		{"words added", "a kite", "a kite over a salt flat", "a kite{+ over a salt flat+}"},
		{"two apart", "a red kite at dawn", "a crimson kite at dusk", "a [-red-]{+crimson+} kite at [-dawn-]{+dusk+}"},
		{"near ones are one", "red, blue kite", "pink, green kite", "[-red, blue-]{+pink, green+} kite"},
		{"within a word", "don't go", "can't go", "[-don't-]{+can't+} go"},
		{"ratios and numbers are words", "in 16:9 at 2.5 s", "in 9:16 at 2.5 s", "in [-16:9-]{+9:16+} at 2.5 s"},
		{"case", "Kite", "kite", "[-Kite-]{+kite+}"},
		{"Chinese by character", "盐滩上的红风筝", "盐滩上空的红色风筝", "盐滩上{+空+}的红{+色+}风筝"},
		{"Japanese by character", "塩の平原に凧", "塩の平原に赤い凧", "塩の平原に{+赤い+}凧"},
		{"Korean by word", "붉은 연이 난다", "붉은 연이 높이 난다", "붉은 연이 {+높이 +}난다"},
		{"Thai by character", "ว่าวแดง", "ว่าวสีแดง", "ว่าว{+สี+}แดง"},
		{"a family is one character", "a 👨‍👩‍👧 here", "a 👨‍👩‍👦 here", "a [-👨‍👩‍👧-]{+👨‍👩‍👦+} here"},
		{"skin and flags", "👍🏽 🇩🇪", "👍🏿 🇫🇷", "[-👍🏽 🇩🇪-]{+👍🏿 🇫🇷+}"},
		{"marks stay with their letter", "cafe\u0301 noir", "café noir", "[-cafe\u0301-]{+café+} noir"},
		{"Hebrew", "עפיפון אדום מעל מישור", "עפיפון כחול מעל מישור", "עפיפון [-אדום-]{+כחול+} מעל מישור"},
		{"Arabic with marks", "طائرة وَرَقِيّة", "طائرة حمراء وَرَقِيّة", "طائرة {+حمراء +}وَرَقِيّة"},
		{"mixed", "a 赤い kite", "a 青い kite", "a [-赤-]{+青+}い kite"},
		{"lines", "one\ntwo\r\nthree", "one\n2\r\nthree", "one\n[-two-]{+2+}\r\nthree"},
		{"clauses that came", "a kite", "a kite, wide shot, at 2.5 m. Calm.", "a kite{+, wide shot+}{+, at 2.5 m+}{+. Calm.+}"},
		{"adjectives of one thing", "a kite", "a kite, in fog, a calm, quiet mood, at dawn", "a kite{+, in fog+}{+, a calm, quiet mood+}{+, at dawn+}"},
		{"clauses before", "a kite", "Wide shot, calm, a kite", "{+Wide shot, +}{+calm, +}a kite"},
		{"clauses that went", "a kite, red, at dawn", "a kite", "a kite[-, red-][-, at dawn-]"},
		{"Chinese clauses", "红风筝", "红风筝，广角，宁静。", "红风筝{+，广角+}{+，宁静。+}"},
		{"templates", "a {red|blue} __animal__", "a bright {red|blue} __animal__", "a {+bright +}{red|blue} __animal__"},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts := Diff(c.a, c.b)
			assert.Equal(t, c.want, shown(parts))
			sound(t, c.a, c.b, parts)
		})
	}
}

// sound checks what is true of every comparison.
func sound(t *testing.T, a, b string, parts []Part) {
	t.Helper()
	require.Equal(t, a, Apply(parts, func(int) bool { return false }))
	require.Equal(t, b, Apply(parts, func(int) bool { return true }))
	for i, p := range parts {
		require.False(t, p.Old == "" && p.New == "", "an empty part")
		require.False(t, i > 0 && parts[i-1].Same() && p.Same(), "two of a kind side by side: %q", parts)
	}
}

// TestPartsAreTakenOneByOne: every choice of parts is a text of its own, and the others stay.
func TestPartsAreTakenOneByOne(t *testing.T) {
	parts := Diff("a red kite at dawn", "a crimson kite at dusk")
	changes := Changes(parts)
	require.Len(t, changes, 2)
	only := func(want int) string { return Apply(parts, func(i int) bool { return i == want }) }
	assert.Equal(t, "a crimson kite at dawn", only(changes[0]))
	assert.Equal(t, "a red kite at dusk", only(changes[1]))
}

func TestVeryLongTextsAreBounded(t *testing.T) {
	a, b := strings.Repeat("one two three ", 3000), strings.Repeat("four five six ", 3000)
	parts := Diff(a, b)
	sound(t, a, b, parts)
	assert.Len(t, Changes(parts), 1)
	b = a + strings.Repeat("and more words ", 20_000)
	assert.Len(t, Diff(a, b), 2, "what only came costs no more than its length")
	a = strings.Repeat("one two three ", 8_000)
	parts = Diff(a+"end", a+"start")
	assert.Equal(t, []Part{{a, a}, {"end", "start"}}, parts, "what is the same at the ends costs nothing")
}

func TestClusters(t *testing.T) {
	for s, want := range map[string]int{
		"a": 1, "e\u0301x": 3, "👨‍👩‍👧x": 18, "🇩🇪🇫🇷": 8, "1\ufe0f\u20e3": 7, "\r\n": 2, "\n\u0301": 1,
		"각x": len("각"), "\u1100\u1161\u11a8x": 9, "\xff\xfe": 1, "": 0, "ว่า": len("ว่"), "🏴󠁧󠁢󠁥󠁮󠁧󠁿x": 28,
	} {
		assert.Equal(t, want, cluster(s), "%q", s)
	}
}

func TestTextOfAnAnswer(t *testing.T) {
	for _, c := range []struct{ answer, prompt, want string }{
		{"  a kite \n", "kite", "a kite"},
		{"```\na kite\nat dawn\n```", "kite", "a kite\nat dawn"},
		{"```text\na kite\n```", "kite", "a kite"},
		{"```a```", "kite", "```a```"},
		{"Here:\n```\na kite\n```", "kite", "Here:\n```\na kite\n```"},
		{`"a kite"`, "kite", "a kite"},
		{`"a kite"`, `"kite"`, `"a kite"`},
		{`"a" and "b"`, "kite", `"a" and "b"`},
		{"“a kite”", "kite", "a kite"},
		{"「塩の平原」", "塩", "塩の平原"},
		{`""`, "kite", `""`}, {"", "kite", ""},
	} {
		assert.Equal(t, c.want, Text(c.answer, c.prompt), c.answer)
	}
}

func TestRequest(t *testing.T) {
	r := Request("talker", "a kite", client.Image)
	assert.Equal(t, "talker", r.Model)
	require.Len(t, r.Messages, 2)
	assert.Contains(t, r.Messages[0].Content, "image model")
	assert.Equal(t, client.ChatMessage{Role: client.RoleUser, Content: "a kite"}, r.Messages[1])
}

func FuzzDiff(f *testing.F) {
	for _, s := range []string{"a red kite", "盐滩上的红风筝", "👨‍👩‍👧 🇩🇪", "עפיפון אדום", "e\u0301\u0301", "\xff\x00\r\n", "a, b; c", "\u200d\u200d"} {
		f.Add(s, "a blue kite")
		f.Add("塩の平原に赤い凧", s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 4000 {
			return
		}
		for _, s := range []string{a, b} {
			require.Equal(t, s, strings.Join(tokens(s), ""))
		}
		sound(t, a, b, Diff(a, b))
	})
}
