package inspect

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
)

// Fact is one thing that is known about a task: what each answer says of it.
type Fact struct {
	Key Key `json:"key"`
	// Said has the different values, that of the most telling answer first.
	Said []Said `json:"said"`
}

// Said is a value, and who says so.
type Said struct {
	// Text is the value as it came; "" for a time, which At has.
	Text string    `json:"text,omitempty"`
	At   time.Time `json:"at,omitzero"`
	// AsSent says that the text is a time without a zone, which names no moment.
	AsSent bool `json:"as_sent,omitempty"`
	// By are the formats whose routes said so; history is the job's row.
	By []string `json:"by"`
}

// history is the source of what this machine has kept.
const history = "history"

// Key names a fact.
type Key string

// The facts, in the order in which they are told.
const (
	KeyModel     Key = "model"
	KeyTitle     Key = "title"
	KeyCreated   Key = "created"
	KeyStarted   Key = "started"
	KeyEnded     Key = "ended"
	KeyUpdated   Key = "updated"
	KeyCode      Key = "error code"
	KeyMessage   Key = "error"
	KeyParam     Key = "param"
	KeyAlso      Key = "also known as"
	KeyUsage     Key = "usage"
	KeyRequestID Key = "request id"
)

func keys() []Key {
	return []Key{KeyModel, KeyTitle, KeyCreated, KeyStarted, KeyEnded, KeyUpdated, KeyCode, KeyMessage, KeyParam, KeyAlso, KeyUsage, KeyRequestID}
}

// Facts merges what all answers, and the history, say of the task. Nothing is left out: where two
// differ, both are there.
func (f *Findings) Facts() []Fact {
	c := collector{}
	for _, i := range f.ranked() {
		c.task(f.Routes[i].Format, f.Routes[i].Result.Task)
	}
	for i := range f.Routes {
		if r := &f.Routes[i]; r.Result.Meta.RequestID != "" {
			c.text(KeyRequestID, r.Result.Meta.RequestID, r.Format)
		}
	}
	if f.Job != nil {
		c.job(f.Job)
	}
	var out []Fact
	for _, k := range keys() {
		if said := c[k]; len(said) > 0 {
			out = append(out, Fact{Key: k, Said: said})
		}
	}
	return out
}

// ranked returns the routes that answered with the task, those that tell the most first.
func (f *Findings) ranked() []int {
	var all []int
	for i := range f.Routes {
		if f.score(i) > 0 {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(f.score(b), f.score(a)) })
	return all
}

// score says how much the answer of a route tells: that of the job's own format more than others, a
// known state more than an unknown one; 0 for an answer without a task.
func (f *Findings) score(i int) int {
	r := &f.Routes[i]
	if r.Result.Verdict() != client.VerdictTask {
		return 0
	}
	n := 1
	if r.Result.Task.Status != client.StatusUnknown {
		n += 2
	}
	if j := f.Job; j != nil && r.Format == cmp.Or(j.QueryFormat, j.Format) {
		n += 4
	}
	return n
}

// collector gathers what is said.
type collector map[Key][]Said

func (c collector) add(k Key, s Said, by string) {
	for i := range c[k] {
		if x := &c[k][i]; x.Text == s.Text && x.At.Equal(s.At) {
			if !slices.Contains(x.By, by) {
				x.By = append(x.By, by)
			}
			return
		}
	}
	s.By = []string{by}
	c[k] = append(c[k], s)
}

func (c collector) text(k Key, s, by string) {
	if s = strings.TrimSpace(s); s != "" {
		c.add(k, Said{Text: s}, by)
	}
}

func (c collector) time(k Key, at time.Time, sent, by string) {
	switch {
	case !at.IsZero():
		c.add(k, Said{At: at}, by)
	case sent != "":
		c.add(k, Said{Text: sent, AsSent: true}, by)
	}
}

func (c collector) task(by string, t *client.Task) {
	c.text(KeyModel, t.Model, by)
	c.text(KeyTitle, t.Title, by)
	c.time(KeyCreated, t.CreatedAt, t.AsSent.Created, by)
	c.time(KeyStarted, t.StartedAt, t.AsSent.Started, by)
	c.time(KeyEnded, t.EndedAt, t.AsSent.Ended, by)
	c.time(KeyUpdated, t.UpdatedAt, t.AsSent.Updated, by)
	c.failure(t.Error, by)
	for _, id := range t.AltIDs {
		c.text(KeyAlso, id, by)
	}
	c.text(KeyUsage, string(t.Usage), by)
}

func (c collector) failure(e *client.TaskError, by string) {
	if e != nil {
		c.text(KeyCode, e.Code, by)
		c.text(KeyMessage, e.Message, by)
		c.text(KeyParam, e.Param, by)
	}
}

// job adds what the history has kept of the task; its own times are those of the timeline.
func (c collector) job(j *jobs.Job) {
	c.text(KeyModel, j.Draft.Model, history)
	c.text(KeyTitle, j.Title, history)
	c.failure(j.Error, history)
	for _, id := range j.AltIDs {
		c.text(KeyAlso, id, history)
	}
}
