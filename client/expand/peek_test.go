package expand

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func peekTable(t *testing.T, text string, columns map[string]string) Table {
	tab := table(t, text)
	tab.Columns = columns
	return tab
}

func TestPeekGuessesColumns(t *testing.T) {
	p, err := peekTable(t, "\ufeffPrompt;Seconds;Stadt;Notiz\na kite;6;Köln;x\n\n\"two\nlines\";;塩\n", map[string]string{"Notiz": "-"}).Peek(1)
	require.NoError(t, err)
	assert.Equal(t, []PeekColumn{{Name: "Prompt", Target: "prompt"}, {Name: "Seconds", Target: "duration"},
		{Name: "Stadt"}, {Name: "Notiz", Target: "-"}}, p.Columns)
	assert.Equal(t, [][]string{{"a kite", "6", "Köln", "x"}}, p.First)
	assert.Equal(t, []int{2}, p.Lines)
	assert.Equal(t, 2, p.Rows, "blank lines are none")

	p, err = peekTable(t, "Stadt\nKöln,zuviel\n", map[string]string{"Stadt": "$city"}).Peek(5)
	require.NoError(t, err)
	assert.Equal(t, "$city", p.Columns[0].Target)
	assert.Equal(t, [][]string{{"Köln"}}, p.First, "a cell a column, however many the row has")
}

func TestPeekCountsWhatIsTooMuch(t *testing.T) {
	var b strings.Builder
	b.WriteString("prompt\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "kite %d\n", i)
	}
	table := peekTable(t, b.String(), nil)
	p, err := table.Peek(3)
	require.NoError(t, err)
	assert.Equal(t, 10_000, p.Rows)
	assert.Len(t, p.First, 3)
	_, err = table.Rows()
	require.ErrorContains(t, err, "more than 2000 rows")
}

func TestPeekSaysWhereThereIsNoTable(t *testing.T) {
	for text, want := range map[string]string{
		"": "the table is empty", "a\xffb\n": "not UTF-8", "a\x00b\n": "control character", "\"a\nb": "a quoted cell does not end",
	} {
		_, err := peekTable(t, text, nil).Peek(3)
		require.ErrorContains(t, err, want, "%q", text)
	}
	p, err := peekTable(t, "prompt\nkite\nbroken \"here\n", nil).Peek(3)
	require.NoError(t, err, "rows are told by Rows")
	assert.Equal(t, 1, p.Rows)
}

func TestTargetsAreThoseOfTheModel(t *testing.T) {
	all := peekTable(t, "", nil).Targets()
	assert.Equal(t, []string{client.FieldPrompt, client.FieldModel, client.FieldModelName, client.FieldMode}, all[:4])
	assert.Contains(t, all, "duration")
}

// TestATableOfManyColumnsIsRefusedBeforeItIsRead: in the header and in any row.
func TestATableOfManyColumnsIsRefusedBeforeItIsRead(t *testing.T) {
	wide := strings.Repeat("a,", 2000) + "a\n"
	for text, want := range map[string]string{
		wide + "b\n":                           "list:1:2000: the line has more than 1000 cells",
		"prompt,seed\nx,1\n" + wide:            "list:3:2000: the line has more than 1000 cells",
		strings.Repeat("\"a\n\",", 2000) + "a": "list:1: the header has 2001 columns; at most 1000 are read",
	} {
		tab := peekTable(t, text, nil)
		tab.Name = "list"
		_, err := tab.Peek(5)
		require.ErrorContains(t, err, want)
		_, err = tab.Rows()
		require.ErrorContains(t, err, want)
	}
	p, err := peekTable(t, "prompt\n\""+strings.Repeat("a,", 2000)+"\"\n", nil).Peek(1)
	require.NoError(t, err, "within quotes it is text")
	assert.Equal(t, 1, p.Rows)
}
