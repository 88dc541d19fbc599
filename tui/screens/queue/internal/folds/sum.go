package folds

import (
	"slices"
	"time"

	"darkroom/jobs"
)

// Sum is what the jobs of a batch come to, as long as none of them changes.
type Sum struct {
	Prompt      string        // what their prompts have in common, see [Common]
	Alike       bool          // all have that prompt
	Model, Kind string        // [Several] and "mixed" where they differ
	Face        string        // id of the newest job that has a result to look at, "" for none
	Starred     bool          // all are
	In          []In          // how many are in which state, what a person wants to know of first at the end
	UnderWay    bool          // some are
	Took        time.Duration // from the first create to the last end, 0 while some are under way
}

// Several stands for the models of a batch that has more than one.
const Several = "several"

// In is how many jobs are in a state.
type In struct {
	State jobs.State
	Jobs  int
}

// First is the state that a person wants to know of first.
func (s *Sum) First() jobs.State {
	if len(s.In) == 0 {
		return jobs.Completed
	}
	return s.In[len(s.In)-1].State
}

// Sum sums up the jobs of a batch; at finds a job by its place, the newest first, and is nil for one
// that is gone. Models and prompts are taken as a row shows them.
func (r Row) Sum(at func(int) *jobs.Job, model, prompt func(*jobs.Job) string) Sum {
	s := Sum{Starred: true}
	var prompts []string
	var begun, ended time.Time
	var n [len(looks)]int
	for i := r.From; i < r.From+r.N; i++ {
		j := at(i)
		if j == nil {
			continue
		}
		s.Model, s.Kind = sameOr(s.Model, model(j), len(prompts), Several), sameOr(s.Kind, string(j.Draft.Modality), len(prompts), "mixed")
		prompts = append(prompts, prompt(j))
		s.Starred = s.Starred && j.Starred()
		if s.Face == "" && j.Face().Path != "" {
			s.Face = j.ID
		}
		n[look(j.State)]++
		if !j.SubmittedAt.IsZero() && (begun.IsZero() || j.SubmittedAt.Before(begun)) {
			begun = j.SubmittedAt
		}
		if j.EndedAt.After(ended) {
			ended = j.EndedAt
		}
	}
	slices.Reverse(prompts) // in the order in which they were made
	s.Prompt = Common(prompts)
	s.Alike = len(prompts) > 0 && s.Prompt == prompts[0]
	for i, n := range n {
		if n > 0 {
			s.In = append(s.In, In{looks[i], n})
			s.UnderWay = s.UnderWay || looks[i].Active()
		}
	}
	if !s.UnderWay && ended.After(begun) && !begun.IsZero() {
		s.Took = ended.Sub(begun)
	}
	return s
}

// looks are the states that are told apart in a batch.
var looks = [...]jobs.State{jobs.Completed, jobs.Failed, jobs.Queued, jobs.Running}

// look is the place among looks of the one that stands for a state.
func look(s jobs.State) int {
	switch {
	case s == jobs.Completed:
		return 0
	case s == jobs.Running || s == jobs.Unknown:
		return 3
	case s.Active():
		return 2
	default:
		return 1
	}
}

// sameOr is what jobs have in common so far, or the word for that they differ.
func sameOr(common, one string, before int, differ string) string {
	if before == 0 || common == one {
		return one
	}
	return differ
}
