package expand

import (
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func files(pairs ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return m
}

// expand binds a template that is to be fine.
func expand(t testing.TB, prompt string, vars map[string]string, fsys fstest.MapFS) *Expansion {
	t.Helper()
	tpl, err := Parse(prompt)
	require.NoError(t, err)
	x, err := tpl.Bind(vars, NewLibrary(fsys))
	require.NoError(t, err)
	return x
}

func all(t testing.TB, x *Expansion) []string {
	t.Helper()
	var out []string
	for s, err := range x.all() {
		require.NoError(t, err)
		out = append(out, s)
	}
	require.EqualValues(t, len(out), x.Count().Int64())
	return out
}

func TestAlternatives(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string][]string{
		"{a|b}":                             {"a", "b"},
		"a {red|blue} kite":                 {"a red kite", "a blue kite"},
		"{a|b} {1|2}":                       {"a 1", "a 2", "b 1", "b 2"},
		"{a|{b|c} d}":                       {"a", "b d", "c d"},
		"{{a|b} c|d}":                       {"a c", "b c", "d"},
		"x{|y}":                             {"x", "xy"},
		"{a|b|}{1|}":                        {"a1", "a", "b1", "b", "1", ""},
		"{2$$a|b|c}":                        {"a, b", "a, c", "b, c"},
		"{1-2$$ and $$a|b|c}":               {"a", "b", "c", "a and b", "a and c", "b and c"},
		"{2$$$$a|b}":                        {"ab"},
		"{2$${a|x}|b|c}":                    {"a, b", "a, c", "x, b", "x, c", "b, c"},
		"{3$$a|b|c}":                        {"a, b, c"},
		"{1$$a|b}":                          {"a", "b"},
		"{$$a|b}":                           {"$$a", "b"},
		"{2$a|b}":                           {"2$a", "b"},
		"{1-$$a|b}":                         {"1-$$a", "b"},
		`{"sky": "{red|blue}", "n": {}}`:    {`{"sky": "red", "n": {}}`, `{"sky": "blue", "n": {}}`},
		`{"a":{"b":{"c":"{x|y}"}}}`:         {`{"a":{"b":{"c":"x"}}}`, `{"a":{"b":{"c":"y"}}}`},
		"a { b {x|y} c":                     {"a { b x c", "a { b y c"},
		"{a|b} } c":                         {"a } c", "b } c"},
		"price ${5|10}":                     {"price $5", "price $10"},
		`\{a|b\}`:                           {"{a|b}"},
		`{a\|b|c\}}`:                        {"a|b", "c}"},
		`\\{a|b}`:                           {`\a`, `\b`},
		`\\\{a|b}`:                          {`\{a|b}`},
		`{2\$$a|b}`:                         {"2$$a", "b"},
		`\__x__ \${y}`:                      {"__x__ ${y}"},
		"{红|蓝}色的风筝 🪁":                       {"红色的风筝 🪁", "蓝色的风筝 🪁"},
		"{a\nb|c}":                          {"a\nb", "c"},
		"${who:the cat} and ${who}":         {"the cat and the cat"},
		"${a:{x|y}}${a}":                    {"xx", "yy"},
		"${who} {runs|sits}, ${who:{A|B}}!": {"A runs, A!", "A sits, A!", "B runs, B!", "B sits, B!"},
	} {
		require.Equal(t, want, all(t, expand(t, prompt, nil, nil)), "%s", prompt)
	}
}

// TestPlainTextStays: what has no construct is passed through byte for byte.
func TestPlainTextStays(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", " ", "a red kite", "a | b", "100 % {sure}", "{", "}", "}{", "{{name}}", "${", "$5 and $x", "${1}", "${a b}", "__", "____", "__init", "snake_case_name", "__ a __",
		"_a_", `a\b\\c\n`, `C:\dir\file`, `{"a": {"b": [1, "x\n\"y\""]}, "c": "d\\e"}`, "line\r\nline\t", "\x00\x1b[31m", "a\u202eb 🏳️‍🌈 नमस्ते", "{{}}", "{}", "}}", "{2$", "$$", "{a",
	} {
		x := expand(t, s, nil, nil)
		require.Equal(t, []string{s}, all(t, x), "%q", s)
		tpl, err := Parse(s)
		require.NoError(t, err)
		require.True(t, tpl.Plain())
	}
	tpl, err := Parse("{x|y} {a")
	require.NoError(t, err)
	require.Equal(t, []string{"prompt:1:7: a brace that nothing closes is text"}, tpl.notes)
}

func TestVariables(t *testing.T) {
	t.Parallel()
	vars := map[string]string{"c": "{red|blue}", "who": "a ${c} cat", "plain": "x", "deep": "${who} on ${c}", "empty": ""}
	for prompt, want := range map[string][]string{
		"${plain}${plain}":                  {"xx"},
		"[${empty}]":                        {"[]"},
		"${c}-${c}":                         {"red-red", "blue-blue"},
		"${who}, ${c}":                      {"a red cat, red", "a blue cat, blue"},
		"${who} {1|2} ${who}":               {"a red cat 1 a red cat", "a red cat 2 a red cat", "a blue cat 1 a blue cat", "a blue cat 2 a blue cat"},
		"{${c} car|dog}":                    {"red car", "blue car", "dog"},
		"{${c} car, ${c} road|dog}":         {"red car, red road", "blue car, blue road", "dog"},
		"{${c}|${c} ${c}}":                  {"red", "red red", "blue", "blue blue"},
		"${deep}":                           {"a red cat on red", "a blue cat on blue"},
		"${plain:ignored} {${plain}|y}":     {"x x", "x y"},
		"{2$$${c}|b|d}":                     {"red, b", "red, d", "blue, b", "blue, d", "b, d"},
		"{2$$${c}|b ${c}}":                  {"red, b red", "blue, b blue"},
		"${new:{${c}|${c}y}} ${new} ${new}": {"red red red", "redy redy redy", "blue blue blue", "bluey bluey bluey"},
	} {
		require.Equal(t, want, all(t, expand(t, prompt, vars, nil)), "%s", prompt)
	}
	tpl, err := Parse("${b:{x|y}} ${a} {${c}|__w__} ${b} __w__ __f/g__")
	require.NoError(t, err)
	require.Equal(t, []Variable{{"b", "{x|y}", true}, {"a", "", false}, {"c", "", false}}, tpl.Variables())
	require.Equal(t, []string{"w", "f/g"}, tpl.Wildcards())
}

func TestWildcards(t *testing.T) {
	t.Parallel()
	fsys := files(
		"colour.txt", "\ufeff# of kites\r\nred\r\n\r\n  blue  \r\n\\# 1\r\n",
		"animal/cat.txt", "a __colour__ cat\nno cat",
		"one.txt", "only",
		"alt.txt", "{a|b}\nc ${v}",
		"größe.txt", "klein",
		"a_b-c.1.txt", "x",
	)
	for prompt, want := range map[string][]string{
		"__colour__ kite":         {"red kite", "blue kite", "# 1 kite"},
		"__animal/cat__":          {"a red cat", "a blue cat", "a # 1 cat", "no cat"},
		"__one__ __one__":         {"only only"},
		"__alt__":                 {"a", "b", "c V"},
		"__größe__ __a_b-c.1__":   {"klein x"},
		"{2$$__colour__}":         {"red, blue", "red, # 1", "blue, # 1"},
		"{2$$__colour__|green}":   {"red, green", "blue, green", "# 1, green"},
		"___one__":                {"_only"},
		"__one___":                {"only_"},
		"a__one__b":               {"aonlyb"},
		"${k:__colour__} ${k}":    {"red red", "blue blue", "# 1 # 1"},
		`\__one__ __one__ __ one`: {"__one__ only __ one"},
	} {
		require.Equal(t, want, all(t, expand(t, prompt, map[string]string{"v": "V"}, fsys)), "%s", prompt)
	}
	require.Equal(t, []string{"a_b-c.1", "alt", "animal/cat", "colour", "größe", "one"}, NewLibrary(fsys).Names())
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	fsys := files("a.txt", "x\n__b__", "b.txt", "{1|__c__}", "c.txt", "__a__", "me.txt", "y\n  {z|__me__}", "open.txt", "fine\n  {a|b", "none.txt", "# nothing\n\n",
		"bad.txt", "x\xff", "ctl.txt", "x\n\x1b[31mred", "big.txt", strings.Repeat("x", maxWildcard+1), "dir.txt/x", "y", "v.txt", "${nobody}")
	vars := map[string]string{"p": "${q}", "q": "{1|${p}}", "self": "${self}", "bad": "a {b|", "two": "{1|2}"}
	for prompt, says := range map[string]string{
		"a {b|c":                               `prompt:1:3: the alternatives that begin here are not closed: "}" is missing; \{ is a brace`,
		"line\n 红 {b|{c}":                      `prompt:2:4: the alternatives`,
		"{2$$a":                                `prompt:1:1: the alternatives`,
		"x ${a:b":                              `prompt:1:3: the variable that begins here is not closed`,
		"{0$$a|b}":                             `prompt:1:2: 0-0 cannot be taken`,
		"{2-1$$a|b}":                           `prompt:1:2: 2-1 cannot be taken`,
		"{3$$a|b}":                             `prompt:1:1: 3 are to be taken of 2`,
		"a\xff":                                `prompt:1:2: the text is not UTF-8`,
		strings.Repeat("{", 300):               `prompt:1:201: braces are nested deeper than 200`,
		strings.Repeat("{a|b}", 6000):          `more than 10000`,
		"{" + strings.Repeat("|", 10001) + "}": `more than 10000`,
		strings.Repeat("x", maxText+1):         `at most 1048576`,
		"${x} ${y} ${x}":                       `prompt:1:1: ${x}, ${y} have no values: give one, or a default as ${x:words}; \${ is the text`,
		"hi ${x}":                              `prompt:1:4: ${x} has no value`,
		"${x:1} ${x:2}":                        `prompt:1:8: ${x} has two defaults: "2" here, "1" elsewhere`,
		"${p}":                                 `variable q:1:4: ${p} leads back to itself: ${p} -> ${q} -> ${p}`,
		"${self}":                              `${self} leads back to itself: ${self} -> ${self}`,
		"${d:${d}}":                            `prompt:1:5: ${d} leads back to itself: ${d} -> ${d}`,
		"${bad}":                               `variable bad:1:3: the alternatives`,
		"{a ${two}|b} {${two}|c}":              `prompt:1:4: ${two} has several values and is used by some of the alternatives only`,
		"__nope__":                             `prompt:1:1: there is no wildcard file nope.txt; there are a, b, bad, big, c, ctl, me, none, open, v; \__ is the text`,
		"x __a__":                              `wildcard c:1:1: __a__ leads back to itself: __a__ -> __b__ -> __c__ -> __a__`,
		"__me__":                               `wildcard me:2:6: __me__ leads back to itself: __me__ -> __me__`,
		"__open__":                             `wildcard open:2:3: the alternatives`,
		"__none__":                             `wildcard none: the file has no line to take`,
		"__bad__":                              `wildcard bad:1:2: the text is not UTF-8`,
		"__ctl__":                              `wildcard ctl:2:1: a control character (U+001B)`,
		"__big__":                              `prompt:1:1: wildcard file big.txt has more than 1048576 bytes`,
		"__dir__":                              `prompt:1:1: dir.txt is not a file`,
		"__v__":                                `wildcard v:1:1: ${nobody} has no value`,
	} {
		tpl, err := Parse(prompt)
		if err == nil {
			_, err = tpl.Bind(vars, NewLibrary(fsys))
		}
		require.ErrorContains(t, err, says, "%.80q", prompt)
	}
	tpl, err := Parse("__x__")
	require.NoError(t, err)
	_, err = tpl.Bind(nil, nil)
	require.ErrorContains(t, err, "there are no wildcard files here")
}

// TestWildcardStaysInside: no name leads out of the folder, and what is there but may not
// be read is said.
func TestWildcardStaysInside(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"__../x__", "__/etc/passwd__", "__a/../b__", "__.hidden__", "__a//b__", "__a/__", `__a\b__`, "__C:x__"} {
		tpl, err := Parse(s)
		require.NoError(t, err)
		require.Empty(t, tpl.Wildcards(), s)
	}
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(dir+"/w", 0o700))
	require.NoError(t, os.WriteFile(dir+"/secret.txt", []byte("key"), 0o600))
	require.NoError(t, os.Symlink("../secret.txt", dir+"/w/out.txt"))
	root, err := os.OpenRoot(dir + "/w")
	require.NoError(t, err)
	defer func() { require.NoError(t, root.Close()) }()
	tpl, err := Parse("__out__")
	require.NoError(t, err)
	_, err = tpl.Bind(nil, NewLibrary(root.FS()))
	require.ErrorContains(t, err, "cannot be read")
	require.NotContains(t, err.Error(), "key")
}

// TestNumberIsCounted: an explosion costs neither time nor memory.
func TestNumberIsCounted(t *testing.T) {
	t.Parallel()
	lines := strings.Repeat("line\n", 10_000)
	x := expand(t, strings.Repeat("__w__ ", 50), nil, files("w.txt", lines))
	want := new(big.Int).Exp(big.NewInt(10_000), big.NewInt(50), nil)
	require.Equal(t, want, x.Count())
	first, err := x.First(2)
	require.NoError(t, err)
	require.Len(t, first, 2)
	last := new(big.Int).Sub(want, big.NewInt(1))
	s, err := x.At(last)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("line ", 50), s)
	_, err = x.At(want)
	require.ErrorContains(t, err, "there is no prompt")
	_, err = x.At(big.NewInt(-1))
	require.ErrorContains(t, err, "there is no prompt")

	// Billion laughs: every level doubles the number of digits of the number, or the length.
	laughs := files()
	doubled := map[string]string{}
	for i := range 40 {
		from, to := string(rune('a'+i/26))+string(rune('a'+i%26)), string(rune('a'+(i+1)/26))+string(rune('a'+(i+1)%26))
		laughs["n"+to+".txt"] = &fstest.MapFile{Data: []byte("__n" + from + "____n" + from + "__")}
		doubled["v"+to], doubled["e"+to] = "${v"+from+"}${v"+from+"}", "${e"+from+"}${e"+from+"}"
	}
	laughs["naa.txt"] = &fstest.MapFile{Data: []byte("{a|b}")}
	doubled["vaa"], doubled["eaa"] = strings.Repeat("ha", 50), ""
	tpl, err := Parse("__nbo__")
	require.NoError(t, err)
	_, err = tpl.Bind(nil, NewLibrary(laughs))
	require.ErrorIs(t, err, errUncountable)
	_, err = expand(t, "${vbo}", doubled, nil).First(1)
	require.ErrorIs(t, err, errLong)
	_, err = expand(t, "${ebo}", doubled, nil).First(1)
	require.ErrorIs(t, err, errSteps)
}

// Random are n prompts drawn with a seed: each as likely as any other, none twice before
// all had their turn. The same template, values, files and seed give the same prompts in
// the same order, and fewer of them begin the same.
func (x *Expansion) Random(n int, seed uint64) ([]string, error) {
	if n < 0 || n > HardCap {
		return nil, fmt.Errorf("%d prompts are not drawn: 0 to %d are", n, HardCap)
	}
	out := make([]string, 0, n)
	for s, err := range x.draw(n, seed, 0) {
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// Wildcards are the names that stand in the template itself, each once, in their order.
func (t *Template) Wildcards() []string {
	var out []string
	t.root.walk(func(p part) {
		if w, ok := p.(*wildcard); ok && !slices.Contains(out, w.name) {
			out = append(out, w.name)
		}
	})
	return out
}

// First are the first n prompts, fewer when there are fewer.
func (x *Expansion) First(n int) ([]string, error) {
	var out []string
	for s, err := range x.all() {
		if len(out) >= n {
			break
		}
		if err != nil {
			return out, err
		}
		out = append(out, s)
	}
	return slices.Clip(out), nil
}
