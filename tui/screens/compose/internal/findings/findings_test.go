package findings

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
	"darkroom/jobs"
	"darkroom/tui/widgets/form"
)

func problem(field string, s catalog.Severity, text string) catalog.Problem {
	return catalog.Problem{Field: field, Severity: s, Message: text}
}

func TestTheWorstComesFirst(t *testing.T) {
	var l List
	assert.Equal(t, "✓ ready", l.Verdict())
	assert.Equal(t, "nothing is missing", l.Summary())
	assert.NotEmpty(t, l.OffJump())
	l.SetProblems([]catalog.Problem{problem("a", catalog.Info, "1"), problem("b", catalog.Warn, "2"), problem("a", catalog.Block, "3"), problem("b", catalog.Block, "4")})
	assert.Equal(t, "✗ 2 problems", l.Verdict())
	assert.Empty(t, l.Summary(), "they say so themselves")
	assert.Equal(t, "3", l.About("a").Message)
	assert.Nil(t, l.About("c"))
	assert.Equal(t, []string{"3", "4"}, Blocks(l.Problems))
	p, ok := l.FirstBlock([]string{"b", "a"})
	assert.True(t, ok)
	assert.Equal(t, "4", p.Message)
	l.SetProblems(nil)
	_, ok = l.FirstBlock(nil)
	assert.False(t, ok)
}

func TestFindingsAreGoneThroughAround(t *testing.T) {
	var l List
	l.SetProblems([]catalog.Problem{problem("a", catalog.Block, "1"), problem("a", catalog.Block, "2"), problem("b", catalog.Warn, "3"), problem("c", catalog.Info, "4")})
	focused := ""
	next := func() int {
		return l.NextProblem(func(p *catalog.Problem) bool {
			moved := focused != p.Field
			focused = p.Field
			return moved
		})
	}
	assert.Equal(t, []int{0, 2, 0}, []int{next(), next(), next()}, "the second one leads nowhere else, the last is only worth knowing")
	l.SetProblems([]catalog.Problem{problem("c", catalog.Info, "4")})
	assert.Equal(t, -1, l.LastProblem(), "it is mended")
	assert.Equal(t, 0, next(), "where there are no others")
}

func TestARefusalNamesItsRow(t *testing.T) {
	c := catalogtest.Catalog(t)
	at := func(param, message string) string {
		return RefusalOf(c, client.Video, &jobs.Job{Error: &client.TaskError{Param: param, Message: message}}).Field
	}
	assert.Equal(t, "duration", at("parameters.duration", "no"))
	assert.Equal(t, client.FieldPrompt, at("", "the prompt is too long"))
	assert.Empty(t, at("", "no"))
	assert.Equal(t, "refused: busy", RefusalOf(c, client.Video, &jobs.Job{Note: "busy"}).Text)
}

func TestItemsAreNumberedAsInTheForm(t *testing.T) {
	for _, x := range []struct {
		value      any
		said, want string
	}{
		{[]any{"a", "b"}, "images[1]: no", "images " + form.NumberOf(1) + ": no"},
		{[]any{"a"}, "images[0]: no", "images: no"},
		{[]any{"a"}, "images are too many", "images are too many"},
	} {
		p := problem("images", catalog.Warn, x.said)
		Number(&p, x.value)
		assert.Equal(t, x.want, p.Message)
	}
}

func TestWhatARequestDropsIsSaidOnce(t *testing.T) {
	d := client.Draft{Mode: "t2v", Values: client.Values{"seed": "1", "fps": "24"}}
	made := &client.Preview{Format: "videos", Notes: []string{"a note"},
		Dropped: []client.Dropped{{Field: "seed", Reason: "r"}, {Field: "fps", Reason: "r"}, {Field: "size", Reason: "r"}, {Field: client.FieldMode, Reason: "r"}}}
	said := []catalog.Problem{problem("fps", catalog.Warn, "fps is not carried by the videos format")}
	var fields []string
	for _, p := range OfRequest(made, "videos", "#format", &d, said) {
		fields = append(fields, p.Field)
	}
	assert.Equal(t, []string{"seed", client.FieldMode, "#format"}, fields)
	assert.Empty(t, OfRequest(made, "tasks", "#format", &d, nil), "it was made for another format")
}
