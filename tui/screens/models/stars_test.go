package models

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func (b *bench) toast() string {
	msg, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	return msg.Text
}

func TestAStarIsGivenAndTakenAway(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	b.goTo("famI-omni")
	assert.NotContains(t, b.View(), "★")
	b.Key("s")
	assert.Equal(t, []string{"famI-omni"}, b.k.stars)
	assert.Contains(t, b.toast(), "★ famI-omni is listed first")
	assert.Contains(t, b.View(), "│ ★ famI-omni", "in the detail")
	b.Key("esc", "esc")
	assert.Contains(t, b.View(), "★ famI-omni", "in the table")
	b.goTo("famI-omni")
	b.Click("btn:models.star")
	assert.Empty(t, b.k.stars)
	assert.Equal(t, "famI-omni no longer has a star", b.toast())
	assert.NotContains(t, b.View(), "★")
}

// TestStarsOfOthers: Compose gives stars too, and the command line.
func TestStarsOfOthers(t *testing.T) {
	b := start(t, 120, 34, offered(t), nil)
	b.k.stars = []string{"famA3", "somebody-elses"}
	b.Send(screen.HiddenMsg{}, screen.ShownMsg{})
	assert.Contains(t, b.View(), "★ famA3")
}

func TestWhyAModelHasNoStar(t *testing.T) {
	l := offered(t)
	l.Models = append(l.Models, client.RemoteModel{ID: "zz\u202eevil", Origins: []string{"v1"}})
	b := start(t, 120, 34, l, nil)
	b.k.err = errors.New("models.json cannot be read\x1b[31m")
	b.Key("s")
	assert.Equal(t, "stars are not kept: models.json cannot be read␛[31m", b.toast())
	b.Key("end", "s")
	assert.Equal(t, unsafeName, b.toast())
	b.Sent = nil
	b.Send(screen.ShownMsg{}, screen.ShownMsg{})
	assert.Empty(t, b.toast(), "it was told")
	b.k.err = nil
	b.m.stars.marks = nil
	b.Key("home", "s")
	assert.Equal(t, "stars are not kept here", b.toast())
}
