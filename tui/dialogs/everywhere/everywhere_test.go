package everywhere_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
	"darkroom/tui/dialogs/everywhere"
	"darkroom/tui/keys"
	"darkroom/tui/tuitest"
)

// offices answer at once; knows is the profile that has the id, "" for none.
type offices struct{ knows string }

func (o offices) Names() []string { return []string{"work", "team", "old"} }

func (o offices) One(_ context.Context, s inspect.Subject, each func(lookup.Answer)) lookup.Found {
	f := lookup.Found{}
	for _, name := range o.Names() {
		a := lookup.Answer{Profile: name, Result: lookup.Result{Subject: s}}
		route := inspect.Route{Format: "videos", Done: true, Result: client.RouteResult{Err: &client.APIError{HTTPStatus: 404}}}
		if name == o.knows {
			route.Result = client.RouteResult{Task: &client.Task{Status: client.StatusRunning, Model: "famA3\x1b[31m"}}
		}
		if name == "old" {
			a.Left = errors.New("no key is kept")
		} else {
			a.Findings.Routes = []inspect.Route{route}
		}
		f.Answers = append(f.Answers, a)
		each(a)
	}
	return f
}

func TestTheProfileThatKnowsItIsTaken(t *testing.T) {
	s := inspect.Subject{Kind: inspect.KindID, Value: "video_7"}
	for _, size := range [][2]int{{100, 30}, {40, 12}} {
		b := tuitest.NewDialog(t, keys.Map{}, everywhere.New(offices{knows: "team"}, s), size[0], size[1])
		for _, want := range []string{"Which gateway knows video_7", "work", "✓ team"} {
			assert.Contains(t, b.View(), want)
		}
		b.Key("enter")
		assert.Equal(t, []any{everywhere.Taken{Profile: "team", Subject: s}}, b.Answers, "the cursor is on it")
		assert.Nil(t, b.Top())
	}
	b := tuitest.NewDialog(t, keys.Map{}, everywhere.New(offices{knows: "team"}, s), 100, 30)
	for _, want := range []string{"does not know it", "knows it: running, famA3", "not asked: no key is kept"} {
		assert.Contains(t, b.View(), want)
	}
	assert.NotContains(t, b.View(), "\x1b[31m")
}

func TestNobodyKnowsIt(t *testing.T) {
	b := tuitest.NewDialog(t, keys.Map{}, everywhere.New(offices{}, inspect.Subject{Value: "x"}), 100, 30)
	assert.Contains(t, b.View(), "none of the gateways asked knows it")
	b.Key("esc")
	assert.Empty(t, b.Answers)
}
