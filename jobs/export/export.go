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

// Write writes the jobs in the order of their ids. Step hears how many were read; nil for nobody. It
// ends with the first job that cannot be read, since a part of what was asked for would look like
// all of it.
func Write(ctx context.Context, w io.Writer, h History, ids []string, o Options, step func(n int)) error {
	read := func(write func(id string) error) error {
		for i, id := range ids {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := write(id); err != nil {
				return fmt.Errorf("job %s: %w", jobs.ShortID(id), err)
			}
			if step != nil {
				step(i + 1)
			}
		}
		return nil
	}
	switch o.Form {
	case CSV:
		return o.sheet(ctx, w, h, read)
	case JSON:
		return o.list(ctx, w, h, read)
	case Bundle:
		return o.bundle(ctx, w, h, read)
	}
	return fmt.Errorf("%q: jobs are written as csv, json or bundle", string(o.Form))
}

// ErrThere says that a file is there already.
var ErrThere = errors.New("there is a file of this name already")

// File is Write to a file that is there whole or not at all, for its owner only. One that is there
// already stays, unless it may be replaced.
func File(ctx context.Context, path string, replace bool, h History, ids []string, o Options, step func(n int)) error {
	if _, err := os.Lstat(path); err == nil && !replace {
		return ErrThere
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return disk.Replace(path, func(f *os.File) error { return Write(ctx, f, h, ids, o, step) })
}

// each reads the jobs with read, and hands over those with a whole draft.
type each func(write func(id string) error) error

func (o Options) list(ctx context.Context, w io.Writer, h History, read each) error {
	sep := "[\n"
	if err := read(func(id string) error {
		j, err := h.Get(ctx, id)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(j); err != nil {
			return err
		}
		body := bytes.TrimSpace(o.Redact(&j, b.Bytes()))
		var line bytes.Buffer
		if err := json.Compact(&line, body); err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s%s", sep, line.Bytes())
		sep = ",\n"
		return err
	}); err != nil {
		return err
	}
	if sep == "[\n" {
		sep = "["
	} else {
		sep = "\n"
	}
	_, err := io.WriteString(w, sep+"]\n")
	return err
}

// columns are those of a sheet.
func columns() []string {
	return []string{"job", "task", "state", "gateway says", "kind", "model", "mode", "format", "profile", "created", "submitted", "ended", "took s",
		"error code", "error", "tags", "remark", "note", "results", "files", "prompt"}
}

func (o Options) sheet(ctx context.Context, w io.Writer, h History, read each) error {
	c := csv.NewWriter(w)
	if err := c.Write(columns()); err != nil {
		return err
	}
	if err := read(func(id string) error {
		j, err := h.Get(ctx, id)
		if err != nil {
			return err
		}
		return c.Write(o.row(&j))
	}); err != nil {
		return err
	}
	c.Flush()
	return c.Error()
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
		strings.Join(j.Tags, " "), j.Remark, j.Note, strings.Join(urls, " "), strings.Join(files, " "), prompt}
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

func (o Options) bundle(ctx context.Context, w io.Writer, h History, read each) error {
	var cases []bundle.Case
	if err := read(func(id string) error {
		d, err := h.Detail(ctx, id)
		if err != nil {
			return err
		}
		c := bundle.Case{Events: d.Events, Exchanges: d.Exchanges, Request: d.Request, Answer: d.Answer}
		c.Result = lookup.Result{Subject: inspect.Subject{Kind: inspect.KindID, Value: cmp.Or(d.Job.TaskID, d.Job.ID)}, Findings: inspect.Findings{Job: &d.Job}}
		if len(d.Answer) > 0 {
			c.Result.Findings.Keep(d.Answer)
		}
		cases = append(cases, c)
		return nil
	}); err != nil {
		return err
	}
	files, err := bundle.Files(cases, o.Options)
	if err != nil {
		return err
	}
	return bundle.Write(w, files, o.Made)
}
