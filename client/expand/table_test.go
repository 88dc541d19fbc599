package expand

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
)

func table(t testing.TB, text string) Table {
	t.Helper()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	return Table{
		Name: "shots.csv", Text: text, Catalog: c,
		Base: client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "base", Values: client.Values{"resolution": "720p"}},
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	tab := table(t, "\ufeffPrompt,seconds,Aspect Ratio,seed,generate-audio,image_urls,model\r\n"+
		"\"a \"\"red\"\" kite,\nat dawn\",6,16:9,9007199254740993,yes,,\r\n"+
		",,,,,,\r\n"+
		"\r\n"+
		",4.5,,,no,\"https://x.example/a,b.png\nhttps://x.example/c.png\",famA3\r\n")
	rows, err := tab.Rows()
	require.NoError(t, err)
	require.Len(t, rows, 2)
	require.Equal(t, 2, rows[0].Line)
	require.Equal(t, client.Draft{Modality: client.Video, Model: "famI-omni", Mode: "t2v", Prompt: "a \"red\" kite,\nat dawn", Values: client.Values{
		"resolution": "720p", "duration": json.Number("6"), "aspect_ratio": "16:9", "seed": json.Number("9007199254740993"), "generate_audio": true,
	}}, rows[0].Draft)
	require.Equal(t, 6, rows[1].Line)
	require.Equal(t, "base", rows[1].Draft.Prompt, "an empty cell leaves what there is")
	require.Equal(t, "famA3", rows[1].Draft.Model)
	require.Equal(t, []any{"https://x.example/a,b.png", "https://x.example/c.png"}, rows[1].Draft.Values["images"])
	require.Equal(t, client.Values{"resolution": "720p"}, tab.Base.Values, "what was given stays as it is")
}

func TestSeparators(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"semicolon": "prompt;seconds\na, b;4\n", "tab": "prompt\tseconds\na, b\t4\n", "comma": "prompt,seconds\n\"a, b\",4\n",
		"quoted header": "\"prompt\";\"seconds\"\n\"a, b\";4", "mapped with commas": "\"prompt\";\"len,in,s\"\na, b;4",
	} {
		tab := table(t, text)
		if strings.Contains(text, "len,in,s") {
			tab.Columns = map[string]string{"len,in,s": "duration"}
		}
		rows, err := tab.Rows()
		require.NoError(t, err, name)
		require.Equal(t, "a, b", rows[0].Draft.Prompt, name)
		require.Equal(t, json.Number("4"), rows[0].Draft.Values["duration"], name)
	}
	tab := table(t, "prompt;x\n")
	tab.Comma = ','
	_, err := tab.Rows()
	require.ErrorContains(t, err, `"prompt;x"`)
}

func TestColumnsAreMapped(t *testing.T) {
	t.Parallel()
	tab := table(t, "Beschreibung,Sekunden,Ort,intern,$wer\nein Drachen,4,am Meer,x,Kind\n")
	tab.Columns = map[string]string{"Beschreibung": "prompt", "Sekunden": "seconds", "Ort": "$place", "intern": "-"}
	rows, err := tab.Rows()
	require.NoError(t, err)
	require.Equal(t, "ein Drachen", rows[0].Draft.Prompt)
	require.Equal(t, json.Number("4"), rows[0].Draft.Values["duration"])
	require.Equal(t, map[string]string{"place": "am Meer", "wer": "Kind"}, rows[0].Vars)
}

func TestTableMistakes(t *testing.T) {
	t.Parallel()
	for text, says := range map[string][]string{
		"":                                       {"shots.csv: the table is empty"},
		"prompt\n":                               {"no rows"},
		"prompt,colour,durations\nx,y,z":         {"shots.csv:1:", `unknown columns: "colour", "durations" (duration?)`, "allowed: prompt, model, model_name, mode, ", "seed"},
		"prompt,seconds,duration\n1,2,3":         {`columns "seconds" and "duration" both hold duration`},
		"prompt,seconds\nx,soon\ny,4\nz,later\n": {`shots.csv:2: column seconds: "soon" is not a number`, "shots.csv:4: column seconds"},
		"prompt,seconds\nx\ny,4,5\n":             {"shots.csv:2: 1 cells, and the header has 2", "shots.csv:3: 3 cells", `','`},
		"prompt\na \"b\" c\n":                    {"shots.csv:2:3: a double quote within a cell"},
		"prompt,seconds\n\"a\n":                  {"does not end"},
		"prompt\nx\x1b[31m\n":                    {"shots.csv:2:2: a control character (U+001B)"},
		"prompt\n\xff\n":                         {"shots.csv:2:1: the text is not UTF-8"},
		"$1\nx\n":                                {`unknown columns: "$1"`},
		"prompt\n" + strings.Repeat("x\n", 2001): {"more than 2000 rows"},
		"prompt,camera_control\nx,[1]\n":         {"column camera_control"},
	} {
		_, err := table(t, text).Rows()
		for _, s := range says {
			require.ErrorContains(t, err, s, "%q", text)
		}
	}
	tab := table(t, "prompt,a\nx,y\n")
	tab.Columns = map[string]string{"a": "colour", "b": "seed"}
	_, err := tab.Rows()
	require.ErrorContains(t, err, `column "a" is mapped to "colour", which is not a field of video`)
	require.ErrorContains(t, err, `column "b" is mapped, and the header has no such column; it has prompt, a`)

	tab = table(t, "prompt,image,image_urls\nx,a.png,\ny,,\"b.png\nbad.png\"\n")
	tab.Media = func(s string) (string, error) {
		if s == "bad.png" {
			return "", errors.New("bad.png is not a file")
		}
		return "file:///" + s, nil
	}
	_, err = tab.Rows()
	require.ErrorContains(t, err, "shots.csv:3: column image_urls: bad.png is not a file")
	tab.Text = strings.ReplaceAll(tab.Text, "bad", "good")
	rows, err := tab.Rows()
	require.NoError(t, err)
	require.Equal(t, "file:///a.png", rows[0].Draft.Values["image"])
	require.Equal(t, []any{"file:///b.png", "file:///good.png"}, rows[1].Draft.Values["images"])
}

func TestLines(t *testing.T) {
	t.Parallel()
	rows, err := Lines("p.txt", "\ufeff a kite \r\n\r\n# one, \"two\"\n", client.Draft{Model: "m", Values: client.Values{"n": "1"}})
	require.NoError(t, err)
	require.Equal(t, []Row{
		{Draft: client.Draft{Model: "m", Prompt: "a kite", Values: client.Values{"n": "1"}}, Line: 1},
		{Draft: client.Draft{Model: "m", Prompt: `# one, "two"`, Values: client.Values{"n": "1"}}, Line: 3},
	}, rows)
	for text, says := range map[string]string{"": "no line with a prompt", "a\x00": "p.txt:1:2: a control character", strings.Repeat("x\n", 2001): "more than 2000 lines", strings.Repeat("x", MaxTable+1): "more than 16777216 bytes"} {
		_, err = Lines("p.txt", text, client.Draft{})
		require.ErrorContains(t, err, says)
	}
}

// FuzzTable: any text gives rows or an error that is fit to show.
func FuzzTable(f *testing.F) {
	for _, s := range []string{"prompt,seconds\nx,4\n", "\ufeffprompt;seed\n\"a\"\"b\";7", "prompt\timage_urls\n\t[\"x\"]", "\"", ",\n,", "$v,prompt\n1,2"} {
		f.Add(s)
	}
	tab := table(f, "")
	f.Fuzz(func(t *testing.T, text string) {
		tab := tab
		tab.Text = text
		rows, err := tab.Rows()
		if (len(rows) == 0) == (err == nil) {
			t.Fatalf("%v, %v", rows, err)
		}
		for _, r := range rows {
			if _, err := json.Marshal(r.Draft); err != nil || r.Line < 2 {
				t.Fatalf("%+v: %v", r, err)
			}
		}
		if err != nil && client.Clean(err.Error()) != err.Error() {
			t.Fatalf("%q", err)
		}
	})
}
