package body

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/jsonquery"
	"darkroom/jobs"
	"darkroom/jobs/bodies"
	"darkroom/tui/widgets/jsonview"
)

// historyLimit bounds the time of the history on a slow disk.
const historyLimit = 30 * time.Second

// loadedMsg is what the history has of a job.
type loadedMsg struct {
	of     *Dialog
	all    []bodies.Body
	sent   *bodies.Request
	noSent string
	err    error
}

// drawnMsg is what is to show: a document, or why there is none.
type drawnMsg struct {
	of    *Dialog
	gen   int
	doc   jsonview.Doc
	layer layer
	label string
	note  string
	bad   bool
	used  tea.Cmd // keeps a filter that worked
}

// pastMsg are the filters that were used.
type pastMsg struct {
	of      *Dialog
	filters []string
	err     error
}

// load reads the bodies of a job.
func load(d *Dialog, o Options) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), historyLimit)
		defer stop()
		msg := loadedMsg{of: d}
		r, err := o.History.Record(ctx, o.Job)
		if err != nil {
			msg.err = err
			return msg
		}
		msg.all = bodies.Of(&r)
		if o.Gateway == nil || o.Profile != "" && r.Job.Profile != o.Profile {
			msg.noSent = "the job is of the profile " + client.CleanLine(r.Job.Profile) + ", whose address is not known here"
			return msg
		}
		sent, err := bodies.Sent(o.Gateway, &jobs.Detail{Job: r.Job, Exchanges: r.Exchanges, Request: r.Bodies[r.Current[jobs.PayloadRequest]]})
		if err != nil {
			msg.noSent = err.Error()
			return msg
		}
		msg.sent = &sent
		return msg
	}
}

// remembered reads the filters that were used.
func remembered(d *Dialog, f Filters) tea.Cmd {
	if f == nil {
		return nil
	}
	return func() tea.Msg {
		list, err := f.Load()
		return pastMsg{d, list, err}
	}
}

// Doc is a body to be glanced at: JSON, or a web page as text below its title.
func Doc(b []byte) jsonview.Doc {
	p, page := client.ReadPage(b)
	if !page {
		return jsonview.Parse(b, client.Clean)
	}
	return jsonview.ParseText([]byte(pageText(p)+"\n\n"+strings.Join(p.Lines, "\n")), client.Clean)
}

func pageText(p client.Page) string {
	if p.Title == "" {
		return "a web page in place of JSON"
	}
	return "a web page in place of JSON: “" + p.Title + "”"
}

// drawWhole shows a body: JSON as a tree, a web page as text, or as it came.
func drawWhole(d *Dialog, gen int, b bodies.Body, source bool) tea.Cmd {
	return func() tea.Msg {
		msg := drawnMsg{of: d, gen: gen}
		body := b.Body
		if p, page := client.ReadPage(body); page && !source {
			msg.note = pageText(p)
			body = []byte(strings.Join(p.Lines, "\n"))
		}
		msg.doc = jsonview.ParseWhole(body, client.Clean)
		return msg
	}
}

// drawFilter shows what a filter makes of a body.
func drawFilter(ctx context.Context, d *Dialog, gen int, b bodies.Body, filter string, keep Filters) tea.Cmd {
	return func() tea.Msg {
		msg := drawnMsg{of: d, gen: gen, layer: filtered, label: filter}
		f, err := jsonquery.Compile(filter)
		var values []json.RawMessage
		if err == nil {
			if values, err = f.Run(ctx, b.Body); err != nil && !json.Valid(b.Body) {
				err = fmt.Errorf("it cannot be filtered: %s", b.NoJSON())
			}
		}
		if err != nil {
			msg.note, msg.bad = err.Error(), true
			return msg
		}
		var body []byte
		switch len(values) {
		case 0:
			msg.note = "it yields nothing"
		case 1:
			body = values[0]
		default:
			msg.note = human.Plural(len(values), "value") + ", as a list"
			var list bytes.Buffer
			list.WriteByte('[')
			for i, v := range values {
				if i > 0 {
					list.WriteByte(',')
				}
				list.Write(v)
			}
			list.WriteByte(']')
			body = list.Bytes()
		}
		msg.doc = jsonview.ParseWhole(body, client.Clean)
		if keep != nil {
			msg.used = func() tea.Msg {
				list, err := keep.Used(filter)
				return pastMsg{d, list, err}
			}
		}
		return msg
	}
}

// drawDiff shows what changed from one body to another, a value a paragraph.
func drawDiff(d *Dialog, gen int, was, is bodies.Body) tea.Cmd {
	return func() tea.Msg {
		msg := drawnMsg{of: d, gen: gen, layer: compared, label: was.Label() + " → " + is.Label()}
		all, err := bodies.Diff(&was, &is)
		if err != nil {
			msg.note, msg.bad = err.Error(), true
			return msg
		}
		msg.note = human.Plural(len(all), "difference")
		var b strings.Builder
		for _, c := range all {
			fmt.Fprintf(&b, "%s %s\n", c.Sign(), c.Path)
			for _, v := range []struct {
				sign string
				is   json.RawMessage
			}{{"-", c.Was}, {"+", c.Is}} {
				if v.is != nil {
					fmt.Fprintf(&b, "    %s %s\n", v.sign, v.is)
				}
			}
		}
		msg.doc = jsonview.ParseText([]byte(strings.TrimSuffix(b.String(), "\n")), client.Clean)
		return msg
	}
}
