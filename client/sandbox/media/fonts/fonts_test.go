package fonts

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/goregular"
)

// folder has files with these contents.
func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, b := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, b, 0o600))
	}
	return dir
}

func TestFontsOfTheMachine(t *testing.T) {
	t.Parallel()
	l := New(System(os.Getenv)...)
	assert.Empty(t, l.Lacks("盐田", "の夜", "서울", "قمر", "🦊"), "make test installs fonts for them")
	assert.Equal(t, []string{"\U000f1234"}, l.Lacks("\U000f1234"))
}

func TestFittestFontIsTaken(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string][]byte{"a/regular.ttf": goregular.TTF, "b/slanted.TTF": gobolditalic.TTF, "c/d/bold.otf": gobold.TTF,
		"e.txt": gobold.TTF, "f.ttf": []byte("no font"), "g.ttc": nil, ".h.ttf/x": nil})
	require.NoError(t, os.Symlink(filepath.Join(dir, "a"), filepath.Join(dir, "link")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.ttf"), 0o600))
	l := New(filepath.Join(dir, "none"), dir, dir)
	var names []string
	for _, e := range l.ranked([]rune("aé"), nil, false) {
		names = append(names, filepath.Base(e.path))
	}
	assert.Equal(t, []string{"bold.otf", "regular.ttf", "slanted.TTF"}, names)
	assert.Empty(t, l.ranked([]rune("a雪"), nil, false))

	f := l.Set([]rune("aé")).Face([]rune("é"))
	require.NotNil(t, f)
	assert.True(t, f.Bold)
	glyphs, ok := f.Shape([]rune("xéé"), 1, 3, false)
	require.True(t, ok)
	require.Len(t, glyphs, 2)
	assert.Equal(t, []int{1, 2}, []int{glyphs[0].Rune, glyphs[1].Rune})
	assert.InDelta(t, 0.57, glyphs[0].Advance, 0.1)
	assert.Greater(t, len(f.Outline(glyphs[0].ID)), 10)
	assert.Nil(t, f.Picture(glyphs[0].ID))
	_, ok = f.Shape([]rune("雪"), 0, 1, false)
	assert.False(t, ok, "the font has no such sign")
}

// TestTablesThatClaimMoreThanThereIs checks that no room is made for what a file only claims.
func TestTablesThatClaimMoreThanThereIs(t *testing.T) {
	t.Parallel()
	huge := slices.Clone(gobold.TTF)
	binary.BigEndian.PutUint32(huge[12+12:], 0xfffffff0) // the length of the first table
	many := slices.Clone(gobold.TTF)
	binary.BigEndian.PutUint16(many[4:], 0xffff)
	packed := append([]byte("wOFF"), gobold.TTF[4:]...)
	fonts := append([]byte("ttcf\x00\x01\x00\x00\xff\xff\xff\xff"), gobold.TTF...)
	l := New(folder(t, map[string][]byte{"huge.ttf": huge, "many.ttf": many, "packed.ttf": packed, "fonts.ttc": fonts}))
	assert.Empty(t, l.entries())
}

// TestBrokenFonts damages fonts in many ways. Nothing must end the program, and lengths stay sane.
func TestBrokenFonts(t *testing.T) {
	t.Parallel()
	var whole []string
	for _, want := range []string{"雪", "قمر", "🦊"} {
		list := New(System(os.Getenv)...).ranked([]rune(want), nil, want == "🦊")
		require.NotEmpty(t, list, "make test installs a font for %s", want)
		whole = append(whole, list[0].path)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, path := range whole {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		for range 8 {
			bad := slices.Clone(b)
			for range 1 + random.IntN(4000) {
				bad[64+random.IntN(len(bad)-64)] = byte(random.Uint32())
			}
			if random.IntN(3) == 0 {
				bad = bad[:random.IntN(len(bad))]
			}
			use(t, New(folder(t, map[string][]byte{"bad" + filepath.Ext(path): bad})))
		}
	}
}

// use sets a text in whatever a library has for it.
func use(t *testing.T, l *Library) {
	t.Helper()
	text := []rune("雪山قمر فوق🦊👨‍👩‍👧")
	set := l.Set(text)
	for i := range text {
		f := set.Face(text[i : i+1])
		if f == nil {
			continue
		}
		glyphs, _ := f.Shape(text, i, len(text), i%2 == 0)
		for _, g := range glyphs {
			assert.True(t, g.Advance >= -4 && g.Advance <= 4 && g.X >= -4 && g.X <= 4 && g.Rune < len(text), "%+v", g)
			_ = f.Outline(g.ID)
			if p := f.Picture(g.ID); p != nil {
				assert.Less(t, p.Width*p.Height, 16.0)
			}
		}
	}
}

// TestManyAskAtOnce is of use with the race detector: pictures are made two at a time.
func TestManyAskAtOnce(t *testing.T) {
	t.Parallel()
	l := New(System(os.Getenv)...)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			use(t, l)
			runtime.GC() // which takes the fonts back that nobody uses
			use(t, l)
		})
	}
	all.Wait()
}

func TestEmojiAreToldFromText(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{"🦊": true, "❄️": true, "❄": false, "☕": true, "☕\ufe0e": false, "3️⃣": true, "3": false, "雪": false, "": false} {
		assert.Equal(t, want, Emoji([]rune(s)), "%q", s)
	}
}
