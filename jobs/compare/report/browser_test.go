package report_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/baseline"
	"darkroom/jobs/compare/browsertest"
	"darkroom/jobs/compare/report"
	"darkroom/jobs/compare/vote"
)

// open writes a report and opens it from the disk; the page may ask for itself and its folder only.
func open(t *testing.T, r report.Report, name string) *browsertest.Page {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, r.WriteHTML(context.Background(), path))
	p := browsertest.Open(t, browsertest.Below(fileURL(strings.TrimSuffix(path, filepath.Ext(path)))))
	show(t, p, path)
	return p
}

func show(t *testing.T, p *browsertest.Page, path string) {
	t.Helper()
	require.NoError(t, chromedp.Do(p.Context, chromedp.Navigate(fileURL(path))))
}

// ask evaluates an expression in the page.
func ask[T any](t *testing.T, p *browsertest.Page, js string) T {
	t.Helper()
	got, err := chromedp.Run(p.Context, chromedp.Evaluate[T](js))
	require.NoError(t, err, js)
	return got
}

// wait waits until an expression holds.
func wait(t *testing.T, p *browsertest.Page, js string) {
	t.Helper()
	_, err := chromedp.Run(p.Context, chromedp.Poll[bool](js))
	require.NoError(t, err, js)
}

func press(t *testing.T, p *browsertest.Page, keys string) {
	t.Helper()
	require.NoError(t, chromedp.Do(p.Context, chromedp.KeyEvent(keys)))
}

func quiet(t *testing.T, p *browsertest.Page) {
	t.Helper()
	assert.Empty(t, p.Dialogs())
	assert.Empty(t, p.Told())
	assert.Empty(t, p.Strayed())
}

// hostile is what a text must not do anything with.
const hostile = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'><svg onload=alert(1)> javascript:alert(1) [x](javascript:alert(1)) {{.}} {{template "bar"}} ` +
	"<!--\u2028\u2029\u202egpj.exe\u2066\x00\x07\x1b[2J\x1b]0;x\a ]]> <style>*{display:none}</style> </title></style><base href=//evil.invalid/><meta http-equiv=refresh content=0;url=//evil.invalid> =1+1 &lt;b&gt; `x` | **b** ${alert(1)}"

// nasty is a run of which every text is hostile.
func nasty(file func(family, compare.Slot) string) *compare.Run {
	run := made([]family{{name: "a " + hostile, short: true, fails: .4}, {name: "b " + hostile, kind: client.AssetImage}, {name: "c", format: hostile, cannot: hostile}}, []compare.Prompt{{ID: hostile, Text: hostile + "\n" + hostile}}, 3, file)
	run.ID, run.Name, run.Profile, run.Host, run.Version, run.Suite, run.SuiteHash = hostile, hostile, hostile, hostile, hostile, hostile+"\n"+hostile, hostile
	run.Checks = []compare.Check{{Name: hostile, Text: hostile, Verdict: compare.Fail}}
	run.CellChecks = map[int][]compare.Check{1: {{Name: hostile, Text: hostile, Verdict: compare.Fail}}}
	for i := range run.Cells {
		c := &run.Cells[i]
		c.ModelName, c.Mode, c.Notes, c.Settings = hostile, hostile, []string{hostile}, []compare.Setting{{Field: hostile, Value: hostile}}
		c.Draft.Values[hostile] = hostile
	}
	for i := range run.Trials {
		t := &run.Trials[i]
		t.JobID, t.Seed, t.TaskID, t.Warnings = hostile, hostile, hostile, []string{hostile}
		if t.State != jobs.Completed {
			t.Code, t.Message = hostile, hostile
		}
		t.Checks = append(t.Checks, compare.Check{Name: hostile, Text: hostile, Verdict: compare.Fail, Scored: true})
		f := compare.Fact{Text: hostile, Known: true}
		t.Facts = append(t.Facts, compare.Property{Field: hostile, Unit: hostile, Asked: f, Claimed: f, Delivered: f, Tolerance: hostile, Verdict: compare.Fail, ClaimVerdict: compare.Fail})
	}
	return run
}

func nastyReport(t testing.TB, file func(family, compare.Slot) string, m report.Media) report.Report {
	v := voted(t, "a "+hostile, "b "+hostile)
	v.Warnings, v.Unjudged = []string{hostile}, []string{hostile}
	v.Remarks = []vote.Remark{{Judge: hostile, Group: hostile, Text: hostile}}
	v.Pairs = []vote.Tally{{A: hostile, B: hostile}}
	f := []baseline.Finding{{Label: hostile, Text: hostile}}
	d := &baseline.Diff{Cells: 1, Regressions: f, Improvements: f, OnlyRun: []string{hostile}, OnlyBaseline: []string{hostile}}
	return report.Make(nasty(file), report.Options{Now: day, Votes: v, Baseline: d, Media: m})
}

// TestServerTextNeverRuns: whatever a gateway, a suite or a judge wrote is words on the page, with
// results in the page and with results in the folder beside it.
func TestServerTextNeverRuns(t *testing.T) {
	files := generated(t)
	named := func(f family, s compare.Slot) string { // a file may have any name, too
		from := files(f, s)
		to := filepath.Join(filepath.Dir(from), `"><img src=x onerror=alert(1)> {{.}}`+filepath.Base(from))
		if body, err := os.ReadFile(from); assert.NoError(t, err) {
			assert.NoError(t, os.WriteFile(to, body, 0o600))
		}
		return to
	}
	for name, m := range map[string]report.Media{"page": {}, "folder": {MaxFile: -1}} {
		t.Run(name, func(t *testing.T) {
			p := open(t, nastyReport(t, named, m), `a "b" <i>%3Cimg%3E #x?.html`)
			wait(t, p, `[...document.images].length > 0`)
			ask[bool](t, p, `(document.querySelectorAll("details").forEach((d) => d.open = true), document.querySelectorAll("thead button").forEach((b) => b.click()), true)`)
			press(t, p, "jjkt"+kb.Enter)
			quiet(t, p)
			assert.Equal(t, 1, ask[int](t, p, `document.scripts.length`))
			assert.Equal(t, 1, ask[int](t, p, `document.styleSheets.length`))
			assert.Zero(t, ask[int](t, p, `document.querySelectorAll("base, iframe, object, embed, svg[onload], [style], meta[http-equiv=refresh]").length`))
			assert.Zero(t, ask[int](t, p, `[...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))).length`))
			assert.Empty(t, ask[[]string](t, p, `[...document.querySelectorAll("a")].map((a) => a.getAttribute("href")).filter((h) => !/^#[a-z0-9.]+$/.test(h))`))
			src := `^data:(image/png|video/mp4);base64,`
			if name == "folder" {
				src = `^\\./[^/]+_files/[0-9]+\\.[0-9]+\\.(png|mp4)$`
			}
			assert.Empty(t, ask[[]string](t, p, `[...document.querySelectorAll("[src]")].map((a) => a.getAttribute("src")).filter((s) => !new RegExp("`+src+`").test(s)).map((s) => s.slice(0, 90))`))
			assert.Contains(t, ask[string](t, p, `document.querySelector("h1").textContent`), `</script><script>alert(1)</script><img src=x onerror=alert(1)>`)
			assert.Contains(t, ask[string](t, p, `document.title`), `{{.}} {{template "bar"}}`)
			all := ask[string](t, p, `document.documentElement.textContent`)
			assert.False(t, strings.ContainsFunc(all, func(r rune) bool {
				return r != '\n' && r != '\t' && (unicode.IsControl(r) || r >= 0x2028 && r <= 0x202e || r == 0x2066)
			}))
		})
	}
}

// TestResultsShow: pictures have pixels, films a size and a first picture, sounds a length.
func TestResultsShow(t *testing.T) {
	list := []family{{name: "film", mean: 1}, {name: "picture", kind: client.AssetImage, mean: 1}, {name: "tune", kind: client.AssetAudio, mean: 1}}
	run := made(list, prompts[:1], 2, generated(t))
	film, picture := &run.Trials[0], run.Trials[2].Files[0]
	picture.Kind = client.AssetCover
	film.Files = append(film.Files, picture)
	for name, m := range map[string]report.Media{"page": {}, "folder": {MaxFile: -1}} {
		t.Run(name, func(t *testing.T) {
			p := open(t, report.Make(run, report.Options{Now: day, Media: m}), "r.html")
			ask[bool](t, p, `(document.getElementById("results").scrollIntoView(), true)`)
			wait(t, p, `document.images.length === 2 && [...document.images].every((i) => i.naturalWidth === 160)`)
			wait(t, p, `[...document.querySelectorAll("video")].length === 2 && [...document.querySelectorAll("video")].every((v) => v.readyState >= 1 && v.videoWidth === 160 && Math.round(v.duration) === 1)`)
			wait(t, p, `[...document.querySelectorAll("audio")].length === 2 && [...document.querySelectorAll("audio")].every((v) => v.readyState >= 1 && Math.round(v.duration) === 1)`)
			assert.Equal(t, []bool{true, false}, ask[[]bool](t, p, `[...document.querySelectorAll("video")].map((v) => v.poster !== "")`))
			assert.Equal(t, "Result of picture, 1/2, prompt kite", ask[string](t, p, `document.images[0].alt`))
			quiet(t, p)
		})
	}
}

func TestFilmsPlayTogether(t *testing.T) {
	p := open(t, report.Make(made([]family{{name: "a", mean: 1}, {name: "b", mean: 1}}, prompts[:1], 1, generated(t)), report.Options{Now: day}), "r.html")
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click("button.together")))
	wait(t, p, `[...document.querySelectorAll("video")].every((v) => !v.paused && v.currentTime > 0)`)
	require.NoError(t, chromedp.Do(p.Context, chromedp.Click("button.together")))
	wait(t, p, `[...document.querySelectorAll("video")].every((v) => v.paused)`)
	assert.False(t, ask[bool](t, p, `document.querySelector("video").controls`), "they lie on the picture")
	ask[bool](t, p, `(document.querySelector("video").focus(), true)`)
	assert.True(t, ask[bool](t, p, `document.querySelector("video").controls`))
	quiet(t, p)
}

const (
	rows  = `[...document.querySelectorAll("table.trials tbody tr")]`
	slots = rows + `.map((r) => r.dataset.t)`
)

// TestTheTableOfTrials: it is sorted, filtered and walked through by keys and by the mouse.
func TestTheTableOfTrials(t *testing.T) {
	run := made(six(), prompts, 9, none) // 108 trials: two pieces of the table
	p := open(t, report.Make(run, report.Options{Now: day}), "r.html")
	assert.Equal(t, "108 trials", ask[string](t, p, `document.getElementById("count").textContent`))
	assert.Equal(t, 2, ask[int](t, p, `document.querySelectorAll("table.trials").length`))
	assert.Equal(t, "1.1", ask[[]string](t, p, slots)[0])

	assert.Greater(t, ask[float64](t, p, rows+`[0].cells[2].clientWidth`), 150.0, "a group's name can be read")
	assert.Less(t, ask[float64](t, p, `Math.max(...[...document.querySelector("table.trials").tBodies[0].rows].filter((r) => !r.classList.contains("flag")).map((r) => r.offsetHeight))`), 60.0, "what is as it should be takes a line or two")
	for _, at := range []int{60, 105} { // the head stays in sight, in each piece of the table
		ask[bool](t, p, fmt.Sprintf(rows+`[%d].scrollIntoView({block: "center"}), true`, at))
		below := ask[float64](t, p, fmt.Sprintf(rows+`[%d].closest("table").tHead.getBoundingClientRect().top - document.querySelector("nav").getBoundingClientRect().bottom`, at))
		if at == 60 {
			assert.InDelta(t, 0, below, 2)
		}
		assert.True(t, below > -2 && below < 600, "row %d: %v", at, below)
	}
	ask[bool](t, p, `(document.querySelectorAll("table.trials")[1].tHead.rows[0].cells[4].click(), true)`)
	assert.Equal(t, "ascending", ask[string](t, p, `document.querySelectorAll("table.trials thead th")[4].getAttribute("aria-sort")`))
	assert.Equal(t, "completed", ask[string](t, p, rows+`[0].cells[4].textContent`))
	ask[bool](t, p, `(scrollTo(0, 0), true)`)

	total := `document.querySelectorAll("table.trials thead button")[5]`
	sorted := rows + `.map((r) => Number(r.cells[5].dataset.v)).every((v, i, all) => i === 0 || all[i - 1] <= v)`
	assert.False(t, ask[bool](t, p, sorted))
	ask[bool](t, p, `(`+total+`.focus(), true)`)
	press(t, p, kb.Enter)
	assert.True(t, ask[bool](t, p, sorted))
	assert.Equal(t, "ascending", ask[string](t, p, total+`.closest("th").getAttribute("aria-sort")`))
	ask[bool](t, p, `(`+total+`.click(), true)`)
	assert.Equal(t, "descending", ask[string](t, p, total+`.closest("th").getAttribute("aria-sort")`))
	assert.Greater(t, ask[float64](t, p, rows+`.map((r) => Number(r.cells[5].dataset.v))[0]`), 30.0)

	press(t, p, "/")
	assert.Equal(t, "filter", ask[string](t, p, `document.activeElement.id`))
	ask[bool](t, p, `(document.activeElement.value = "", true)`) // which the browser does for a person's key
	press(t, p, "famf street")
	assert.Equal(t, "9 of 108 trials", ask[string](t, p, `document.getElementById("count").textContent`))
	assert.Equal(t, 9, ask[int](t, p, rows+`.length`))
	press(t, p, kb.Escape)
	assert.Equal(t, 108, ask[int](t, p, rows+`.length`))

	press(t, p, "f")
	bad := ask[int](t, p, rows+`.length`)
	assert.True(t, bad > 0 && bad < 108)
	assert.True(t, ask[bool](t, p, rows+`.every((r) => r.classList.contains("flag"))`))
	press(t, p, "f")

	press(t, p, "jjjk")
	assert.True(t, ask[bool](t, p, `document.activeElement === `+rows+`[1]`))
	slot := ask[string](t, p, `document.activeElement.dataset.t`)
	press(t, p, kb.Enter)
	assert.Equal(t, "#t"+slot, ask[string](t, p, `location.hash`))
	assert.Equal(t, "t"+slot, ask[string](t, p, `document.activeElement.id`))

	groups := `[...document.querySelectorAll(".groups tbody th")].map((r) => r.textContent)`
	ask[bool](t, p, `(document.querySelectorAll(".groups thead button")[4].click(), true)`)
	assert.Equal(t, []string{"famD-image", "famA3", "famE-fast"}, ask[[]string](t, p, groups)[:3])
	quiet(t, p)
}

func TestTheThemeTurns(t *testing.T) {
	p := open(t, report.Make(made(six(), prompts, 1, none), report.Options{Now: day}), "r.html")
	ground := `getComputedStyle(document.body).backgroundColor`
	light := ask[string](t, p, ground)
	press(t, p, "t")
	assert.NotEqual(t, light, ask[string](t, p, ground))
	ask[bool](t, p, `(document.getElementById("theme").click(), true)`)
	assert.Equal(t, light, ask[string](t, p, ground))
	quiet(t, p)
}

// TestWithoutScript: all is there to read, and nothing that does not work.
func TestWithoutScript(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.html")
	r := report.Make(made(six(), prompts, 3, generated(t)), report.Options{Now: day})
	require.NoError(t, r.WriteHTML(context.Background(), path))
	p := browsertest.Open(t, browsertest.Below(fileURL(path)))
	_, err := chromedp.Call(p.Context, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(t, err)
	show(t, p, path)
	_, err = chromedp.Call(p.Context, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{})
	require.NoError(t, err)
	assert.Equal(t, 36, ask[int](t, p, rows+`.length`))
	assert.Equal(t, 0, ask[int](t, p, `document.querySelectorAll("thead button").length`), "the script did not run")
	assert.True(t, ask[bool](t, p, `document.getElementById("tools").hidden && document.getElementById("theme").hidden`))
	assert.True(t, ask[bool](t, p, `[...document.querySelectorAll("video")].every((v) => v.controls)`))
	assert.Equal(t, 7, ask[int](t, p, `document.querySelectorAll(".groups tbody tr").length`))
	assert.Equal(t, 42, ask[int](t, p, `document.querySelectorAll("figure").length`))
	quiet(t, p)
}
