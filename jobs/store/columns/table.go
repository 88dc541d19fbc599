package columns

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
)

// Dialect is what a database does in its own way.
type Dialect struct {
	// Shared: a shared history, which keeps in the row what SQLite has tables for.
	Shared bool
	// Work are the columns of [jobs.Work] in its own table, in this order: rev, due, attempts,
	// backoff, owner, token.
	Work [6]string
	// Clean makes a text fit for the database; nil where it takes any.
	Clean func(string) string
}

// Table is the row of a job in one database. Its statements name the table of jobs j.
type Table struct {
	Select string // the columns as [Table.Scan] reads them
	List   string // the same for lists: long texts are cut in them, see [cutdraft.Text]

	Whole    Part // all that is written with a new job, its id first
	Changing Part // what may change later
	Running  Part // of that, what changes while a task runs
	Settled  Part // of that, the rest

	read Part
	json Part
	nums int // how many columns read are times and durations
}

// New returns the table of a database.
func New(d Dialect) *Table {
	t := &Table{}
	var whole, list []string
	for _, c := range all() {
		if c.shared && !d.Shared {
			continue
		}
		p := part{column: c, clean: d.Clean}
		if c.json {
			p.slot = len(t.json)
			t.json = append(t.json, p)
		}
		t.Whole = append(t.Whole, p)
		switch {
		case c.once:
		case c.running:
			t.Changing, t.Running = append(t.Changing, p), append(t.Running, p)
		default:
			t.Changing, t.Settled = append(t.Changing, p), append(t.Settled, p)
		}
		if c.copied {
			continue
		}
		switch c.field(&jobs.Job{}).(type) {
		case *time.Time, *time.Duration:
			t.nums++
		}
		t.read = append(t.read, p)
		name := "j." + c.name
		whole = append(whole, name)
		if c.list != nil {
			name = c.list(name)
		}
		list = append(list, name)
	}
	work := ", " + strings.Join(d.Work[:], ", ")
	t.Select, t.List = strings.Join(whole, ", ")+work, strings.Join(list, ", ")+work
	return t
}

// Texts is what is kept of a job as JSON, as the texts that lie in the database.
type Texts []string

// Text is the place of a column among the texts.
func (t *Table) Text(name string) int {
	return slices.IndexFunc(t.json, func(p part) bool { return p.name == name })
}

// Encode returns what is kept of a job as JSON; draft is the text of its draft where that is known,
// else "".
func (t *Table) Encode(j *jobs.Job, draft string) (Texts, error) {
	texts := make(Texts, len(t.json))
	for i, p := range t.json {
		switch {
		case p.name == "draft" && draft != "":
			texts[i] = draft
			continue
		case p.empty != nil && p.empty(j):
			continue
		}
		b, err := json.Marshal(p.field(j))
		if err != nil {
			return nil, fmt.Errorf("job %s: %s: %w", j.ID, p.name, err)
		}
		texts[i] = p.text(string(b))
	}
	return texts, nil
}

// Decode reads the texts into their job.
func (t *Table) Decode(texts Texts, j *jobs.Job) (err error) {
	for i, text := range texts {
		if text == "" {
			continue
		}
		p := &t.json[i]
		if p.parse != nil {
			err = p.parse(text, j)
		} else {
			err = json.Unmarshal([]byte(text), p.field(j))
		}
		if err != nil {
			return fmt.Errorf("job %s: %s: %w", j.ID, p.name, err)
		}
	}
	return nil
}

// parseError gives the job an error even where its text is null.
func parseError(text string, j *jobs.Job) error {
	j.Error = &client.TaskError{}
	return json.Unmarshal([]byte(text), j.Error)
}

// Scan reads a row of Select or List, and more into dest. The texts are not decoded. ahead is how
// far the database's clock is ahead of the job's.
func (t *Table) Scan(r interface{ Scan(dest ...any) error }, ahead time.Duration, more ...any) (w jobs.Work, texts Texts, err error) {
	j := &w.Job
	texts = make(Texts, len(t.json))
	nums := make([]int64, t.nums+2)
	due, backoff := &nums[t.nums], &nums[t.nums+1]
	dest := make([]any, 0, len(t.read)+6+len(more))
	n := 0
	for i := range t.read {
		p := &t.read[i]
		if p.json {
			dest = append(dest, &texts[p.slot])
			continue
		}
		into := p.field(j)
		switch into.(type) {
		case *time.Time, *time.Duration:
			into = &nums[n]
			n++
		}
		dest = append(dest, into)
	}
	dest = append(dest, &w.Rev, due, &w.Attempts, backoff, &w.Owner, &w.Token)
	if err := r.Scan(append(dest, more...)...); err != nil {
		return w, texts, err
	}
	n = 0
	for i := range t.read {
		if t.read[i].json {
			continue
		}
		switch into := t.read[i].field(j).(type) {
		case *time.Time:
			*into = fromMillis(nums[n], t.read[i].ahead(ahead))
			n++
		case *time.Duration:
			*into = time.Duration(nums[n]) * time.Millisecond
			n++
		}
	}
	w.Due, w.Backoff = fromMillis(*due, ahead), time.Duration(*backoff)*time.Millisecond
	if j.State.Polled() {
		j.NextPollAt = w.Due
	}
	return w, texts, nil
}

func millis(t time.Time, ahead time.Duration) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Add(ahead).UnixMilli()
}

func fromMillis(ms int64, ahead time.Duration) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).Add(-ahead)
}
