package report_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/browsertest"
	"darkroom/jobs/compare/report"
)

// many is a report of so many cells, of ten families with three repeats.
func many(cells int, file func(family, compare.Slot) string) report.Report {
	var list []family
	for i := range 10 {
		list = append(list, family{name: fmt.Sprintf("fam%c-image", 'A'+i), kind: client.AssetImage, mean: time.Duration(3+i) * time.Second, fails: .05, slow: .02})
	}
	var asked []compare.Prompt
	for i := range cells / len(list) {
		asked = append(asked, compare.Prompt{ID: fmt.Sprintf("p%d", i+1), Text: fmt.Sprintf("%s, take %d", prompts[i%2].Text, i+1)})
	}
	return report.Make(made(list, asked, 3, file), report.Options{Now: day})
}

// pool gives out the same few pictures again and again.
func pool(t testing.TB) func(family, compare.Slot) string {
	t.Helper()
	make, paths := generated(t), []string{}
	for i := range 12 {
		paths = append(paths, make(family{name: fmt.Sprint(i), kind: client.AssetImage, width: 480}, compare.Slot{Cell: i + 1, Repeat: 1}))
	}
	return func(_ family, s compare.Slot) string { return paths[(s.Cell*3+s.Repeat)%len(paths)] }
}

// TestAPageStaysSmall: a row of the table of trials is the only thing that each trial adds.
func TestAPageStaysSmall(t *testing.T) {
	small, large := many(1000, none), many(2000, none)
	each := float64(len(html(t, large))-len(html(t, small))) / 3000
	assert.Less(t, each, 300.0, "bytes a trial")
}

// TestManyGroupsAreCut: a browser lays out a table as a whole.
func TestManyGroupsAreCut(t *testing.T) {
	var list []family
	for i := range 1100 {
		list = append(list, family{name: fmt.Sprintf("fam%d", i), mean: time.Second})
	}
	page := html(t, report.Make(made(list, prompts[:1], 1, none), report.Options{Now: day}))
	assert.Contains(t, page, "And 100 more: JSON has all of them.")
}

type counter struct{ n int }

func (c *counter) Write(b []byte) (int, error) { c.n += len(b); return len(b), nil }

// BenchmarkReport makes and writes reports in all forms; see docs/PERFORMANCE.md.
func BenchmarkReport(b *testing.B) {
	for _, cells := range []int{1000, 10_000} {
		run := many(cells, none).Run
		b.Run(fmt.Sprintf("make/%d", cells), func(b *testing.B) {
			for b.Loop() {
				report.Make(run, report.Options{Now: day})
			}
		})
		r := report.Make(run, report.Options{Now: day})
		for name, write := range map[string]func(*counter) error{
			"html": func(c *counter) error { return r.HTML(context.Background(), c) }, "csv": func(c *counter) error { return r.CSV(c) },
			"json": func(c *counter) error { return r.JSON(c) }, "md": func(c *counter) error { return r.Markdown(c) },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, cells), func(b *testing.B) {
				var c counter
				for b.Loop() {
					c.n = 0
					require.NoError(b, write(&c))
				}
				b.ReportMetric(float64(c.n)/1e6, "MB")
			})
		}
	}
}

// BenchmarkOpen opens reports with pictures in a browser: how long until the first frame, until the page
// is loaded, and what a sort and a filter of its trials take, until the frame that shows them.
func BenchmarkOpen(b *testing.B) {
	for _, cells := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(cells), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "r.html")
			r := many(cells, pool(b))
			require.NoError(b, r.WriteHTML(context.Background(), path))
			info, err := os.Stat(path)
			require.NoError(b, err)
			p := browsertest.Open(b, browsertest.Below(fileURL(path[:len(path)-len(".html")])))
			var paint, load, sort, filter float64
			for b.Loop() {
				require.NoError(b, chromedp.Do(p.Context, chromedp.Navigate(fileURL(path))))
				paint += value(b, p, `new Promise((done) => new PerformanceObserver((l) => done(l.getEntries()[0].startTime)).observe({type: "paint", buffered: true}))`)
				load += value(b, p, `performance.getEntriesByType("navigation")[0].loadEventEnd`)
				frame := `new Promise((done) => { const at = performance.now(); %s; requestAnimationFrame(() => setTimeout(() => done(performance.now() - at))); })`
				sort += value(b, p, fmt.Sprintf(frame, `document.querySelectorAll("table.trials thead button")[5].click()`))
				filter += value(b, p, fmt.Sprintf(frame, `(() => { const f = document.getElementById("filter"); f.value = "famc failed"; f.dispatchEvent(new Event("input")); })()`))
			}
			n := float64(b.N)
			b.ReportMetric(float64(info.Size())/1e6, "MB")
			b.ReportMetric(paint/n, "ms-first-paint")
			b.ReportMetric(load/n, "ms-loaded")
			b.ReportMetric(sort/n, "ms-sort")
			b.ReportMetric(filter/n, "ms-filter")
			assert.Empty(b, p.Told())
		})
	}
}

func value(b *testing.B, p *browsertest.Page, js string) float64 {
	b.Helper()
	v, err := chromedp.Run(p.Context, chromedp.Evaluate[float64](js, chromedp.EvalAwaitPromise))
	require.NoError(b, err)
	return v
}
