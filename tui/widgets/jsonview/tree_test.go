package jsonview_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/jsonquery"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets/jsonview"
	"darkroom/tui/widgets/zone"
)

const treeBody = `{"id":"v-1","list":[{"k":1.50},{"k 2":"two"}],"url":"https://x.example/a?b=c","empty":{},"last":null}`

func tree(t testing.TB, body string, w, h int) *jsonview.Tree {
	t.Helper()
	tr := jsonview.NewTree(jsonview.ParseWhole([]byte(body), clean), false)
	tr.SetSize(w, h)
	return &tr
}

func plainView(t testing.TB, tr *jsonview.Tree) string {
	t.Helper()
	lines := strings.Split(tuitest.Plain(tr.View(tuitest.Styles(t))), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// valueAt is what jq says stands at a path.
func valueAt(t testing.TB, body, path string) string {
	t.Helper()
	f, err := jsonquery.Compile(path)
	require.NoError(t, err, path)
	out, err := f.Run(t.Context(), []byte(body))
	require.NoError(t, err, path)
	require.Len(t, out, 1)
	return string(out[0])
}

func TestEveryLineHasItsPathAndItsValue(t *testing.T) {
	tr := tree(t, treeBody, 60, 20)
	var paths []string
	_, n := tr.Place()
	for range n {
		paths = append(paths, tr.Path())
		var got bytes.Buffer
		if json.Compact(&got, []byte(tr.Value())) != nil { // a text is copied without its quotation marks
			b, err := json.Marshal(tr.Value())
			require.NoError(t, err)
			got.Reset()
			got.Write(b)
		}
		assert.JSONEq(t, valueAt(t, treeBody, tr.Path()), got.String(), tr.Path())
		tr.Key("down")
	}
	assert.Equal(t, []string{".", ".id", ".list", ".list[0]", ".list[0].k", ".list[0]", ".list[1]", `.list[1]["k 2"]`, ".list[1]", ".list", ".url", ".empty", ".last", "."}, paths)
	tr.Key("g")
	assert.Equal(t, treeBody, tr.Value(), "the whole as it came")
	assert.Equal(t, 1, tr.Search("1.50"))
	assert.Equal(t, "1.50", tr.Value())
}

func TestALongValueIsWholeWhenCopied(t *testing.T) {
	url := "https://media.example/" + strings.Repeat("sign/", 5000)
	tr := tree(t, `{"url":"`+url+`"}`, 40, 5)
	tr.Key("down")
	assert.Equal(t, url, tr.Value())
	cut := tree(t, "["+strings.Repeat("1,", 500_000)+"1]", 40, 5)
	assert.Len(t, cut.Value(), 1_000_003, "the whole, though its end was not read")
	text := tree(t, "<html>\n"+strings.Repeat("x", 5000), 40, 5)
	text.Key("down")
	assert.Len(t, text.Value(), 5000)
	assert.Empty(t, text.Path())
	var none jsonview.Tree
	assert.Empty(t, none.Value()+none.Path())
	none.SetSize(20, 4)
	for _, k := range []string{"down", "left", "right", " ", "-", "+", "G"} {
		none.Key(k)
		tuitest.CheckFrame(t, none.View(tuitest.Styles(t)), 20, 4)
	}
}

func TestBranchesFold(t *testing.T) {
	tr := tree(t, treeBody, 60, 14)
	tr.Key("down")
	tr.Key("down")
	tr.Key(" ")
	assert.Equal(t, "  ▾ {\n      \"id\": \"v-1\",\n❯ ▸   \"list\": [ … ],\n      \"url\": \"https://x.example/a?b=c\",\n      \"empty\": {},\n      \"last\": null\n    }", strings.TrimRight(plainView(t, tr), "\n"))
	tr.Key("down")
	assert.Equal(t, ".url", tr.Path(), "what is folded is passed over")
	tr.Key("up")
	tr.Key("right")
	tr.Key("right")
	assert.Equal(t, ".list[0]", tr.Path(), "unfolded, then into it")
	tr.Key("left")
	tr.Key("left")
	assert.Equal(t, ".list", tr.Path(), "folded, then out of it")
	tr.Key("-")
	tr.Key("G")
	assert.Equal(t, ".", tr.Path())
	tr.Key("+")
	assert.Contains(t, plainView(t, tr), `"k": 1.50`)
}

func TestSearchGoesRound(t *testing.T) {
	tr := tree(t, treeBody, 60, 14)
	tr.Key("-")
	assert.Equal(t, 2, tr.Search("K"), "in any case")
	assert.Equal(t, ".list[0].k", tr.Path(), "it is unfolded")
	n, of := tr.Next(1)
	assert.Equal(t, []int{2, 2}, []int{n, of})
	assert.Equal(t, `.list[1]["k 2"]`, tr.Path())
	n, _ = tr.Next(1)
	assert.Equal(t, 1, n)
	n, _ = tr.Next(-1)
	assert.Equal(t, 2, n)
	tr.Key("G")
	n, _ = tr.Next(-1)
	assert.Equal(t, 2, n, "the one before")
	assert.Zero(t, tr.Search("nowhere"))
	n, of = tr.Next(1)
	assert.Zero(t, n+of)
}

func TestATreeHasTheSizeAsked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	st := tuitest.Styles(t)
	bodies := []string{treeBody, "", "no json\nat all " + strings.Repeat("塩の平原 ", 60), `["` + strings.Repeat("long ", 300) + `",[[[{"塩":"🪁"}]]]]`, "[" + strings.Repeat("[1,2],", 200) + "3]"}
	keys := []string{"up", "down", "pgup", "pgdown", "g", "G", "left", "right", " ", "-", "+", "ctrl+d", "ctrl+u"}
	for range 300 {
		w, h := 1+r.IntN(70), 1+r.IntN(20)
		tr := tree(t, bodies[r.IntN(len(bodies))], w, h)
		for range 12 {
			switch r.IntN(6) {
			case 0:
				tr.SetWrap(!tr.Wraps())
			case 1:
				tr.Search([]string{"", "1", "K", "o", "塩"}[r.IntN(5)])
			case 2:
				tr.Next(1 - 2*r.IntN(2))
			case 3:
				tr.Wheel(3 - r.IntN(6))
			default:
				require.True(t, tr.Key(keys[r.IntN(len(keys))]))
			}
			frame := tr.View(st)
			tuitest.CheckFrame(t, frame, w, h)
			if _, n := tr.Place(); n > 0 && w > 4 {
				require.Contains(t, frame, "❯", "the cursor is in sight")
			}
		}
	}
	assert.False(t, tree(t, "1", 9, 9).Key("x"))
}

func TestALineIsClicked(t *testing.T) {
	tr := tree(t, treeBody, 60, 14)
	tr.View(tuitest.Styles(t))
	require.True(t, tr.Click(zone.Click{Zone: "json:2"}))
	assert.Equal(t, ".list", tr.Path())
	require.True(t, tr.Click(zone.Click{Zone: "json:2"}))
	assert.Contains(t, plainView(t, tr), "[ … ]", "a second time folds it")
	assert.False(t, tr.Click(zone.Click{Zone: "row:2"}))
	assert.False(t, tr.Click(zone.Click{Zone: "json:99"}))
}

func FuzzTree(f *testing.F) {
	for _, s := range []string{treeBody, `[[],{"":{"":1}}]`, `{"a":1,"a":[2]}`, "text\nlines", `"\ud83d\ude00"`, " [ 1 , 2 ] ", "[1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		tr := tree(t, body, 50, 12)
		_, n := tr.Place()
		for range min(n, 300) {
			tr.Value()
			if path := tr.Path(); tr.Doc().JSON && path == "" {
				t.Fatal("a value without a path")
			}
			tr.Key("down")
		}
		tr.Key("-")
		tuitest.CheckFrame(t, tr.View(tuitest.Styles(t)), 50, 12)
	})
}

func BenchmarkTreeView(b *testing.B) {
	tr := tree(b, "["+strings.Repeat(`{"id":"task_1","n":1,"ok":true},`, 3000)+"0]", 100, 40)
	st := tuitest.Styles(b)
	tr.Key("G")
	for b.Loop() {
		tr.View(st)
	}
}
