package create

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// judge says how drafts can be sent, with remarks about that. It changes no draft and creates
// nothing.
type judge struct {
	k              *kit.Kit
	gw             *app.Gateway
	format         string // the requested one; "" for the first that reaches the model
	insist, dryRun bool
	listed         func() ([]string, error) // the models that the gateway lists
	unread         sync.Once                // for the note that they cannot be read
}

// verdict is the judgement on a draft.
type verdict struct {
	format string
	rules.Verdict
	request client.Preview // where nothing blocks it
}

// of chooses a draft's format, and reports what the catalog and the codec say about it. Remarks may
// come with an error, too.
func (j *judge) of(d client.Draft) (v verdict, err error) {
	if v.format, err = j.pick(d); err != nil {
		return v, err
	}
	v.Verdict = j.rules().Check(d, v.format)
	if len(v.Blocks) > 0 {
		return v, nil
	}
	if v.request, err = j.gw.Client.Preview(d, v.format); err != nil {
		return v, kit.Exit(kit.ExitUsage, err)
	}
	v.Remarks = append(v.Remarks, j.notes(d, v.format, v.request)...)
	return v, nil
}

// rules are the judge as the rules of batches need it.
func (j *judge) rules() rules.Judge {
	return rules.Judge{Catalog: j.gw.Catalog, Preview: j.gw.Client.Preview, Format: j.pick}
}

// all judges each job of a batch. It reports everything that is wrong with any job, and each remark
// once.
func (j *judge) all(items []expand.Item) ([]plannedJob, error) {
	var out []plannedJob
	var bad mistakes
	told := map[string]bool{}
	for i, it := range items {
		v, err := j.of(it.Draft)
		if err == nil && len(v.Blocks) > 0 {
			err = errors.New(strings.Join(v.Blocks, "; "))
		}
		if err != nil {
			bad.add(fmt.Sprintf("%d%s", i+1, ofLine(it.Line)), err)
			continue
		}
		for _, n := range v.Remarks {
			if !told[n] {
				told[n] = true
				j.k.IO.Tell(n)
			}
		}
		out = append(out, plannedJob{i + 1, it.Line, v.format, it.Draft})
	}
	if errs := bad.errors(len(items)); len(errs) > 0 {
		return nil, kit.Usage("nothing was sent, because:\n%w", expand.Together(errs))
	}
	return out, nil
}

// mistakes are what is wrong with the jobs of a batch, each said once with the jobs that have it.
type mistakes struct {
	errs []error
	of   map[string][]string // the jobs, by what is wrong
}

func (m *mistakes) add(job string, err error) {
	if m.of == nil {
		m.of = map[string][]string{}
	}
	text := err.Error()
	if m.of[text] = append(m.of[text], job); len(m.of[text]) == 1 {
		m.errs = append(m.errs, err)
	}
}

// mostNamed is how many jobs are named of those that have a mistake in common.
const mostNamed = 5

// errors has a line for each mistake; all is how many jobs there are.
func (m *mistakes) errors(all int) []error {
	out := make([]error, len(m.errs))
	for i, err := range m.errs {
		jobs := m.of[err.Error()]
		n := len(jobs)
		who := "job " + jobs[0]
		switch {
		case n > 1 && n == all:
			who = fmt.Sprintf("all %d jobs", n)
		case n > mostNamed:
			who = fmt.Sprintf("%d jobs, %s and others", n, strings.Join(jobs[:mostNamed], ", "))
		case n > 1:
			who = fmt.Sprintf("%d jobs, %s", n, strings.Join(jobs, ", "))
		}
		out[i] = fmt.Errorf("  %s: %w", who, err)
	}
	return out
}

func ofLine(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (line %d)", n)
}

// ways are the formats that reach a model, and those of them that can create with it.
func (j *judge) ways(d client.Draft) (reaching, ways []string, err error) {
	ways = j.gw.Ways(d)
	if !j.gw.Catalog.Unlisted(d.Modality, d.Model) {
		return j.gw.Reaching(d), ways, nil
	}
	return ways, ways, j.try(d)
}

// pick chooses the format, or refuses the requested one.
func (j *judge) pick(d client.Draft) (string, error) {
	reaching, ways, err := j.ways(d)
	if err != nil {
		return "", err
	}
	if j.format == "" {
		if len(ways) == 0 {
			return "", kit.Exit(kit.ExitUsage, j.gw.NoFormat(d))
		}
		return ways[0], nil
	}
	f, known := j.gw.Client.Format(j.format)
	if !slices.Contains(reaching, j.format) {
		why := "it does not reach " + client.CleanLine(d.Model)
		if !known {
			why = "there is no such format"
		}
		if len(reaching) == 0 {
			return "", kit.Usage("--format %q: %s; %w", j.format, why, j.gw.NoFormat(d))
		}
		return "", kit.Usage("--format %q: %s; those that reach the model: %s", j.format, why, strings.Join(reaching, ", "))
	}
	err = j.gw.Client.CanCreate(j.format)
	switch {
	case err == nil, isReserved(f) && j.dryRun: // the preview's note says it
		return j.format, nil
	case isReserved(f):
		return "", kit.Usage("--format %s: %w (--insist)", j.format, err)
	default:
		return "", kit.Usage("--format %s: %w. Those that can be used as it is: %s", j.format, err, strings.Join(ways, ", "))
	}
}

func isReserved(f client.Format) bool {
	_, ok := f.(client.Reserved)
	return ok
}

// notes are the remarks about a request.
func (j *judge) notes(d client.Draft, format string, p client.Preview) []string {
	var out []string
	for _, x := range p.Dropped {
		out = append(out, fmt.Sprintf("%s is not sent through %s: %s", x.Field, p.Label, x.Reason))
	}
	if f, _ := j.gw.Client.Format(format); isReserved(f) && j.insist {
		out = append(out, "--insist: sent through "+p.Label+", which serves no real calls")
	} else {
		out = append(out, p.Notes...)
	}
	if large := inlinedNote(d.Values); large != "" {
		out = append(out, large)
	}
	return out
}

// listLimit bounds how long the gateway's lists of models may take.
const listLimit = 30 * time.Second

// liveModels asks for the gateway's lists of models, once per command and only when they are needed.
func liveModels(ctx context.Context, gw *app.Gateway) func() ([]string, error) {
	return sync.OnceValues(func() ([]string, error) {
		if err := gw.CheckKey(); err != nil {
			return nil, err
		}
		ctx, stop := context.WithTimeout(ctx, listLimit)
		defer stop()
		list, err := gw.Client.Models(ctx)
		var ids []string
		for _, m := range list.Models {
			ids = append(ids, m.ID)
		}
		return ids, err
	})
}

// try says whether a model that the catalog does not know may be sent: one that the gateway lists may,
// and any may if the gateway has no lists. The catalog's own warning says that it knows nothing
// about the model.
func (j *judge) try(d client.Draft) error {
	if j.insist {
		return nil
	}
	listed, err := j.listed()
	switch {
	case slices.Contains(listed, d.Model):
		return nil
	case err == nil:
		names := append(kit.ModelIDs(j.k, d.Modality), listed...)
		slices.Sort(names)
		text := ""
		if near := catalog.Nearest(d.Model, slices.Compact(names), 4); len(near) > 0 {
			text = "; near it are: " + client.CleanLine(strings.Join(near, ", "))
		}
		return kit.Usage("--model %q is not in the catalog, nor does the gateway list it%s; --insist sends it all the same", client.CleanLine(d.Model), text)
	case client.Missing(err), j.dryRun && errors.Is(err, config.ErrNoKey):
		j.unread.Do(func() { // not for each job of a batch
			j.k.IO.Tell("whether the gateway has " + d.Model + " is not known: its lists of models cannot be read: " + err.Error())
		})
		return nil
	default:
		return kit.Usage("--model %w, and the gateway's lists of models cannot be read: %w; --insist sends it all the same", kit.UnknownModel(j.gw.Catalog, d.Model), err)
	}
}
