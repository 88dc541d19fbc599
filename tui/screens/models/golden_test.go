package models

import (
	"fmt"
	"testing"

	"darkroom/client"
	"darkroom/tui/tuitest"
)

func TestGoldens(t *testing.T) {
	cases := []struct {
		name string
		make func(t *testing.T, w, h int) *bench
	}{
		{"both", func(t *testing.T, w, h int) *bench { return start(t, w, h, offered(t), nil) }},
		{"loading", func(t *testing.T, w, h int) *bench {
			m, g, _ := newModel(t)
			g.hold = make(chan struct{})
			t.Cleanup(func() { close(g.hold) })
			return &bench{Driver: tuitest.NewScreen(t, m, w, h), m: m, gw: g}
		}},
		{"offline", func(t *testing.T, w, h int) *bench {
			l, err := offline()
			return start(t, w, h, l, err)
		}},
		{"refused", func(t *testing.T, w, h int) *bench {
			l, err := refused()
			return start(t, w, h, l, err)
		}},
		{"halfway", func(t *testing.T, w, h int) *bench { return start(t, w, h, halfway(t), nil) }},
		{"differences", func(t *testing.T, w, h int) *bench {
			b := start(t, w, h, offered(t), nil)
			b.Key("D", "G")
			return b
		}},
		{"nothing", func(t *testing.T, w, h int) *bench {
			b := start(t, w, h, offered(t), nil)
			b.Key("/")
			b.Type("no such thing")
			return b
		}},
		{"found", func(t *testing.T, w, h int) *bench {
			b := start(t, w, h, offered(t), nil)
			b.Key("/")
			b.Type("i2v 1080p")
			return b
		}},
		{"scripts", func(t *testing.T, w, h int) *bench {
			b := start(t, w, h, scripts(t), nil)
			b.Key("D", "end", "s", "up", "up", "s")
			return b
		}},
		{"scripts-detail", func(t *testing.T, w, h int) *bench {
			b := start(t, w, h, scripts(t), nil)
			b.goTo("🪁")
			b.Key("s", "enter")
			return b
		}},
		{"hostile", func(t *testing.T, w, h int) *bench { return start(t, w, h, hostile(t), nil) }},
	}
	for _, s := range [][2]int{{80, 24}, {120, 34}, {200, 60}, {40, 12}} {
		for _, c := range cases {
			name := fmt.Sprintf("%s-%dx%d", c.name, s[0], s[1])
			t.Run(name, func(t *testing.T) { c.make(t, s[0], s[1]).Golden(name) })
		}
	}
}

// TestGoldenModels shows what is known of models that differ, on a page that holds it.
func TestGoldenModels(t *testing.T) {
	for _, id := range []string{"famI-omni", "famK-3.0-480p", "talker-4-mini"} {
		t.Run(id, func(t *testing.T) {
			b := start(t, 99, 320, offered(t), nil)
			b.goTo(id)
			b.Key("enter")
			b.Golden("model-" + id)
		})
	}
}

func TestGoldenDetailOfASmallScreen(t *testing.T) {
	b := start(t, 80, 24, offered(t), nil)
	b.goTo("famI-omni")
	b.Key("enter")
	b.Golden("detail-80x24")
	b.Key("G")
	b.Golden("detail-end-80x24")
	b.Resize(40, 12)
	b.Golden("detail-40x12")
}

// scripts is a list with names and texts that are hard to draw: wide ones, emoji of several
// runes, and what is written from right to left.
func scripts(t testing.TB) client.ModelList {
	l := offered(t)
	add := func(id, title, text, owner string) {
		l.Models = append(l.Models, client.RemoteModel{ID: id, DisplayName: title, Description: text, Owner: owner, Methods: []string{"生成", "توليد"}, Origins: []string{"v1"}})
	}
	add("塩の平原-映像-4", "塩の平原 第四版", "夜明けの塩の平原の上を飛ぶ赤い凧。文章と画像から短い映像を作る。", "塩工房")
	add("עפיפון-אדום-2", "עפיפון אדום", "סרטונים קצרים מטקסט ומתמונות, עד 10 שניות.", "מישור מלח")
	add("طائرة-ورقية", "طائرة ورقية حمراء", "مقاطع قصيرة من نص وصور.", "مسطح ملحي")
	add("kite-🪁-👩‍👩‍👧-🇩🇪", "Kite 🪁👩‍👩‍👧🇩🇪", "Zalgo e̸͙̋̕͝, ไทย, 👍🏽 and ✈️: 夜明けの塩の平原の上を飛ぶ赤い凧。文章と画像から短い映像を作る。", "somebody 🧂")
	return l
}

// hostile is a list whose every text tries something.
func hostile(t testing.TB) client.ModelList {
	evil := "\x1b]0;owned\x07done\u202eevil\u200b\x9b2J\r\n<script>"
	l := offered(t)
	l.Models[0].DisplayName, l.Models[0].Description, l.Models[0].Version = evil, evil+" 塩の平原 👩‍🚀 מישור", evil
	l.Models = append(l.Models,
		client.RemoteModel{ID: evil, DisplayName: evil, Description: evil, Owner: evil, Methods: []string{evil, evil}, Origins: []string{evil}},
		client.RemoteModel{ID: "塩の平原-👩‍🚀-" + long(300), Description: long(100_000), Origins: []string{"v1"}},
		client.RemoteModel{ID: " ", Origins: []string{"v1"}}, client.RemoteModel{ID: "", Origins: nil},
		client.RemoteModel{ID: "\xff\xfe", Origins: []string{"v1"}})
	l.Sources[0].Path = native + evil
	l.Sources[1].Err = fmt.Errorf("%s: %s", guess, evil+long(10_000))
	return l
}

func long(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcdefghij klmno"[i%16]
	}
	return string(b)
}
