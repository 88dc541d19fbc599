package choose_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/tui/dialogs/choose"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/picker"
)

type colour struct{}

func dialog() *choose.Dialog {
	return choose.New(picker.New("Which?", "", []picker.Item{{ID: "", Title: "none"}, {ID: "r", Title: "red"}, {ID: "b", Title: "blue"}}), colour{})
}

func TestOneOfAListIsPicked(t *testing.T) {
	b := tuitest.NewDialog(t, keys.Map{}, dialog(), 80, 24)
	b.Type("bl\u200du")
	b.Key("enter")
	b.Show(dialog())
	b.Key("enter")
	b.Show(dialog())
	b.Send(screen.WheelMsg{Delta: 1})
	b.Key("esc")
	assert.Equal(t, []any{choose.Picked{For: colour{}, ID: "b", OK: true}, choose.Picked{For: colour{}, OK: true}, choose.Picked{For: colour{}}}, b.Answers)
	assert.Nil(t, b.Top())
	assert.Len(t, dialog().ShortHelp(), 2)
}
