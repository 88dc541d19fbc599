package batch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

func TestABatchFromATable(t *testing.T) {
	b := desk(t, "famI-omni", "", 120, 34)
	b.table(t, "shots.csv", "Prompt;Sekunden;Note;seed\na red kite;6;x;7\nקיט אדום;8;;\n")
	assert.Equal(t, "column.1", b.d.form.Focused(), "the first column that nobody placed")
	view := b.View()
	assert.Contains(t, view, "column Sekunden: choose what it holds")
	assert.Contains(t, view, "6 · 8")
	b.Key("ctrl+s")
	assert.Empty(t, b.sent())
	b.Key("enter")
	b.Type("duration")
	b.Key("enter", "down", "right")
	assert.Contains(t, b.View(), "sends 2 jobs in one group · limit 200 · 2 rows")
	b.Key("ctrl+s")
	require.Equal(t, []string{"a red kite #7", "קיט אדום"}, b.said())
	assert.Equal(t, json.Number("8"), b.sent()[1].Draft.Values["duration"])
}

func TestARowWithAnotherModel(t *testing.T) {
	b := desk(t, "famI-omni", "a kite", 120, 34)
	b.form.Draft.Values["aspect_ratio"] = "16:9"
	b.table(t, "shots.csv", "model,seconds\nfamI-omni,6\nfamF-video,5\n")
	b.Key("ctrl+s")
	require.Len(t, b.sent(), 2, b.View())
	s := b.sent()[1]
	assert.Equal(t, "famF-video", s.Draft.Model)
	assert.Equal(t, "famF-v1", s.Draft.ModelName, "that model's own")
	assert.NotEmpty(t, s.Format)
}

func TestMistakesOfATableAreNamed(t *testing.T) {
	b := desk(t, "famI-omni", "", 120, 34)
	b.table(t, "shots.csv", "prompt,seconds,seed\na,six,1\nb,6\nc,6,1.5\n,6,1\n")
	view := b.View()
	assert.Contains(t, view, "shots.csv:2: column seconds")
	assert.Contains(t, view, "shots.csv:3: 2 cells, and the header has 3")
	assert.Contains(t, view, "nothing can be sent")
}

func TestARowThatIsBlockedIsNamedByItsLine(t *testing.T) {
	b := desk(t, "famI-omni", "", 120, 34)
	b.table(t, "shots.csv", "prompt,mode\na,t2v\nb,r2v\n")
	assert.Contains(t, b.View(), "line 3: ")
	b.Key("ctrl+s")
	assert.Empty(t, b.sent())
}

// TestATableThatNamesFilesElsewhereAsksFirst: nothing goes before the answer.
func TestATableThatNamesFilesElsewhereAsksFirst(t *testing.T) {
	dir := t.TempDir()
	private := filepath.Join(dir, "private.png")
	require.NoError(t, os.WriteFile(private, []byte("\x89PNG\r\n\x1a\n"), 0o600))
	b := desk(t, "famA3", "a kite", 120, 34)
	b.table(t, "shots.csv", "mode,image\ni2v,"+private+"\n")
	b.Key("ctrl+s")
	assert.Empty(t, b.sent())
	assert.Contains(t, b.View(), "The table names 1 file from outside")
	b.Key("n")
	assert.Empty(t, b.sent())
	b.Key("ctrl+s", "y")
	assert.Len(t, b.sent(), 1)
}

func TestWhatRowsLoseIsSaid(t *testing.T) {
	b := desk(t, "famI-omni", "", 120, 34)
	b.table(t, "shots.csv", "prompt,seconds,callback_url\na,6,\nb,5,https://example.org/hook\n")
	assert.Contains(t, b.View(), "callback_url is not sent in format videos: this gateway has no callbacks")
	assert.Contains(t, b.View(), "duration is 5: mapped to one of 4, 6, 8, 10")
	assert.Contains(t, b.View(), "sends 2 jobs")
}

func TestColumnsAreVariablesOfTheTemplate(t *testing.T) {
	b := desk(t, "", "a {red|blue} kite over ${stadt}", 120, 34)
	b.table(t, "cities.csv", "Stadt\nKöln\n東京\n")
	assert.Contains(t, b.View(), "sends 4 jobs")
	b.Key("ctrl+s")
	assert.Equal(t, []string{"a red kite over Köln", "a blue kite over Köln", "a red kite over 東京", "a blue kite over 東京"}, b.said())
}

func TestABatchFromLines(t *testing.T) {
	b := desk(t, "", "", 120, 34)
	path := b.table(t, "prompts.txt", "a red kite, with a comma\n\na {blue|green} kite 🪁\n")
	assert.Contains(t, b.View(), "line 3 reads like a template, and is sent as it stands")
	b.Key("alt+t")
	assert.Contains(t, b.View(), "sends 3 jobs")
	require.NoError(t, os.WriteFile(path, []byte("one\ntwo\n"), 0o600))
	b.Key("ctrl+r")
	assert.Contains(t, b.View(), "sends 2 jobs")
	b.Key("ctrl+s")
	assert.Equal(t, []string{"one", "two"}, b.said())
}

func TestFilesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "none.csv"): "there is no file",
		dir:                            "is not a file",
		"https://example.org/a.csv":    "is not a file on this machine",
	} {
		b := desk(t, "", "", 120, 34)
		b.open(OfFile)
		assert.Contains(t, b.View(), "name a table")
		b.Paste(path)
		assert.Contains(t, b.View(), want)
		b.Key("ctrl+s")
		assert.Equal(t, screen.Bad, toast(t, b).Level)
	}
	for name, text := range map[string]string{"empty.csv": "", "bom.csv": "\ufeff", "binary.csv": "a\x00b", "latin.csv": "pr\xf6mpt\n", "head.csv": "prompt\n", "q.csv": "prompt\n\"a\n"} {
		b := desk(t, "", "", 120, 34)
		b.table(t, name, text)
		assert.Contains(t, b.View(), name+":", text)
		b.Key("ctrl+s")
		assert.Empty(t, b.sent())
	}
}

// What a former file made is not taken for that of one that cannot be read.
func TestNothingOfAFormerFileShowsForAnother(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.csv")
	require.NoError(t, os.WriteFile(broken, []byte("prompt\n\"a\n"), 0o600))
	for path, want := range map[string]string{
		filepath.Join(dir, "none.csv"): "there is no file " + filepath.Join(dir, "none.csv"),
		dir:                            dir + " is not a file",
		broken + "/x.csv":              broken + "/x.csv cannot be read: not a directory",
		"/proc/self/mem":               "/proc/self/mem cannot be read: input/output error",
		broken:                         broken + " cannot be taken as it is",
	} {
		b := desk(t, "", "a {red|blue} ${place}", 120, 34)
		b.table(t, "former.csv", "prompt,place,seconds\na boat,here,6\n")
		require.Contains(t, b.View(), "a boat")
		b.d.form.Focus(rowFile)
		b.Key("ctrl+u")
		b.Type(path)
		b.Key("enter")
		view := b.dialogText()
		assert.Contains(t, view, want)
		for _, former := range []string{"a boat", "PROMPT", "seconds", "1 of 1", "${place}", "sends"} {
			assert.NotContains(t, view, former, path)
		}
		assert.Contains(t, view, "type another path under File, ^R reads this one again, esc leaves it")
		if path == broken {
			continue
		}
		assert.Equal(t, rowFile, b.d.form.Focused(), path)
		b.Key("ctrl+u")
		b.Type(broken) // begun, and not left
		b.Send(fileMsg{b.d, b.d.gen, file{typed: path, err: "late"}})
		assert.Equal(t, broken, b.d.form.Text(rowFile), "what is being typed stays")
	}
}

func TestABatchIsOfOneFile(t *testing.T) {
	b := desk(t, "", "", 120, 34)
	path := b.table(t, "first.csv", "prompt\na boat\n")
	n := len(b.Sent)
	b.Paste("  \r\n")
	assert.Len(t, b.Sent, n)
	assert.Equal(t, path, b.d.form.Text(rowFile), "an empty paste changes nothing")
	b.Paste(path + "\r\n/x/second.csv\n/x/third.csv\n")
	assert.Contains(t, b.View(), "a boat")
	assert.Contains(t, toast(t, b).Text, "a batch has one file: it is first.csv now, without second.csv, third.csv")
}

func TestNothingShowsWithoutAPath(t *testing.T) {
	b := desk(t, "", "", 120, 34)
	b.table(t, "former.csv", "prompt\na boat\n")
	b.d.form.Focus(rowFile)
	b.Key("ctrl+u", "enter")
	assert.NotContains(t, b.View(), "a boat")
	assert.Contains(t, b.View(), "name a table")
}

// A table of 10,000 rows is read by a command, not by Update.
func TestAColumnIsPickedAsAVariableOfAnyLetters(t *testing.T) {
	b := desk(t, "", "a kite over ${città} {x|y}", 120, 34)
	b.table(t, "cities.csv", "Città,場所\nRoma,海\n")
	b.Key("enter") // 場所, which no prompt asks for
	tuitest.CheckFrame(t, b.Frame(), 120, 34)
	assert.Contains(t, b.View(), "$場所")
	b.Type("passed")
	b.Key("enter", "ctrl+s")
	assert.Equal(t, []string{"a kite over Roma x", "a kite over Roma y"}, b.said())
}

func TestAWideTable(t *testing.T) {
	b := desk(t, "", "", 120, 34)
	b.table(t, "wide.csv", "prompt"+strings.Repeat(",x", 900)+"\na\n")
	assert.Contains(t, b.View(), "wide.csv: the table has 901 columns; at most 100 are placed here")
	b.Key("down", "down", "ctrl+s")
	assert.Empty(t, b.sent())
}

func TestACellThatIsHuge(t *testing.T) {
	b := desk(t, "", "", 80, 24)
	b.table(t, "cell.csv", "prompt,note\n"+strings.Repeat("塩", 200_000)+","+strings.Repeat("🪁", 200_000)+"\n")
	assert.Less(t, len(b.d.plan.Peek.First[0][1]), 1000)
	tuitest.CheckFrame(t, b.Frame(), 80, 24)
}

func TestAHugeTable(t *testing.T) {
	var text strings.Builder
	text.WriteString("prompt,seconds\n")
	for i := range 10_000 {
		fmt.Fprintf(&text, "kite %d 塩の平原,5\n", i)
	}
	b := desk(t, "", "", 120, 34)
	b.table(t, "huge.csv", text.String())
	view := b.View()
	assert.Contains(t, view, "more than 2000 rows: it has 10000")
	assert.Contains(t, view, "kite 0 塩の平原", "what it begins with shows all the same")

	b = desk(t, "", "", 120, 34)
	b.table(t, "large.csv", strings.Join(strings.SplitAfterN(text.String(), "\n", 1502)[:1501], ""))
	assert.Contains(t, b.View(), "1500 jobs, above the limit of 200")
	require.True(t, b.d.form.Focus(rowLimit))
	b.Key("ctrl+u")
	b.Type("2000")
	b.Key("ctrl+s")
	require.Len(t, b.said(), 1500)
}
