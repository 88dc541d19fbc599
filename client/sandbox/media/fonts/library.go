// Package fonts finds and reads the fonts of the machine, for texts that the font in the program
// has no signs for: Chinese, Japanese, Korean, Arabic, emoji and so on. Nothing is looked at
// before such a text comes. The files may be anybody's: what is read of them is bounded, and one
// that a reader fails at, whichever way, counts as not there.
package fonts

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/go-text/typesetting/font"
)

// Library is the fonts of some folders. It is safe for concurrent use.
type Library struct {
	dirs []string
	once sync.Once
	all  []*entry // by path; not changed once made

	mu     sync.Mutex // guards what is loaded, and broken
	loaded map[*entry]weak.Pointer[font.Font]
	broken map[*entry]bool
}

// New makes a library of the fonts below some folders. They are looked through when a font is
// first asked for.
func New(dirs ...string) *Library {
	return &Library{dirs: dirs, loaded: map[*entry]weak.Pointer[font.Font]{}, broken: map[*entry]bool{}}
}

func (l *Library) entries() []*entry {
	l.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), scanTime)
		defer cancel()
		l.all = scan(ctx, l.dirs)
	})
	return l.all
}

// Lacks lists the samples of which some sign is in no font of the library, for who wants to say so.
func (l *Library) Lacks(samples ...string) []string {
	var out []string
	for _, s := range samples {
		if len(l.ranked([]rune(s), nil, strings.ContainsFunc(s, pictographic))) == 0 {
			out = append(out, s)
		}
	}
	return out
}

// font loads the font of an entry, nil if it cannot be read. It stays in memory while it is used,
// and until the memory is wanted otherwise: some hold 20 MB.
func (l *Library) font(e *entry) *font.Font {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken[e] {
		return nil
	}
	if f := l.loaded[e].Value(); f != nil {
		return f
	}
	f := e.load()
	if f == nil {
		l.broken[e] = true
		return nil
	}
	l.loaded[e] = weak.Make(f)
	return f
}

func (l *Library) drop(e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken[e] = true
}

// ranked are the fonts that have all of need, the fittest one first: what has more of the whole
// text, so that it is in few fonts; then upright, bold and plain ones. The order depends on the
// fonts alone.
func (l *Library) ranked(need, text []rune, colour bool) []*entry {
	type candidate struct {
		*entry
		points int
	}
	var list []candidate
	for _, e := range l.entries() {
		if !e.runes.all(need) {
			continue
		}
		c := candidate{e, e.points}
		for _, r := range text {
			if e.runes.has(r) {
				c.points += 100 / len(text)
			}
		}
		if e.colour == colour {
			c.points += 1000
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.points, a.points) })
	out := make([]*entry, len(list))
	for i, c := range list {
		out[i] = c.entry
	}
	return out
}

// mostFaces is how many fonts one text is set in.
const mostFaces = 8

// Set is the fonts for one text. It is not safe for concurrent use.
type Set struct {
	library *Library
	text    []rune // what of it the program's own font lacks
	chosen  map[string]*Face
	faces   map[*entry]*Face
}

// Set begins to look for fonts for a text, of which lacking is what the program's own font lacks.
func (l *Library) Set(lacking []rune) *Set {
	return &Set{library: l, text: lacking, chosen: map[string]*Face{}, faces: map[*entry]*Face{}}
}

// Face is the font that has all of one sign as readers count (a letter with its marks, an emoji of
// several parts), nil if there is none. Emoji are looked for in colour first, all else in fonts
// without.
func (s *Set) Face(sign []rune) *Face {
	key := string(sign)
	if f, ok := s.chosen[key]; ok {
		return f
	}
	s.chosen[key] = nil
	need := slices.DeleteFunc(slices.Clone(sign), Joins)
	if len(need) == 0 {
		return nil
	}
	for _, e := range s.library.ranked(need, s.text, Emoji(sign)) {
		f := s.faces[e]
		if f == nil && len(s.faces) < mostFaces {
			f = s.library.open(e)
		}
		if f != nil {
			s.faces[e], s.chosen[key] = f, f
			return f
		}
	}
	return nil
}

// Joins reports whether a character is never seen by itself, and says how others are to be drawn:
// joiners, variation selectors, the tags in flags.
func Joins(r rune) bool {
	return r == 0x200c || r == 0x200d || r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0020 && r <= 0xe007f
}

const (
	asText   = 0xfe0e // asks for a character as text
	asEmoji  = 0xfe0f // asks for it in colour
	enclosed = 0x20e3 // the key around a digit
)

// Emoji reports whether a sign is to be shown in colour where it can be.
func Emoji(sign []rune) bool {
	switch {
	case len(sign) == 0 || slices.Contains(sign, asText):
		return false
	case slices.Contains(sign, asEmoji) || slices.Contains(sign, enclosed):
		return true
	}
	return pictographic(sign[0])
}

// pictographic reports whether a character by itself is an emoji in colour.
func pictographic(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r < 0x3000 && strings.ContainsRune(inColour, r)
}

// inColour are the characters outside of the emoji planes that are in colour without being asked.
const inColour = "⌚⌛⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿⬛⬜⭐⭕"
