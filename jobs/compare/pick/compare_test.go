package pick

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
	"darkroom/jobs"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func plan(t *testing.T) Plan {
	t.Helper()
	c := catalogtest.Catalog(t)
	return NewPlan(c, func(client.Draft) []string { return []string{"videos"} }, client.Video)
}

func TestAPlanWalksFromTheDraftToTheTrials(t *testing.T) {
	p := plan(t)
	assert.NotEmpty(t, p.Candidates)
	assert.Equal(t, "choose at least one model that can take the draft", p.WhyNot())
	own := p.Candidates[0].Model.ID
	p.Take(client.Draft{Modality: client.Video, Model: own}, "")
	assert.Equal(t, "type a prompt first", p.WhyNot())
	assert.True(t, p.SetPrompt("a red kite"), "now that there is one, others can take it")
	assert.False(t, p.SetPrompt("a red kite at dawn"))
	require.Empty(t, p.WhyNot())
	p.Repeat()
	trials := p.Trials()
	require.Len(t, trials, 2)
	assert.Equal(t, own, trials[1].Model)
	assert.Equal(t, "a red kite at dawn", trials[1].Draft.Prompt)
	assert.Equal(t, 2, trials[1].Rep)
	p.Repeat()
	p.Repeat()
	assert.Equal(t, 1, p.Repeats, "after the most comes once")

	p.ToggleAll()
	assert.Greater(t, len(p.In()), 1)
	p.ToggleAll()
	assert.Empty(t, p.In())
	p.Toggle(own)
	assert.Len(t, p.In(), 1)
	p.SetKind(client.Image)
	assert.Equal(t, "a red kite at dawn", p.Base.Prompt)
	assert.Empty(t, p.In(), "models of another kind")
}

func TestModelsThatOnlyTheListsHaveCanBeTried(t *testing.T) {
	p := plan(t)
	p.SetPrompt("a red kite")
	p.Offer([]client.RemoteModel{{ID: "nova-9"}, {ID: p.Candidates[0].Model.ID}})
	i := p.Index("nova-9")
	require.GreaterOrEqual(t, i, 0)
	x := p.Candidates[i]
	assert.True(t, x.Tried)
	assert.True(t, x.Live)
	assert.False(t, x.Able(), "nobody knows its kind")
	assert.NotEmpty(t, x.Format)
	p.ToggleAll()
	assert.False(t, p.Chosen["nova-9"], "they are chosen one by one")
	assert.Equal(t, -1, p.Index("none"))
}

func ended(id string, s jobs.State, took time.Duration) jobs.Job {
	at := now.Add(-time.Minute)
	return jobs.Job{ID: id, State: s, SubmittedAt: at, AcceptedAt: at.Add(time.Second), CreateTook: time.Second, EndedAt: at.Add(took)}
}

func TestARunIsMeasured(t *testing.T) {
	r := NewRun([]Trial{{Model: "slow", JobID: "1"}, {Model: "fast", JobID: "2"}, {Model: "bad", JobID: "3"}, {Model: "late", JobID: "4"}})
	running := ended("1", jobs.Running, 0)
	running.EndedAt, running.UpdatedAt = time.Time{}, now.Add(-50*time.Second)
	r.Update([]jobs.Job{running, {ID: "of another run"}})
	took, ok := r.Trials[0].Took(now)
	assert.True(t, ok)
	assert.Equal(t, time.Minute, took)
	r.Update([]jobs.Job{ended("1", jobs.Completed, 30*time.Second), ended("2", jobs.Completed, 10*time.Second), ended("3", jobs.Failed, 5*time.Second)})
	assert.Equal(t, Tally{All: 4, Done: 2, Failed: 1, Open: 1, Fastest: "fast", Least: 10 * time.Second, Median: 20 * time.Second}, r.Tally(now))
	assert.True(t, r.Open())
	assert.Equal(t, []Span{{"create", time.Second}, {"queue", 9 * time.Second}, {"run", 20 * time.Second}}, r.Trials[0].Split(now))
	assert.Equal(t, []Span{{"create", time.Second}, {"queue and run", 9 * time.Second}}, r.Trials[1].Split(now), "it was never seen running")
	_, ok = r.Trials[3].Took(now)
	assert.False(t, ok)
}

func TestMedian(t *testing.T) {
	assert.Zero(t, median(nil))
	assert.Equal(t, 2*time.Second, median([]time.Duration{3e9, 1e9, 2e9}))
	assert.Equal(t, 2500*time.Millisecond, median([]time.Duration{4e9, 1e9, 2e9, 3e9}))
}
