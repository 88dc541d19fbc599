// Package export writes chosen jobs for somebody else: a sheet, JSON, or a bundle as support hands it
// over. It reads one job at a time, and asks no gateway. No key can get into it: a job holds none.
package export

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/client/disk"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/jobs/bundle"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
)

// Form is what jobs are written as.
type Form string

// The forms. A bundle holds everything that is kept of the jobs, the others what a list knows.
const (
	CSV    Form = "csv"
	JSON   Form = "json"
	Bundle Form = "bundle"
)

// Forms are all of them.
func Forms() []Form { return []Form{CSV, JSON, Bundle} }

// Ext is how the name of a file ends that holds the form.
func (f Form) Ext() string {
	if f == Bundle {
		return ".zip"
	}
	return "." + string(f)
}

// FormOf is the form that the name of a file tells, "" for none.
func FormOf(path string) Form {
	for _, f := range Forms() {
		if strings.HasSuffix(strings.ToLower(path), f.Ext()) {
			return f
		}
	}
	return ""
}

// History is what is read. The methods are those of [jobs.Reader].
type History interface {
	Get(ctx context.Context, id string) (jobs.Job, error)
	Detail(ctx context.Context, id string) (jobs.Detail, error)
}

// Options say what is written, and what is left out of it.
type Options struct {
	Form Form
	bundle.Options
}

// Pack is what is written, as far as it was read. It is not for concurrent use.
type Pack struct {
	o     Options
	from  History
	rows  [][]string        // of a sheet
	list  []json.RawMessage // of JSON
	cases []bundle.Case     // of a bundle
}

// New is a pack with nothing in it yet.
func New(from History, o Options) (*Pack, error) {
	if !slices.Contains(Forms(), o.Form) {
		return nil, fmt.Errorf("%q: jobs are written as csv, json or bundle", string(o.Form))
	}
	return &Pack{o: o, from: from}, nil
}

// Add reads a job and puts it behind those before it.
func (p *Pack) Add(ctx context.Context, id string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.o.Form == Bundle {
		d, err := p.from.Detail(ctx, id)
		if err != nil {
			return fmt.Errorf("job %s: %w", jobs.ShortID(id), err)
		}
		p.addCase(&d)
		return nil
	}
	j, err := p.from.Get(ctx, id)
	if err != nil {
		return fmt.Errorf("job %s: %w", jobs.ShortID(id), err)
	}
	if p.o.Form == CSV {
		p.rows = append(p.rows, p.o.row(&j))
		return nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(j); err != nil {
		return err
	}
	p.list = append(p.list, p.o.Redact(&j, b.Bytes()))
	return nil
}

// Len is how many jobs are in it.
func (p *Pack) Len() int { return len(p.rows) + len(p.list) + len(p.cases) }

// Write writes what was added.
func (p *Pack) Write(w io.Writer) error {
	switch p.o.Form {
	case CSV:
		c := csv.NewWriter(w)
		return errors.Join(c.Write(columns()), c.WriteAll(p.rows))
	case JSON:
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if p.list == nil {
			p.list = []json.RawMessage{}
		}
		return enc.Encode(p.list)
	default:
		files, err := bundle.Files(p.cases, p.o.Options)
		if err != nil {
			return err
		}
		return bundle.Write(w, files, p.o.Made)
	}
}

// ErrThere says that a file is there already.
var ErrThere = errors.New("there is a file of this name already")

// File is Write to a file that is there whole or not at all, for its owner only. One that is there
// already stays, unless it may be replaced.
func (p *Pack) File(path string, replace bool) error {
	if _, err := os.Lstat(path); err == nil && !replace {
		return ErrThere
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return disk.Replace(path, func(f *os.File) error { return p.Write(f) })
}

// columns are those of a sheet.
func columns() []string {
	return []string{"job", "task", "state", "gateway says", "kind", "model", "mode", "format", "profile", "created", "submitted", "ended", "took s",
		"error code", "error", "tags", "remark", "note", "results", "files", "prompt", "run", "cell"}
}

// row is a job in the order of the columns; no cell is a formula.
func (o Options) row(j *jobs.Job) []string {
	code, message, took, prompt := "", "", "", j.Draft.Prompt
	if j.Error != nil {
		code, message = j.Error.Code, j.Error.Message
	}
	if d := j.EndedAt.Sub(j.SubmittedAt); !j.EndedAt.IsZero() && !j.SubmittedAt.IsZero() && d >= 0 {
		took = strconv.FormatFloat(d.Seconds(), 'f', 1, 64)
	}
	if o.NoPrompts {
		prompt = ""
	}
	var urls, files []string
	for _, a := range j.Assets {
		urls = append(urls, a.URL)
	}
	for i := range j.Files {
		if f := &j.Files[i]; f.State == jobs.FileSaved {
			files = append(files, f.Path)
		}
	}
	row := []string{j.ID, j.TaskID, string(j.State), j.RawStatus, string(j.Draft.Modality), j.Draft.Model, j.Draft.Mode, j.Format, j.Profile,
		stamp(j.CreatedAt), stamp(j.SubmittedAt), stamp(j.EndedAt), took, code, message,
		strings.Join(j.Tags, " "), j.Remark, j.Note, strings.Join(urls, " "), strings.Join(files, " "), prompt, j.Run, j.Cell}
	for i, cell := range row {
		row[i] = text.Cell(o.RedactText(j, cell))
	}
	return row
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func (p *Pack) addCase(d *jobs.Detail) {
	c := bundle.Case{Events: d.Events, Exchanges: d.Exchanges, Request: d.Request, Answer: d.Answer}
	c.Result = lookup.Result{Subject: inspect.Subject{Kind: inspect.KindID, Value: cmp.Or(d.Job.TaskID, d.Job.ID)}, Findings: inspect.Findings{Job: &d.Job}}
	if len(d.Answer) > 0 {
		c.Result.Findings.Keep(d.Answer)
	}
	p.cases = append(p.cases, c)
}
