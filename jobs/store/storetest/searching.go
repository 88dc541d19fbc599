package storetest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// testWords: each word of a search stands anywhere in a job, whatever their order and where.
func testWords(t *testing.T, s jobs.Store) {
	a, b, c := NewJob("A red kite over a salt flat, 红色的风筝在盐滩上"), NewJob("a flat stone, the KITE is red; no salt"), NewJob("salt")
	a.Tags, a.Remark, a.TaskID = []string{"best", "样片"}, "für die Übersicht", "task-0123456789abc"
	b.Error = &client.TaskError{Code: "policy", Message: "content refused"}
	c.Title, c.Note = `6"disc`, "red hot"
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(a), Plan(b), Plan(c)}))
	for text, want := range map[string][]string{
		"kite red":                   {b.ID, a.ID},
		"flat KITE":                  {b.ID, a.ID},
		`"red kite"`:                 {a.ID},
		`"red kite" salt`:            {a.ID},
		`salt "red kite`:             {a.ID},
		"red salt":                   {c.ID, b.ID, a.ID},
		"hot salt":                   {c.ID},
		"kite policy":                {b.ID},
		"refused kite is":            {b.ID},
		"best kite":                  {a.ID},
		"best stone":                 {},
		"风筝 红色":                      {a.ID},
		"盐滩 best":                    {a.ID},
		"样片 风 re":                    {a.ID},
		"kite 鹰":                     {},
		"Üb kite":                    {a.ID},
		"üb ÜBERSICHT":               {a.ID},
		"a is":                       {c.ID, b.ID},
		"o e hot":                    {c.ID},
		"zz kite":                    {},
		"task-0123456789abc kite":    {a.ID},
		"task-0123456789abc ki":      {a.ID},
		"task-0123456789abc stone":   {},
		"task-0123456789abc 样片":      {a.ID},
		a.ID + " task-0123456789abc": {a.ID},
		a.ID + " " + b.ID:            {},
		`6"disc`:                     {c.ID},
		`6"d salt`:                   {c.ID},
		`"`:                          {c.ID, b.ID, a.ID},
		`""  " "`:                    {c.ID, b.ID, a.ID},
		" ":                          {c.ID, b.ID, a.ID},
		`"salt  flat"`:               {},
		"kite\tred":                  {b.ID, a.ID},
		"AND kite":                   {},
		`kite" red`:                  {},
		"%red kite":                  {},
	} {
		assert.Equal(t, want, ids(t, s, jobs.Query{Text: text}), "%q", text)
	}
	assert.Equal(t, []string{a.ID}, ids(t, s, jobs.Query{Text: "kite flat", Tag: "best"}))
	assert.Equal(t, []string{a.ID}, ids(t, s, jobs.Query{Text: "flat re", Before: b.ID}))
	assert.Empty(t, ids(t, s, jobs.Query{Text: "flat kite", States: []jobs.State{jobs.Failed}}))

	long := NewJob(strings.Repeat("x", 1<<15)) // as a text that was pasted: its beginning counts
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(long)}))
	assert.Equal(t, []string{long.ID}, ids(t, s, jobs.Query{Text: strings.Repeat("x", 1<<16)}))
}

// testTold: a job is found by what was said when its create was lost or refused, or when its
// task was gone, and by the ids of the requests that its events name.
func testTold(t *testing.T, s jobs.Store) {
	list := insert(t, s, 4)
	tell := func(j jobs.Job, e jobs.Event) {
		e.At = Base.Add(time.Second)
		change(t, s, j.ID, func(c *jobs.Change) { c.Events = []jobs.Event{e} })
	}
	tell(list[0], jobs.Event{Kind: jobs.EventAmbiguous, To: jobs.Ambiguous, Message: "POST /v1/videos: Connection reset by peer"})
	tell(list[1], jobs.Event{Kind: jobs.EventRefused, To: jobs.Refused, Message: "HTTP 400 Quota exceeded 配额", RequestID: "req_00AA11bb22CC33"})
	tell(list[2], jobs.Event{Kind: jobs.EventPollError, From: jobs.Running, To: jobs.Lost, Message: "task vanished upstream", RequestID: "req_00AA11bb22DD44"})
	tell(list[3], jobs.Event{Kind: jobs.EventState, To: jobs.Running, Message: "unremarkable", RequestID: "req_00AA11bb22EE55"})
	fresh := Plan(NewJob("prompt with a past"))
	fresh.Events = append(fresh.Events, jobs.Event{Kind: jobs.EventAmbiguous, Message: "lost at birth", RequestID: "req_00AA11bb22EE55"})
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{fresh}))
	look := func(why string) {
		t.Helper()
		for text, want := range map[string][]string{
			"connection reset":              {list[0].ID},
			`"reset by peer"`:               {list[0].ID},
			"RESET prompt":                  {list[0].ID},
			"quota":                         {list[1].ID},
			"配额":                            {list[1].ID},
			"prompt quota 配":                {list[1].ID},
			"vanished prompt":               {list[2].ID},
			"birth":                         {fresh.Job.ID},
			"unremarkable":                  {},
			"req_00AA11bb22CC33":            {list[1].ID},
			"quota req_00AA11bb22CC33":      {list[1].ID},
			"req_00AA11bb22CC33 pr":         {list[1].ID},
			"req_00AA11bb22CC33 vanished":   {},
			"req_00AA11bb22DD44":            {list[2].ID},
			"req_00AA11bb22EE55":            {fresh.Job.ID, list[3].ID},
			"req_00AA11bb22EE55 birth":      {fresh.Job.ID},
			"req_00AA11bb22FF66":            {},
			`"prompt 1" req_00AA11bb22CC33`: {list[1].ID},
		} {
			assert.Equal(t, want, ids(t, s, jobs.Query{Text: text}), "%s: %q", why, text)
		}
	}
	look("as told")
	for _, j := range list {
		change(t, s, j.ID, func(c *jobs.Change) { c.Job.Note, c.Job.Tags = "another note", []string{"later"} })
	}
	look("after another change")
	tell(list[0], jobs.Event{Kind: jobs.EventRefused, To: jobs.Refused, Message: "and then the Quay was closed"})
	look("after another word")
	assert.Equal(t, []string{list[0].ID}, ids(t, s, jobs.Query{Text: "quay reset later"}))
	assert.Empty(t, ids(t, s, jobs.Query{Text: `"peer and"`}))
	assert.Len(t, ids(t, s, jobs.Query{Text: "later"}), 4)
}
