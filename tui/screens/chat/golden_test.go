package chat

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/client/kept"
)

var hostileText = "\x1b]0;owned\x07\x1b[2J\u202eevil\u202c\u200b \u009b31m\r\n# \x1b[31mhead\n- \x00item **bo\x1bld** `co\x07de`\n```\x1b[2J\ncode\x1b[H\t\u2066\n```\n\U000E0041|\ue000|\xff|1\ufe0f\u20e3"

func TestGoldens(t *testing.T) {
	cases := []struct {
		name string
		make func(t *testing.T, b *bench)
	}{
		{"empty", func(*testing.T, *bench) {}},
		{"answer", func(_ *testing.T, b *bench) {
			b.m.show(aTalk(question("How do I fly\na kite?"), reply(markdown)))
		}},
		{"streaming", func(t *testing.T, b *bench) {
			b.Limit = 30 * time.Millisecond
			b.m.model.SetValue("gpt-x")
			b.gw.deltas, b.gw.hold = []string{"Take a ", "red "}, make(chan struct{})
			b.say("a kite?")
			b.Settle(5*time.Second, "it comes", func() bool { return strings.Contains(b.View(), "red") })
			b.m.talk.beat = 0
			b.m.fresh = false
			t.Cleanup(func() { close(b.gw.hold) })
		}},
		{"failed", func(_ *testing.T, b *bench) {
			b.m.model.SetValue("gpt-x")
			b.gw.deltas, b.gw.answer = []string{"Take a"}, client.ChatAnswer{Text: "Take a"}
			b.gw.err = &client.APIError{HTTPStatus: 429, Code: "rate_limited", Message: "slow down", RetryAfter: 30 * time.Second, RequestID: "req_1"}
			b.say("a kite?")
		}},
		{"offline", func(_ *testing.T, b *bench) {
			b.m.model.SetValue("gpt-x")
			b.gw.err = errors.New("POST /v1/chat/completions: dial tcp 127.0.0.1:1: connect: connection refused")
			b.say("a kite?")
		}},
		{"reasoning", func(_ *testing.T, b *bench) {
			x, y := reply("42"), question("an old one")
			x.Reasoning = "First,\nsix times nine."
			x.Finish, y.Aside = "length", true
			b.m.show(aTalk(y, question("why?"), x, kept.Message{Role: client.RoleAssistant, Refusal: "I won't say more.", Model: "gpt-x", At: now}))
			b.m.read.unfold("reason", "2")
			b.m.fresh = false
		}},
		{"hostile", func(_ *testing.T, b *bench) {
			x := reply(hostileText)
			x.Model, x.RequestID, x.Finish, x.Usage = "m\x1b[2J", "r\u202e\n1", "st\x1bop", []byte(`{"\u001b":"`+"\x1b"+`"}`)
			b.m.show(kept.Conversation{ID: aTalk().ID, Title: hostileText, Model: hostileText, System: hostileText, Messages: []kept.Message{question(hostileText), x}})
		}},
		{"system", func(_ *testing.T, b *bench) {
			b.m.show(aTalk())
			b.Key("alt+s")
			b.Paste("\nAnswer as a director of photography would, in one paragraph that names light, lens and motion, and nothing else.\n日本語でも。")
			b.Key("ctrl+home")
		}},
		{"models", func(_ *testing.T, b *bench) {
			b.gw.list.Models = []client.RemoteModel{{ID: "alpha", DisplayName: "Alpha"}, {ID: "beta", Methods: []string{"chat"}}}
			b.Key("ctrl+g")
		}},
	}
	for _, k := range cases {
		for _, size := range [][2]int{{40, 10}, {80, 22}, {120, 32}, {200, 58}} {
			t.Run(fmt.Sprintf("%s-%dx%d", k.name, size[0], size[1]), func(t *testing.T) {
				b := start(t, size[0], size[1])
				k.make(t, b)
				b.Golden(fmt.Sprintf("%s-%dx%d", k.name, size[0], size[1]))
				for _, bad := range []string{"\x07", "\u202e", "\u200b", "\u009b", "\x1b]", "\x1b[2J", "\ue000"} {
					assert.NotContains(t, strings.ReplaceAll(b.Frame(), "\x1b_dz", ""), bad)
				}
			})
		}
	}
}

// TestASequenceSplitOverTwoPieces: the halves of a control sequence are harmless by
// themselves, and so is the whole.
func TestASequenceSplitOverTwoPieces(t *testing.T) {
	whole := "a\x1b]52;c;AAAA\x07b\x1b[31mc👩\u200d🚀d\r\ne\u202e"
	for cut := range len(whole) {
		b := named(t, 80, 22)
		b.gw.deltas = []string{whole[:cut], whole[cut:]}
		b.gw.answer = client.ChatAnswer{Text: whole}
		b.say("x")
		frame := b.View()
		assert.NotContains(t, frame, "\x1b")
		assert.NotContains(t, frame, "\u202e")
		assert.Contains(t, frame, "a␛]52;c;AAAA␇b␛[31mc👩\u200d🚀d")
	}
}
