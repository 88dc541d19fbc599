package lookup

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/schedule"
)

// offices are profiles with a gateway each; nil has no key.
func offices(h History, all map[string]*gateway, names ...string) (*Profiles, map[string]int) {
	opened := map[string]int{}
	var (
		list []Profile
		mu   sync.Mutex
	)
	for _, name := range names {
		list = append(list, Profile{Name: name, Open: func(context.Context) (*Desk, error) {
			mu.Lock()
			defer mu.Unlock()
			opened[name]++
			if all[name] == nil {
				return nil, errors.New("no key is kept for this profile")
			}
			return &Desk{Gateway: all[name], Profile: name}, nil
		}})
	}
	return NewProfiles(list, h), opened
}

func TestEachProfileIsAsked(t *testing.T) {
	ours, theirs := &gateway{}, &gateway{knows: map[string]string{"a": "videos"}}
	p, opened := offices(nil, map[string]*gateway{"work": ours, "team": theirs}, "work", "team", "old")
	var came []string
	f := p.One(t.Context(), id("a"), func(a Answer) { came = append(came, a.Profile) })
	assert.ElementsMatch(t, []string{"work", "team", "old"}, came, "as they answer")
	assert.Equal(t, "team", f.Profile)
	assert.Equal(t, []string{"team"}, f.Knowing())
	assert.Equal(t, "running", f.State())
	assert.Equal(t, []string{"does not know it", "knows it: running", "not asked: no key is kept for this profile"},
		[]string{f.Answers[0].Words(), f.Answers[1].Words(), f.Answers[2].Words()})
	assert.Equal(t, "asked: work, team; not asked: old (no key is kept for this profile)", f.AskedWords())

	var states []string
	p.Each(t.Context(), []inspect.Subject{id("a"), id("b")}, func(i int, f Found) { states = append(states, f.Subject.Value+" "+f.State()) })
	assert.ElementsMatch(t, []string{"a running", "b not found"}, states)
	for name, n := range opened {
		assert.Equal(t, 1, n, "%s is opened once", name)
	}
}

func TestTheJobsOwnProfileIsAskedAlone(t *testing.T) {
	h := history{{ID: "job-1", TaskID: "a", Profile: "team", State: jobs.Running}, {ID: "job-2", TaskID: "z", Profile: "gone", State: jobs.Running}}
	ours, theirs := &gateway{}, &gateway{knows: map[string]string{"a": "videos"}}
	p, opened := offices(h, map[string]*gateway{"work": ours, "team": theirs}, "work", "team")
	for _, word := range []string{"a", "job-1"} {
		f := p.One(t.Context(), id(word), nil)
		assert.Equal(t, "team", f.Profile, word)
		assert.Equal(t, "a", f.Asked, word)
		assert.Equal(t, "running", f.State(), word)
		require.NotNil(t, f.Findings.Job)
		assert.Equal(t, word, f.Subject.Value)
		assert.Equal(t, "not asked: the history has it of the profile team", f.Answers[0].Words())
	}
	assert.Empty(t, ours.asked)
	assert.Zero(t, opened["work"], "what is not asked is not opened")

	f := p.One(t.Context(), id("job-2"), nil)
	assert.ErrorIs(t, f.Err, ErrProfile, "its profile is not in the settings")
	assert.Empty(t, ours.asked)
}

func TestTwoGatewaysWithOneID(t *testing.T) {
	ours, theirs := &gateway{knows: map[string]string{"a": "content"}}, &gateway{knows: map[string]string{"a": "videos"}}
	p, _ := offices(nil, map[string]*gateway{"work": ours, "team": theirs}, "work", "team")
	f := p.One(t.Context(), id("a"), nil)
	assert.Equal(t, []string{"work", "team"}, f.Knowing(), "both are named")
	assert.Equal(t, "work", f.Profile, "the one in use first")
	for _, r := range f.Findings.Routes {
		assert.False(t, r.Format == "videos" && r.Result.Task != nil, "facts of two tasks are not mixed")
	}
}

func TestNobodyCanBeAsked(t *testing.T) {
	p, _ := offices(nil, nil, "work")
	f := p.One(t.Context(), id("a"), nil)
	require.ErrorContains(t, f.Err, "no key is kept")
	assert.Equal(t, "not known", f.State())
	assert.Equal(t, "asked: nobody; not asked: work (no key is kept for this profile)", f.AskedWords())

	ours := &gateway{}
	p, _ = offices(nil, map[string]*gateway{"work": ours}, "work")
	f = p.One(t.Context(), inspect.Subject{Kind: inspect.KindRequest, Value: "req-1"}, nil)
	require.ErrorIs(t, f.Err, ErrRequest)
	assert.Empty(t, ours.asked, "a gateway cannot be asked by a request's id")
}

// planner is a history that knows how long tasks take.
type planner struct{ history }

func (planner) PlanOf(*jobs.Job) *schedule.Plan { return &schedule.Plan{} }

func TestHowLongATaskTakesIsKnownAtItsProfile(t *testing.T) {
	h := planner{history{{ID: "job-1", TaskID: "a", Profile: "team", State: jobs.Running}}}
	p, _ := offices(h, map[string]*gateway{"work": {}, "team": {knows: map[string]string{"a": "videos"}}}, "work", "team")
	f := p.One(t.Context(), id("a"), nil)
	assert.Equal(t, "team", f.Profile)
	assert.NotNil(t, f.Findings.Plan)
	assert.Nil(t, p.One(t.Context(), id("b"), nil).Findings.Plan)
}
