package times

import (
	"errors"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"

	"darkroom/client/human"
	"darkroom/tui/screen"
)

type shelf struct {
	style human.TimeStyle
	err   error
}

func (s *shelf) Save(t human.TimeStyle) error { s.style = t; return s.err }

// run carries out the commands of a batch, and returns their toasts.
func run(cmd tea.Cmd) []string {
	var out []string
	for _, c := range cmd().(tea.BatchMsg) {
		if t, ok := c().(screen.ToastMsg); ok {
			out = append(out, t.Text)
		}
	}
	return out
}

func TestTheChoiceIsKept(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	c := New("sundial", s)
	assert.Equal(t, human.Local, c.At(time.Now()).Style)
	late := c.Turn()
	assert.Equal(t, human.UTC, c.Style())
	assert.Equal(t, []string{"times are ages now"}, run(c.Turn()))
	assert.Equal(t, human.Relative, s.style)
	run(late)
	assert.Equal(t, human.Relative, s.style, "a late save writes the newest choice")
	s.err = errors.New("disk full")
	assert.Equal(t, []string{"times are in the zone of this machine now", "how times are written could not be kept: disk full"}, run(c.Turn()))
	assert.Equal(t, human.Local, c.Style(), "it holds until the end")
}

func TestNoChoice(t *testing.T) {
	t.Parallel()
	var c *Choice
	assert.Equal(t, human.Local, c.Style())
	assert.Nil(t, c.Turn())
	assert.Len(t, run(New(human.Local, nil).Turn()), 1)
}
