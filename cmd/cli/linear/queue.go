package linear

import (
	"context"
	"strings"
	"time"

	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/filter"
)

// atOnce is how many jobs are told before it is asked whether to go on.
const atOnce = 10

// listing is the list of jobs that was told last; its numbers name them.
type listing struct {
	all   []string // ids
	query jobs.Query
	next  string // "" at the end
}

// ids are the jobs that words name: numbers of the list, or ids.
func (l *listing) ids(words []string) ([]string, error) {
	var out []string
	for _, w := range words {
		if i, ok := number(w, len(l.all)); ok {
			w = l.all[i]
		} else if len(w) < 5 && strings.Trim(w, "#0123456789") == "" {
			return nil, kit.Usage("there is no number %s in the list; jobs tells it again", w)
		}
		out = append(out, w)
	}
	return out, nil
}

// jobs tells the newest jobs, or those that a filter chooses.
func (s *session) jobs(ctx context.Context, words []string) error {
	q, err := filter.Parse(strings.Join(words, " "), time.Now())
	if err != nil {
		return kit.UsageOf(err)
	}
	q.Profile, q.Limit = s.desk.Config.Profile.Name, atOnce
	s.listed = listing{query: q}
	return s.page(ctx)
}

// more tells the next jobs of the list.
func (s *session) more(ctx context.Context, _ []string) error {
	if s.listed.next == "" {
		s.say("There is no more.")
		return nil
	}
	s.listed.query.Before = s.listed.next
	return s.page(ctx)
}

func (s *session) page(ctx context.Context) error {
	page, err := s.desk.Engine.List(ctx, s.listed.query)
	if err != nil {
		return err
	}
	if len(page.Jobs) == 0 && len(s.listed.all) == 0 {
		s.say("No job. Type new to make something.")
	}
	now := time.Now()
	for i := range page.Jobs {
		s.listed.all = append(s.listed.all, page.Jobs[i].ID)
		s.say("%d. %s.", len(s.listed.all), sentence(&page.Jobs[i], now))
	}
	if s.listed.next = page.Next; page.Next != "" {
		s.say("Type more for the next ones, show and a number for all about one.")
	}
	return nil
}

// again begins the questions with the draft of a job.
func (s *session) again(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return kit.Usage("again: which job? A number of the list, or an id")
	}
	ids, err := s.listed.ids(args)
	if err != nil {
		return err
	}
	j, err := kit.Find(ctx, s.desk.Engine, ids[0])
	if err != nil {
		return err
	}
	d, left := j.OwnDraft()
	if left != "" {
		s.say("%s", left)
	}
	f := s.form(d)
	f.kept.Format, f.kept.Job = j.Format, j.ID
	return f.review(ctx)
}
