package cli

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
	"darkroom/client/human"
	"darkroom/jobs"
	verdicts "darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/inspect"
	"darkroom/tui/tuitest"
)

// saidAt is the time at which everything is read, two minutes after the tasks were created: what is sent
// is moved by as much as this is past, and what is read is moved back.
var saidAt = time.Date(2026, 3, 1, 12, 2, 0, 0, time.UTC)

// moved is a text with all its times later by d.
func moved(s string, d time.Duration) string {
	s = regexp.MustCompile(`\b17723[0-9]{5}(000)?\b`).ReplaceAllStringFunc(s, func(n string) string {
		at, _ := strconv.ParseInt(n[:10], 10, 64)
		return strconv.FormatInt(at+int64(d/time.Second), 10) + n[10:]
	})
	return dated(s, d)
}

// dated is a text with all its written times later by d.
func dated(s string, d time.Duration) string {
	return regexp.MustCompile(`\b20[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\b`).ReplaceAllStringFunc(s, func(t string) string {
		at, err := time.Parse(time.DateTime, t)
		if err != nil {
			return t
		}
		return at.Add(d).Format(time.DateTime)
	})
}

// TestWhatIsReadOfEveryState: what a person reads of an id in every format and state, as the verdict, in
// `darkroom inspect` and in the Inspect screen, in a golden a format that is to be read like a page.
func TestWhatIsReadOfEveryState(t *testing.T) {
	t.Parallel()
	for _, f := range saidFormats() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			cases := f.cases()
			pages := make([]string, len(cases))
			t.Run("cases", func(t *testing.T) {
				for i, c := range cases {
					t.Run(c.name, func(t *testing.T) {
						t.Parallel()
						pages[i] = fmt.Sprintf("%s\n# %s\n%s\n\n%s", strings.Repeat("=", 100), c.name, c.sent(), said(t, f, c))
					})
				}
			})
			golden(t, "said-"+f.name+".txt", strings.Join(pages, ""))
		})
	}
}

// said is what is read of one case.
func said(t *testing.T, f saidFormat, c saidCase) string {
	t.Helper()
	w := newWorld(t)
	past := time.Since(saidAt).Truncate(time.Second)
	w.env["DARKROOM_BASE_URL"], w.env["DARKROOM_API_KEY"] = f.serve(t, c, past), testKey
	cat, err := catalog.Embedded()
	require.NoError(t, err)
	gateway := func() *client.Client { // a 429 holds back the one that got it
		gw, err := client.New(client.Options{BaseURL: w.env["DARKROOM_BASE_URL"], Key: func() (string, error) { return testKey, nil },
			Formats: formats.All(), WireNames: cat.WireNames})
		require.NoError(t, err)
		return gw
	}
	d := lookup.Desk{Gateway: gateway()}
	r := d.One(t.Context(), verdicts.Subject{Value: f.id, Kind: verdicts.KindID})
	v := r.Findings.Verdict(verdicts.Ways{Again: "^R", Queue: "o", Format: "f", Results: "u", Dur: human.Dur, Catalog: cat}, time.Now())
	c.holds(t, &r)

	cmd := w.run("inspect", f.id)
	answer, _, _ := strings.Cut(cmd.out, "\n\n{\n") // the body stands above
	m := inspect.New(inspect.Deps{Gateway: gateway(), Catalog: cat, Jobs: nobody{}, Keys: keys.New(screen.Rows(inspect.Commands())), Styles: tuitest.Styles(t), Now: time.Now})
	s := tuitest.NewScreen(t, m, 160, 60)
	s.Limit = 20 * time.Second // a gateway is asked: what does not come in this time is an error
	s.Paste(f.id)
	s.Key("enter")
	read := fmt.Sprintf("in a list   %s: %s\nverdict     %s. %s\n\n$ darkroom inspect %s   → exit %d\n%s\n%s\nInspect\n%s\n",
		r.State(), r.Meaning(cat), v.Text, v.Sentences(), f.id, cmd.code, strings.TrimRight(answer, "\n"), cmd.err, taskPane(s.View()))
	return steady(back(read, past))
}

// back moves the times of a text back; a number of the URL's own end, too.
func back(s string, d time.Duration) string {
	s = regexp.MustCompile(`\bExpires=[0-9]{10}`).ReplaceAllStringFunc(s, func(n string) string {
		at, _ := strconv.ParseInt(strings.TrimPrefix(n, "Expires="), 10, 64)
		return "Expires=" + strconv.FormatInt(at-int64(d/time.Second), 10)
	})
	return dated(s, -d)
}

// taskPane is the text of the screen's left side.
func taskPane(frame string) string {
	var out []string
	for _, line := range strings.Split(frame, "\n") {
		cells := []rune(line)
		i := 1
		for i < len(cells) && cells[i] != '│' && cells[i] != '╮' && cells[i] != '┤' {
			i++
		}
		if len(cells) == 0 || cells[0] != '│' && cells[0] != '├' || i >= len(cells) {
			continue
		}
		text := strings.TrimRight(strings.TrimLeft(string(cells[1:i]), "─"), " ─")
		if strings.HasSuffix(text, "not asked") || strings.HasPrefix(text, " Id  ") || strings.HasPrefix(text, " Asked  ") {
			continue // the same in all
		}
		if text != "" || len(out) > 0 && out[len(out)-1] != "" {
			out = append(out, text)
		}
	}
	return strings.TrimRight(strings.Join(out[min(1, len(out)):], "\n"), "\n")
}

// steady takes out of a text what differs from run to run.
func steady(s string) string {
	for _, x := range []struct{ find, put string }{
		{`http://127\.0\.0\.1:\d+`, "http://gateway"},
		{`127\.0\.0\.1:\d+`, "gateway"},
		{` +[0-9.]+ (µs|ms|s)  +`, "   5 ms  "},
		{`( Seen +.*)\d\d:\d\d:\d\d \+0000`, "${1}12:02:00 +0000"},
		{`HTTP +TOOK +SAID`, "HTTP   TOOK  SAID"},
		{`\d+ (s|m|h|d|w|mo|y)( \d+ (s|m|h|d|w))? ago`, "N ago"},
	} {
		s = regexp.MustCompile(x.find).ReplaceAllString(s, x.put)
	}
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// nobody is a history without jobs.
type nobody struct{}

func (nobody) List(context.Context, jobs.Query) (jobs.Page, error) { return jobs.Page{}, nil }
func (nobody) Get(context.Context, string) (jobs.Job, error)       { return jobs.Job{}, jobs.ErrNotFound }
func (nobody) Detail(context.Context, string) (jobs.Detail, error) {
	return jobs.Detail{}, jobs.ErrNotFound
}
func (nobody) Changes(uint64) ([]jobs.Job, uint64) { return nil, 0 }
func (nobody) Counts() jobs.Counts                 { return jobs.Counts{} }

// serve is a gateway that answers as the case has it on the format's path, and 404 elsewhere; with
// everywhere on all paths alike.
func (f saidFormat) serve(t *testing.T, c saidCase, past time.Duration) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := c
		if !c.everywhere && r.URL.Path != strings.ReplaceAll(f.path, "{id}", f.id) {
			x = saidCase{status: 404, body: `{"error":{"code":"not_found","message":"no such task"}}`}
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Request-Id", "req-7f3a")
		for k, v := range x.header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(cmp.Or(x.status, 200))
		_, _ = w.Write([]byte(moved(x.body, past))) //nolint:gosec // a test
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// holds are the promises that no wording may break.
func (c saidCase) holds(t *testing.T, r *lookup.Result) {
	t.Helper()
	state := r.State()
	assert.Equal(t, c.state, state, c.name)
	if c.state == "unknown" || c.state == lookup.NotFound || c.state == lookup.NotKnown {
		assert.NotContains(t, []string{"completed", "failed"}, state, "%s is no end", c.name)
	}
}
