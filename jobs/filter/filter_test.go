package filter_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/filter"
)

// now is a Sunday, half past ten in the morning, two hours east.
var now = time.Date(2026, 11, 22, 10, 30, 15, 0, time.FixedZone("there", 2*3600))

func at(day, hour, minute int) time.Time {
	return time.Date(2026, 11, day, hour, minute, 0, 0, now.Location())
}

func TestParseFilter(t *testing.T) {
	for text, want := range map[string]jobs.Query{
		"":                                {},
		"  red   kite ":                   {Text: "red kite"},
		"state:failed":                    {States: []jobs.State{jobs.Failed}},
		"status:FAILED,lost":              {States: []jobs.State{jobs.Failed, jobs.Lost}},
		"state:r":                         {States: []jobs.State{jobs.Refused, jobs.Running}},
		"state: kite":                     {Text: "kite"},
		"state:r state:re":                {States: []jobs.State{jobs.Refused, jobs.Running}},
		"kind:im model:famA-video":        {Modality: client.Image, Model: "famA-video*"},
		"model:":                          {},
		"model:famA*":                     {Model: "famA*"},
		"model:*-video":                   {Model: "*-video*"},
		"id:task_1:x":                     {TaskID: "task_1:x"},
		"run:0192F000-a":                  {Run: "0192f000-a"},
		"group:g profile:p":               {Group: "g", Profile: "p"},
		"12:30 https://a.example/b kite:": {},
		`"state:failed" kite`:             {Text: `"state:failed" kite`},
		`"red  kite" "tag:`:               {Text: `"red  kite" "tag:"`},
		`"open quote`:                     {Text: `"open quote"`},
		"tag:kept kite":                   {Tag: "kept", Text: "kite"},
		"12:30 https://a.example/b":       {Text: "12:30 https://a.example/b"},
		"塩:平原":                            {Text: "塩:平原"},
		"is:starred tag:kept kite":        {Starred: true, Tag: "kept", Text: "kite"},
		"is: age< since: sort: sort:-":    {},
		"-kite foo->bar <3 a/b<c seed=7":  {Text: "-kite foo->bar <3 a/b<c seed=7"},
		"age<1h":                          {Since: now.Add(-time.Hour)},
		"AGE>2d age<1w":                   {Until: now.Add(-48 * time.Hour), Since: now.Add(-7 * 24 * time.Hour)},
		"age<1h30m":                       {Since: now.Add(-90 * time.Minute)},
		"age<=1.5h":                       {Since: now.Add(-90 * time.Minute)},
		"since:2026-11-20":                {Since: at(20, 0, 0)},
		"until:2026-11-20":                {Until: at(21, 0, 0)},
		"since:yesterday until:yesterday": {Since: at(21, 0, 0), Until: at(22, 0, 0)},
		"since:today":                     {Since: at(22, 0, 0)},
		"since:09:15":                     {Since: at(22, 9, 15)},
		"since:14:00":                     {Since: at(21, 14, 0)},
		"since:2026-11-20T14:00 age<1d":   {Since: now.Add(-24 * time.Hour)},
		"ended:yesterday":                 {EndedSince: at(21, 0, 0), EndedUntil: at(22, 0, 0)},
		"ended:09:00":                     {EndedSince: at(22, 9, 0)},
		"ended<1h":                        {EndedSince: now.Add(-time.Hour)},
		"ended>1h ended<1d":               {EndedSince: now.Add(-24 * time.Hour), EndedUntil: now.Add(-time.Hour)},
		"took>2m took<10m":                {TookOver: 2 * time.Minute, TookUnder: 10 * time.Minute},
		"took>1500ms":                     {TookOver: 1500 * time.Millisecond},
		"code:429,rate*":                  {Codes: []string{"429", "rate*"}},
		"-code:429 -tag:a -tag:b":         {Not: jobs.Not{Codes: []string{"429"}, Tags: []string{"a", "b"}}},
		"-state:comp,dr -model:famB":      {Not: jobs.Not{States: []jobs.State{jobs.Completed, jobs.Dropped}, Models: []string{"famB*"}}},
		"-kind:image -group:g -profile:p": {Not: jobs.Not{Modalities: []client.Modality{client.Image}, Groups: []string{"g"}, Profiles: []string{"p"}}},
		"tag:a -tag:b":                    {Tag: "a", Not: jobs.Not{Tags: []string{"b"}}},
		"is:fault":                        {States: []jobs.State{jobs.Ambiguous, jobs.Refused, jobs.Failed, jobs.Lost}},
		"is:fault state:r,fail":           {States: []jobs.State{jobs.Refused, jobs.Failed}},
		"-is:fault -is:star":              {Not: jobs.Not{States: filter.Faults(), Tags: []string{jobs.Star}}},
		"is:unsaved":                      {Unsaved: true},
		"is:rejected":                     {Rejected: jobs.RejectedOnly},
		"-is:rejected":                    {},
		"is:obs":                          {Observed: true},
		"-is:observed":                    {Not: jobs.Not{Observed: true}},
		"is:slow is:stuck":                {Slow: true, Stuck: true},
		"sort:age":                        {},
		"sort:-age":                       {Sort: jobs.Sort{Down: true}},
		"sort:took":                       {Sort: jobs.Sort{By: jobs.SortTook}},
		"sort:-mod":                       {Sort: jobs.Sort{By: jobs.SortModel, Down: true}},
	} {
		got, err := filter.Parse(text, now)
		if text == "12:30 https://a.example/b kite:" {
			assert.ErrorContains(t, err, "kite: is not a filter")
			continue
		}
		if assert.NoError(t, err, text) {
			assert.Equal(t, want, got, text)
		}
	}
	for text, names := range map[string]string{
		"state:done": "completed", "kind:film": "video", "age:1h": "state:", "is:good": "is:starred",
	} {
		_, err := filter.Parse(text, now)
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), names, "says what is allowed")
	}
}

// TestWhatIsNoTermIsNoText: something that looks like a term and is none is never searched for.
func TestWhatIsNoTermIsNoText(t *testing.T) {
	for text, says := range map[string]string{
		"foo<3":                "foo< is not a filter; try state: kind:",
		"x>y":                  "took>",
		"-foo:x":               "foo: is not a filter",
		"state<3":              "state<3: write state:STATE,…",
		"code=429":             "code=429: write code:CODE,…",
		"age:1h":               "age:1h: write age<1h or age>1h",
		"-age<1h":              "there is no -age; try -state:",
		"-is:slow":             "only -is:starred",
		"is:st":                "starred or stuck?",
		"sort:p":               "profile, progress or prompt?",
		"sort:size":            "try age, state, model",
		"age<soon":             "90s, 15m",
		"age<1":                "90s, 15m",
		"took>1h2":             "90s, 15m",
		"took>0s":              "90s, 15m",
		"age<9999999w":         "90s, 15m",
		"since:tomorrow":       "yesterday, 14:00",
		"since:2026-13-01":     "yesterday, 14:00",
		"tag:a tag:b":          "tag: stands twice",
		"age<1h age<2h":        "age< stands twice",
		"is:fault state:queue": "no job in one of these states",
	} {
		q, err := filter.Parse(text, now)
		if assert.ErrorContains(t, err, says, text) {
			assert.Zero(t, q, text)
		}
		_, err = filter.Parse(`"`+text+`"`, now)
		assert.NoError(t, err, "in quotes it is text")
	}
}

func TestTermsAreWhatIsParsed(t *testing.T) {
	for _, term := range filter.Terms() {
		assert.NotEmpty(t, term.Help, term.Name)
		_, err := filter.Parse(term.Name+"\u00a7", now)
		if err != nil {
			assert.NotContains(t, err.Error(), "is not a filter")
		}
		for _, v := range term.Give {
			_, err := filter.Parse(term.Name+v, now)
			require.NoError(t, err, term.Name+v)
		}
		_, err = filter.Parse("-"+term.Name+"x", now)
		assert.Equal(t, !term.Not, err != nil && strings.Contains(err.Error(), "there is no -"), term.Name)
	}
}

func TestComplete(t *testing.T) {
	for text, want := range map[string][]string{
		"st":               {"state:"},
		"kite a":           {"kite age<", "kite age>"},
		"state:r":          {"state:refused", "state:running"},
		"state:failed,lo":  {"state:failed,lost"},
		"-is:s":            {"-is:starred", "-is:slow", "-is:stuck"},
		"-a":               nil,
		"sort:t":           {"sort:took"},
		`"st`:              nil,
		`tag:a since:to`:   {"tag:a since:today"},
		"kite":             nil,
		"took>2m state:co": {"took>2m state:completed"},
	} {
		assert.Equal(t, want, filter.Complete(text), text)
	}
}

func FuzzParseFilter(f *testing.F) {
	for _, s := range []string{
		"state:failed", `"a b" kind:v`, "id:", ":::", "\"", "state:,,", "\xff:x", "ſtate:x", "塩:平原", "age<1h took>2m", "-tag:x", "since:24:00",
		"sort:-", "code:*", "age<99999999999999999999w", "is:fault -is:fault",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := filter.Parse(s, now)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without a text")
			}
			return
		}
		for _, st := range append(q.States, q.Not.States...) {
			if !st.Valid() {
				t.Fatalf("state %q", st)
			}
		}
		if q.TookOver < 0 || q.TookUnder < 0 || q.Since.After(now.AddDate(8000, 0, 0)) {
			t.Fatalf("times %+v", q)
		}
		if utf8.ValidString(s) && !utf8.ValidString(q.Text) {
			t.Fatalf("text %q", q.Text)
		}
		again, err := filter.Parse(s, now)
		if err != nil || again.Text != q.Text {
			t.Fatal("not the same twice")
		}
		_ = q.Matches(&jobs.Job{Progress: -1})
		_ = filter.Complete(s)
	})
}
