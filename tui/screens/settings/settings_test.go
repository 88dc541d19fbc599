package settings

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// shelf is a store in memory.
type shelf struct {
	sheet Sheet
	did   []string
	err   error
	keys  map[string][]string
}

func (s *shelf) Read(context.Context) (Sheet, error) {
	out := s.sheet
	out.Rows = append([]Row(nil), s.sheet.Rows...)
	return out, s.err
}

func (s *shelf) Set(_ context.Context, key, value string) error {
	s.did = append(s.did, key+"="+value)
	for i := range s.sheet.Rows {
		if r := &s.sheet.Rows[i]; r.Key == key && s.err == nil {
			r.Value, r.From, r.Own = value, "config.yaml line 9", true
		}
	}
	return s.err
}

func (s *shelf) Unset(_ context.Context, key string) error {
	s.did = append(s.did, "unset "+key)
	return s.err
}

func (s *shelf) SetKeys(_ context.Context, by map[string][]string) error {
	s.keys = by
	return s.err
}

func (s *shelf) CheckProfile(p NewProfile) string {
	if strings.Contains(p.Name, " ") || p.Address == "nowhere" {
		return "that is none"
	}
	return ""
}

func (s *shelf) AddProfile(_ context.Context, p NewProfile) (string, error) {
	s.did = append(s.did, fmt.Sprintf("add %s at %s with %d", p.Name, p.Address, len(p.Key)))
	return "the keyring", s.err
}

func (s *shelf) SetKey(_ context.Context, profile, key string) (string, error) {
	s.did = append(s.did, fmt.Sprintf("key of %s with %d", profile, len(key)))
	return "the keyring", s.err
}

func (s *shelf) Test(_ context.Context, profile string) (string, error) {
	return "the gateway of " + profile + " takes the key", s.err
}

func (s *shelf) Source(context.Context) (string, error) { return "theme: dark\n", nil }

func (s *shelf) Replace(_ context.Context, was, text string) error {
	s.did = append(s.did, "replace "+was+"by "+text)
	return s.err
}

func sample() Sheet {
	of := func(name, rest, label, value string) Row {
		return Row{Key: "profiles." + name + "." + rest, Label: label, Group: "Profile", Value: value, From: "config.yaml line 7", Own: value != "", Help: "What it is for."}
	}
	return Sheet{
		File: "/home/ana/.config/darkroom/config.yaml",
		Rows: []Row{
			{Key: "theme", Label: "Theme", Group: "Look", Kind: Theme, Value: "dusk", Default: "auto", From: "config.yaml line 3", Own: true, Help: "The colours: the name of a theme, or auto."},
			{Key: "preview", Label: "Pictures", Group: "Look", Kind: Choice, Value: "auto", Default: "auto", From: "default", Allowed: []string{"auto", "kitty", "none"}, Help: "How pictures are drawn."},
			{Key: "mouse", Label: "Mouse", Group: "Console", Kind: Switch, Value: "true", Default: "true", From: "default", Help: "Whether the console takes clicks and the wheel.", May: "on or off"},
			{Key: "downloads", Label: "Folder", Group: "Results", Value: "/media/塩の平原", Default: "~/Downloads/darkroom", From: "DARKROOM_DOWNLOADS", Outranked: "DARKROOM_DOWNLOADS", Help: "The folder that results are saved into.",
				Check: func(text string) string {
					if strings.HasPrefix(text, "/") {
						return ""
					}
					return "give an absolute path"
				}},
			{Key: "retention", Label: "Keep ended jobs", Group: "History", Value: "0", Said: "for ever", Default: "0", From: "default", Restart: true, Help: "For how many days ended jobs stay.", May: "from 0 to 36500, whole"},
		},
		Profiles: []Profile{
			{Name: "work", Host: "https://gateway.example", Color: "red", Banner: "PROD", Shown: true, Default: true, Key: "keyring",
				Rows: []Row{of("work", "base_url", "Address", "https://gateway.example"), of("work", "color", "Colour", "red"), of("work", "banner", "Banner", "PROD")}},
			{Name: "home", Host: "http://localhost:1", NoKey: true, Key: "give it one", Rows: []Row{of("home", "base_url", "Address", "http://localhost:1"), of("home", "color", "Colour", "")}},
			{Name: "sandbox", Host: "the embedded gateway", Embedded: true, Key: "none is needed"},
		},
		Keys: map[string]string{"queue.download": "config.yaml line 12"},
	}
}

func keyMap() keys.Map {
	return keys.New([]keys.Action{
		{ID: "app.palette", Title: "Command palette", Keys: []string{"ctrl+p"}}, {ID: "app.help", Title: "Help", Keys: []string{"?", "f1"}},
	}, []keys.Action{
		{ID: "queue.download", Title: "Download the results", Keys: []string{"D", "ctrl+d"}}, {ID: "queue.drop", Title: "Drop", Keys: []string{"x"}},
		{ID: "queue.bare", Title: "Something rare"},
	}, screen.Rows(Commands()))
}

type bench struct {
	*tuitest.Driver
	s *shelf
	m *Model
}

func start(t *testing.T, w, h int) *bench {
	t.Helper()
	b := &bench{s: &shelf{sheet: sample()}}
	b.m = New(Deps{Store: b.s, Keys: keyMap(), Styles: tuitest.Styles(t)})
	b.Driver = tuitest.NewScreen(t, b.m, w, h)
	return b
}

// goTo puts the cursor on a line.
func (b *bench) goTo(t *testing.T, id string) {
	t.Helper()
	for i, e := range b.m.entries {
		if e.id == id {
			b.m.rows.Select(i)
			b.m.keepPlace()
			b.m.layout()
			return
		}
	}
	require.Fail(t, "no such line", id)
}

func toast(b *bench) string {
	m, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	return m.Text
}

func TestGoldens(t *testing.T) {
	cases := map[string]func(*testing.T, *bench){
		"settings": func(*testing.T, *bench) {},
		"wrong": func(_ *testing.T, b *bench) {
			b.s.sheet.Mistakes = []Mistake{{4, 8, "mouse: a bool is needed: true or false"}, {9, 1, "them: there is no such setting; near it: theme"}, {10, 1, "x"}}
			b.s.sheet.Waiting = []string{"Keep ended jobs"}
			b.Send(screen.SettingsMsg{})
		},
		"outranked": func(t *testing.T, b *bench) { b.goTo(t, "downloads"); b.Key("enter") },
		"choice":    func(t *testing.T, b *bench) { b.goTo(t, "preview"); b.Key("enter") },
		"profiles":  func(t *testing.T, b *bench) { b.Key("tab", "t") },
		"new-key": func(_ *testing.T, b *bench) {
			b.Key("tab", "n")
			b.Type("lab\nhttps://lab.example\nsecret")
		},
		"keys":    func(_ *testing.T, b *bench) { b.Key("tab", "tab", "j", "j") },
		"capture": func(t *testing.T, b *bench) { b.Key("tab", "tab"); b.goTo(t, "queue.download"); b.Key("enter") },
		"taken": func(t *testing.T, b *bench) {
			b.Key("tab", "tab")
			b.goTo(t, "queue.drop")
			b.Key("a", "ctrl+p")
		},
		"filter": func(_ *testing.T, b *bench) { b.Key("/"); b.Type("pict") },
	}
	for _, s := range [][2]int{{40, 12}, {80, 24}, {120, 34}, {200, 60}} {
		for name, do := range cases {
			name := fmt.Sprintf("%s-%dx%d", name, s[0], s[1])
			t.Run(name, func(t *testing.T) {
				b := start(t, s[0], s[1])
				do(t, b)
				b.Golden(name)
			})
		}
	}
}

func TestEachKindIsChangedInItsWay(t *testing.T) {
	b := start(t, 120, 34)
	b.goTo(t, "theme")
	b.Key("enter")
	_, asked := tuitest.Last[screen.ThemesMsg](b.Driver)
	assert.True(t, asked, "all of the console shows a theme")
	b.goTo(t, "mouse")
	b.Key(" ")
	b.Key("enter")
	b.goTo(t, "preview")
	b.Key("enter", "down", "enter")
	b.goTo(t, "retention")
	b.Key("enter")
	b.Key("ctrl+u")
	b.Type("30\n")
	assert.Equal(t, []string{"mouse=false", "mouse=true", "preview=kitty", "retention=30"}, b.s.did)
	assert.Contains(t, toast(b), "takes effect at the next start")
	assert.Contains(t, b.View(), "config.yaml line 9")
	b.Key("u")
	assert.Equal(t, "unset retention", b.s.did[len(b.s.did)-1])
	b.goTo(t, "theme")
	b.Key("y")
	said, _ := tuitest.Last[screen.CopyMsg](b.Driver)
	assert.Equal(t, "darkroom config set theme dusk", said.Text)
}

func TestWhatOutranksTheFileIsNotWrittenOverSilently(t *testing.T) {
	b := start(t, 120, 34)
	b.goTo(t, "downloads")
	b.Key("enter")
	assert.Contains(t, b.View(), "DARKROOM_DOWNLOADS is set")
	b.Key("n")
	assert.Empty(t, b.s.did)
	b.Key("enter", "y", "ctrl+u")
	b.Type("elsewhere\n")
	assert.Contains(t, b.View(), "give an absolute path")
	b.Key("ctrl+u")
	b.Type("/x\n")
	assert.Equal(t, []string{"downloads=/x"}, b.s.did)
	assert.Contains(t, toast(b), "DARKROOM_DOWNLOADS holds in its place")
}

func TestAFailureIsToldAndTheFormerStays(t *testing.T) {
	b := start(t, 120, 34)
	b.goTo(t, "mouse")
	b.s.err = errors.New("the disk is full\x1b[2J")
	b.Key("enter")
	assert.Contains(t, toast(b), "the disk is full")
	assert.Contains(t, b.View(), "● on")
}

func TestAProfileIsAddedAndItsKeyNeverShown(t *testing.T) {
	b := start(t, 120, 34)
	b.Key("tab", "n")
	b.Type("work\n")
	assert.Contains(t, b.View(), "there is a profile work already")
	b.Key("ctrl+u")
	b.Type("lab\nnowhere\n")
	assert.Contains(t, b.View(), "that is none")
	b.Key("ctrl+u")
	b.Type("https://lab.example\n")
	b.Paste("k3y-s3cret\n")
	assert.NotContains(t, b.View(), "s3cret")
	b.Key("enter")
	assert.Equal(t, []string{"add lab at https://lab.example with 10"}, b.s.did)
	assert.Contains(t, toast(b), "profile lab is made, its key kept in the keyring")
	for _, m := range b.Sent {
		assert.NotContains(t, fmt.Sprintf("%+v", m), "s3cret")
	}
}

func TestAProfileIsTestedSwitchedToAndBegunWith(t *testing.T) {
	b := start(t, 120, 34)
	b.Key("tab")
	b.Key("t")
	assert.Contains(t, b.View(), "takes the key")
	b.Key("s")
	assert.Contains(t, toast(b), "it is in use")
	b.goTo(t, "profile:home")
	b.Key("s", "b", "K")
	b.Type("abc\n")
	to, _ := tuitest.Last[screen.SwitchMsg](b.Driver)
	assert.Equal(t, "home", to.Profile)
	assert.Equal(t, []string{"profile=home", "key of home with 3"}, b.s.did)
	b.s.err = errors.New("401: who are you")
	b.Key("t")
	assert.Contains(t, b.View(), "401: who are you")
	b.goTo(t, "profile:sandbox")
	b.s.err = nil
	b.Key("K")
	assert.Contains(t, toast(b), "needs no key")
}

func TestKeysOfActions(t *testing.T) {
	for name, c := range map[string]struct {
		at   string
		keys []string
		want map[string][]string
		says string
	}{
		"another":           {"queue.drop", []string{"enter", "f7"}, map[string][]string{"queue.drop": {"f7"}}, ""},
		"add key":           {"queue.drop", []string{"a", "ctrl+g"}, map[string][]string{"queue.drop": {"x", "ctrl+g"}}, ""},
		"the space bar":     {"queue.drop", []string{"enter", " "}, map[string][]string{"queue.drop": {" "}}, ""},
		"the same":          {"queue.drop", []string{"enter", "x"}, nil, ""},
		"none":              {"queue.drop", []string{"x"}, map[string][]string{"queue.drop": {}}, ""},
		"left":              {"queue.drop", []string{"enter", "esc"}, nil, ""},
		"one of the screen": {"queue.drop", []string{"enter", "D"}, nil, `D does "Download the results"`},
		"given away":        {"queue.drop", []string{"enter", "D", "y"}, map[string][]string{"queue.drop": {"D"}, "queue.download": {"ctrl+d"}}, ""},
		"one of the shell":  {"queue.drop", []string{"enter", "ctrl+p"}, nil, `^P does "Command palette"`},
		"the last one":      {"queue.drop", []string{"enter", "ctrl+p", "y"}, map[string][]string{"queue.drop": {"ctrl+p"}, "app.palette": {}}, ""},
		"of another screen": {"queue.drop", []string{"enter", "u"}, map[string][]string{"queue.drop": {"u"}}, ""},
		"reset":             {"queue.download", []string{"u"}, map[string][]string{"queue.download": nil}, ""},
		"nothing to reset":  {"queue.drop", []string{"u"}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t, 120, 34)
			b.Key("tab", "tab")
			b.goTo(t, c.at)
			b.Key(c.keys...)
			assert.Equal(t, c.want, b.s.keys)
			assert.Contains(t, strings.Join(strings.Fields(b.View()), " "), c.says)
		})
	}
}

func TestEveryKeyGoesToTheScreenWhileOneIsAskedFor(t *testing.T) {
	b := start(t, 120, 34)
	b.Key("tab", "tab")
	b.goTo(t, "queue.drop")
	assert.False(t, b.m.TakesKeys())
	b.Key("enter")
	assert.True(t, b.m.TakesKeys())
	b.Send(screen.HiddenMsg{})
	assert.False(t, b.m.TakesKeys(), "another screen shows")
}

func TestTheFileIsEdited(t *testing.T) {
	b := start(t, 120, 34)
	b.Key("e")
	e, ok := tuitest.Last[screen.EditMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, "theme: dark\n", e.Text)
	b.Send(screen.EditedMsg{Text: e.Text, Tag: e.Tag})
	assert.Empty(t, b.s.did)
	b.s.err = errors.New("line 1, column 8: no")
	b.Send(screen.EditedMsg{Text: "theme: x\n", Tag: e.Tag})
	assert.Equal(t, []string{"replace theme: dark\nby theme: x\n"}, b.s.did)
	assert.Contains(t, toast(b), "line 1, column 8: no")
}

func TestTheMouse(t *testing.T) {
	b := start(t, 120, 34)
	at := 0
	for i, e := range b.m.entries {
		if e.id == "mouse" {
			at = i
		}
	}
	b.Click(fmt.Sprintf("set:%d", at))
	assert.Empty(t, b.s.did)
	b.Click(fmt.Sprintf("set:%d", at))
	assert.Equal(t, []string{"mouse=false"}, b.s.did)
	b.Click("page:keys")
	assert.Equal(t, bindings, b.m.page)
	b.Wheel("", 1)
	b.Click("page:settings")
	b.Click("btn:" + actChange)
	assert.Equal(t, []string{"mouse=false", "mouse=true"}, b.s.did)
}

// TestAnythingAtAnySize uses the screen at random: the frame always has the exact size.
func TestAnythingAtAnySize(t *testing.T) {
	types := []tea.KeyType{tea.KeyTab, tea.KeyShiftTab, tea.KeyUp, tea.KeyDown, tea.KeyDown, tea.KeyEnter, tea.KeyEnter, tea.KeyEsc, tea.KeyBackspace, tea.KeyPgDown, tea.KeyPgUp, tea.KeyEnd}
	text := strings.Split("a|b|/|y|n|t|K|u|e|x|G|g|世|🇩🇪|ש|\u202e|\u200b|\t|pict", "|")
	for seed := range uint64(3) {
		s := &shelf{sheet: sample()}
		m := New(Deps{Store: s, Keys: keyMap(), Styles: tuitest.Styles(t)})
		k := tuitest.Monkey{Seed: seed, Steps: 150, Keys: types, Text: text, Wheel: []string{"", "detail"}}
		k.Before = func(r *rand.Rand) {
			s.err, s.sheet.Mistakes = nil, nil
			switch r.IntN(6) {
			case 0:
				s.err = errors.New("evil\x1b]0;x\x07\u202e" + strings.Repeat("long ", 100))
			case 1:
				s.sheet.Mistakes = []Mistake{{1, 2, "evil\x1b[2J" + strings.Repeat("塩", 200)}}
			}
		}
		k.Use(t, m)
	}
}
