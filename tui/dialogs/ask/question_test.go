package ask_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/dialogs/ask"
	"darkroom/tui/keys"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/confirm"
)

func question(name string) *ask.Question {
	return ask.Choose(ask.QuestionOptions{Box: confirm.New("Sure?", "It is gone then.", "no", confirm.Button{ID: "no", Label: "No"}, confirm.Button{ID: "yes", Label: "Yes", Key: "y"}),
		Width: 60, Height: 12, About: "about " + name, Help: [][2]string{{"y", "yes"}, {"esc", "no"}}, Name: name})
}

func TestAQuestionIsAnswered(t *testing.T) {
	b := tuitest.NewDialog(t, keys.Map{}, question("one"), 80, 24)
	assert.Contains(t, b.View(), "It is gone then.")
	assert.Equal(t, "yes", b.ShortHelp()[0].Help().Desc)
	b.Paste("y")
	require.NotNil(t, b.Top(), "what is pasted is no answer")
	b.Show(question("two"))
	b.Key("y")
	b.Click("btn:no")
	assert.Equal(t, []any{ask.Chosen{About: "about two", ID: "yes"}, ask.Chosen{About: "about one", ID: "no"}}, b.Answers)
	assert.Nil(t, b.Top())
}

func TestAQuestionIsAnsweredInThePersonsPlace(t *testing.T) {
	b := tuitest.NewDialog(t, keys.Map{}, question("one"), 80, 24)
	b.Show(question("two"))
	b.Send(ask.Choice{Name: "one", ID: "no"})
	assert.Equal(t, []any{ask.Chosen{About: "about one", ID: "no"}}, b.Answers)
	assert.Equal(t, "two", b.Top().Scope())
}
