package report_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/compare"
	"darkroom/jobs/compare/report"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func html(t testing.TB, r report.Report) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, r.HTML(context.Background(), &b))
	return b.String()
}

// forms are a report in all forms, by the end of their names.
func forms(t testing.TB, r report.Report) map[string]string {
	t.Helper()
	var md, sheet, js bytes.Buffer
	require.NoError(t, r.Markdown(&md))
	require.NoError(t, r.CSV(&sheet))
	require.NoError(t, r.JSON(&js))
	return map[string]string{"md": md.String(), "csv": sheet.String(), "json": js.String(), "html": html(t, r)}
}

func TestGoldens(t *testing.T) {
	got := forms(t, full(t, none))
	got["json"] = forms(t, report.Make(made(six()[4:6], prompts[:1], 1, none), report.Options{Now: day}))["json"]
	delete(got, "html") // which is looked at in a browser
	for end, got := range got {
		path := filepath.Join("testdata", "report."+end)
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(want), got, path)
	}
}

// TestNothingOfThisMachineIsTold: reports are handed on; the folders of who made them are not.
func TestNothingOfThisMachineIsTold(t *testing.T) {
	run := made(six(), prompts, 3, none)
	run.Folder = "/home/ana/suites"
	run.Suite += "image: /home/ana/refs/kite.png\n"
	run.Name = "of /home/ana/runs"
	run.Cells[0].Settings = []compare.Setting{{Field: "image", Value: "/home/ana/refs/kite.png"}}
	run.Cells[0].Draft.Values["images"] = []any{"/home/ana/my refs/a.png", map[string]any{"url": "file:///home/ana/my refs/b.png"}}
	run.Cells[6].Cannot = "open /home/ana/refs/gone.png: no such file"
	run.Cells[0].Notes = []string{"see /home/ana/notes"}
	run.Trials[0].Code, run.Trials[0].Message = "x", "cannot read /home/ana/refs/kite.png"
	run.Trials[0].Checks = []compare.Check{{Name: "score /home/ana/score.py", Verdict: compare.Fail, Text: "/home/ana/score.py: exit 1"}}
	for end, got := range forms(t, report.Make(run, report.Options{Now: day})) {
		assert.NotContains(t, got, "ana/", end)
		assert.NotContains(t, got, "/home", end)
		assert.Contains(t, got, "gone.png", end)
	}
	assert.Equal(t, "/home/ana/suites", run.Folder, "the run itself is left alone")
	assert.Equal(t, "/home/ana/gone.mp4", run.Trials[0].Files[0].Path)
}

// TestWordsStayWords: what a gateway wrote is no formula, no markup and no order to a terminal.
func TestWordsStayWords(t *testing.T) {
	got := forms(t, nastyReport(t, none, report.Media{}))
	steers := func(r rune) bool {
		return r != '\n' && (unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069)
	}
	for end, text := range got {
		assert.False(t, strings.ContainsFunc(text, steers), end)
	}
	md := got["md"]
	for _, bad := range []string{"<script", "<img", "<style", "</", "**b**", "://", "{{"} {
		assert.NotContains(t, md, bad)
	}
	assert.NotRegexp(t, "[^\\\\](\\]\\(|`)", md)
	for _, l := range strings.Split(md, "\n") {
		if strings.HasPrefix(l, "|") {
			assert.Len(t, regexp.MustCompile(`(?:^|[^\\])\|`).FindAllString(l, -1), 8, l)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(got["csv"])).ReadAll()
	require.NoError(t, err)
	for _, row := range rows {
		for _, cell := range row {
			assert.NotRegexp(t, `^\s*[=+@|%]|^\s*-[^0-9]`, cell)
		}
	}
	assert.True(t, json.Valid([]byte(got["json"])))
}

func TestAFormulaIsNone(t *testing.T) {
	run := made(six()[:1], prompts[:1], 1, none)
	run.Trials[0].Message, run.Cells[0].Prompt.Text = "=1+1", "@SUM(A1)"
	rows, err := csv.NewReader(strings.NewReader(forms(t, report.Make(run, report.Options{Now: day}))["csv"])).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 2)
	assert.Contains(t, rows[1], "'=1+1")
	assert.Contains(t, rows[1], "'@SUM(A1)")
}

// TestRoutes: a model's formats stand side by side, with why one cannot run.
func TestRoutes(t *testing.T) {
	list := []family{{name: "famA3", format: "common", mean: 4e9}, {name: "famA3", format: "vendor", mean: 5e9, short: true}, {name: "famA3", format: "chat", cannot: "chat has no duration"}, {name: "famB-video", format: "common", mean: 3e9}}
	page := html(t, report.Make(made(list, prompts, 3, none), report.Options{Now: day}))
	at := strings.Index(page, `<section id="routes">`)
	require.Positive(t, at)
	section := page[at : at+strings.Index(page[at:], "</section>")]
	assert.Equal(t, 1, strings.Count(section, "<caption>"), "a model with one format has nothing beside it")
	for _, want := range []string{"<caption>famA3</caption>", `<th scope="col">common</th><th scope="col">vendor</th><th scope="col">chat</th>`, "duration, image", "chat has no duration: 2 cells", "completed: 6 trials", "got 5.1 s; the answer claims 8 s: 6 trials", "6 of 6"} {
		assert.Contains(t, section, want)
	}
	assert.Contains(t, page, "<h4>famA3 · repeat 1</h4>", "the results of one model and repeat stand side by side")
	assert.NotContains(t, html(t, report.Make(made(six(), prompts, 3, none), report.Options{Now: day})), `id="routes"`)
}

// TestPromptByPrompt: each group's trials of each prompt.
func TestPromptByPrompt(t *testing.T) {
	page := html(t, full(t, none))
	at := strings.Index(page, `sortable sheet`)
	require.Positive(t, at)
	rows := strings.Split(page[at:at+strings.Index(page[at:], "</table>")], "<tr>")
	require.Len(t, rows, 4)
	assert.Contains(t, rows[2], `>kite</th>`)
	assert.Contains(t, rows[2], `<b class="bad">2 of 3</b> <small>4.1 s</small>`, "famA3, of which one failed")
	assert.Contains(t, rows[3], `<b class="bad">0 of 3</b></span>`, "famC-1.5, of which all did")
	assert.Equal(t, 2, strings.Count(strings.Join(rows, ""), "<small>cannot run</small>"))
	assert.NotContains(t, html(t, report.Make(made(six(), prompts[:1], 3, none), report.Options{Now: day})), "sortable sheet")
}

// TestThePolicyIsAsStrictAsItCanBe: a page without a folder fetches nothing at all.
func TestThePolicyIsAsStrictAsItCanBe(t *testing.T) {
	assert.Contains(t, html(t, full(t, generated(t))), "default-src &#39;none&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;; img-src data:; media-src data:; style-src &#39;sha256-")
	path := filepath.Join(t.TempDir(), "r.html")
	r := beside(t, 1)
	require.NoError(t, r.WriteHTML(context.Background(), path))
	page, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(page), "img-src &#39;self&#39; data:;")
}

// TestRunsOfAnyKind: a plan, one without cells, one of numbers that fit nothing.
func TestRunsOfAnyKind(t *testing.T) {
	plan := made(six(), prompts, 3, none)
	plan.Trials, plan.Status = nil, compare.Open
	strange := made(six(), prompts, 3, none)
	strange.Trials[0].Slot.Cell, strange.Trials[1].Slot.Repeat, strange.Cells[2].Number, strange.Repeats = 99, 0, 77, 0
	long := made(six(), prompts, 3, none)
	long.Cells[0].Prompt.Text = strings.Repeat("x\n", 1<<19)
	for name, run := range map[string]*compare.Run{"plan": plan, "empty": {}, "strange": strange, "long": long} {
		got := forms(t, report.Make(run, report.Options{Now: day}))
		assert.Contains(t, got["html"], "</html>", name)
	}
	assert.Contains(t, html(t, report.Make(plan, report.Options{Now: day})), "Nothing was sent.")
	assert.Less(t, len(html(t, report.Make(long, report.Options{Now: day}))), 300_000, "a prompt of a megabyte is cut")
}

// TestColoursCanBeRead: each colour of words has a contrast of 4.5 to each ground, in both themes.
func TestColoursCanBeRead(t *testing.T) {
	css, err := os.ReadFile("page.css")
	require.NoError(t, err)
	themes := regexp.MustCompile(`--bg:[^}]*`).FindAllString(string(css), -1)
	require.Len(t, themes, 4, "light, dark by the system, dark by hand, print")
	for _, theme := range themes {
		colours := map[string]float64{}
		for _, m := range regexp.MustCompile(`--(\w+):#([0-9a-f]{3,6})`).FindAllStringSubmatch(theme, -1) {
			colours[m[1]] = luminance(t, m[2])
		}
		for _, word := range []string{"fg", "soft", "accent", "ok", "bad", "warn"} {
			for _, ground := range []string{"bg", "panel", "track"} {
				a, b := colours[word], colours[ground]
				assert.GreaterOrEqual(t, (max(a, b)+.05)/(min(a, b)+.05), 4.5, "%s on %s of %s", word, ground, theme[:12])
			}
		}
	}
	assert.Equal(t, themes[1], themes[2])
}

// luminance is that of WCAG 2, section 1.4.3.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	sum := 0.0
	for i, w := range []float64{.2126, .7152, .0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		require.NoError(t, err)
		c := float64(n) / 255
		if c <= .04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+.055)/1.055, 2.4)
		}
		sum += w * c
	}
	return sum
}
