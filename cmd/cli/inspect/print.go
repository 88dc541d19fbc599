package inspect

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
)

func (o *options) print(all []found, single bool) error {
	k := o.k
	switch {
	case o.raw:
		for _, f := range all {
			if len(f.body) > 0 {
				if err := k.IO.Raw(bytes.TrimRight(f.body, "\n")); err != nil {
					return err
				}
			}
		}
		return nil
	case !k.Out.Table() && single:
		return k.Out.One(all[0])
	case !k.Out.Table():
		return kit.List(k.Out, all)
	}
	for i, f := range all {
		if i > 0 {
			k.IO.Printf("\n")
		}
		if err := f.print(k.IO); err != nil {
			return err
		}
	}
	return nil
}

// print writes what is known for people.
func (f *found) print(s *kit.IO) error {
	s.Printf("%s\n", client.CleanLine(f.ID))
	facts := [][2]string{{"job", f.Job}, {"task", f.TaskID}}
	for _, text := range f.Warnings {
		facts = append(facts, [2]string{"warning", "⚠ " + text})
	}
	if f.Task != nil {
		facts = append(facts, factsOfTask(f.Task.Task, f.Format)...)
	}
	if err := kit.Fields(s.Out, facts); err != nil {
		return err
	}
	if len(f.Routes) > 0 {
		var cells [][]string
		for _, r := range f.Routes {
			said := r.Status
			if r.Error != "" {
				said = r.Error
			}
			status := "-" // no answer at all
			if r.HTTP != 0 {
				status = strconv.Itoa(r.HTTP)
			}
			cells = append(cells, []string{r.Format, r.Path, status, fmt.Sprintf("%d ms", r.LatencyMS), said})
		}
		s.Printf("\n")
		if err := kit.Rows(s.Out, []string{"ROUTE", "PATH", "HTTP", "TOOK", "SAID"}, cells); err != nil {
			return err
		}
	}
	if f.Task != nil {
		s.Words("answer in words", f.Task.Text)
		s.Words("lyrics", f.Task.Lyrics)
		s.Printf("\n%s\n", kit.Pretty(f.Task.Raw))
	}
	return nil
}

func factsOfTask(t *client.Task, format string) [][2]string {
	facts := [][2]string{{"state", fmt.Sprintf("%s (raw: %s)", t.Status, t.RawStatus)}, {"format", format}, {"model", t.Model}, {"title", t.Title}}
	if t.Progress >= 0 {
		facts = append(facts, [2]string{"progress", fmt.Sprintf("%.0f %%", t.Progress)})
	}
	if t.Error != nil {
		facts = append(facts, [2]string{"error", strings.TrimSpace(t.Error.Code + " " + t.Error.Message)})
	}
	if !t.CreatedAt.IsZero() {
		facts = append(facts, [2]string{"created", t.CreatedAt.UTC().Format("2006-01-02 15:04:05Z")})
	}
	for _, a := range t.Assets {
		where := a.URL
		if where == "" {
			where = "at the content path"
		}
		facts = append(facts, [2]string{string(a.Kind), where})
	}
	return facts
}
