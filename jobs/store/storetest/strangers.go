package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// testInstallations: a planned job that names files of another installation is left to that,
// and nothing but a person's word changes whose they are.
func testInstallations(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	mine, other, plain := NewJob("mine"), NewJob("other"), NewJob("without files")
	mine.Installation, mine.Proof = "me", "p1"
	other.Installation, other.Proof = "other", "p2"
	plain.Installation = "other"
	sent := NewJob("sent by the other")
	sent.State, sent.Installation, sent.Proof = jobs.Queued, "other", "p3"
	require.NoError(t, s.Insert(ctx, []jobs.Change{Plan(mine), Plan(other), Plan(plain), Plan(sent)}))
	take := func(owner, installation string) (out []string, works []jobs.Work) {
		works, err := s.Claim(ctx, jobs.Claim{Owner: owner, Installation: installation, Profile: "p", Now: Base, Until: Base.Add(time.Minute)})
		require.NoError(t, err)
		for _, w := range works {
			out = append(out, w.Job.ID)
		}
		return out, works
	}
	got, works := take("A", "me")
	assert.Equal(t, []string{mine.ID, plain.ID, sent.ID}, got)

	c := commit(works[0], jobs.Queued)
	c.Job.Installation, c.Job.Proof = "forged", "forged"
	_, err := s.Commit(ctx, c)
	require.NoError(t, err)
	w, err := s.Get(ctx, mine.ID)
	require.NoError(t, err)
	assert.Equal(t, "me", w.Job.Installation)
	assert.Equal(t, "p1", w.Job.Proof)

	got, _ = take("B", "nobody")
	assert.Empty(t, got)
	change(t, s, other.ID, func(c *jobs.Change) { c.Job.Installation, c.Job.Proof = "nobody", "p4" })
	got, _ = take("B", "nobody")
	assert.Equal(t, []string{other.ID}, got, "taken over by a person")

	// What only this machine's history can hold does not come from elsewhere.
	r := records(t, s)[0]
	r.Job.ID, r.Job.Proof = NewJob("x").ID, jobs.ProofBefore
	r.Job.Files = []jobs.File{{State: jobs.FileSaved, Path: "/etc/passwd", Proof: jobs.ProofBefore}}
	_, err = s.Import(ctx, []jobs.Record{r})
	require.NoError(t, err)
	w, err = s.Get(ctx, r.Job.ID)
	require.NoError(t, err)
	assert.Empty(t, w.Job.Proof)
	assert.Empty(t, w.Job.Files[0].Proof)
	assert.Equal(t, jobs.ProofBefore, r.Job.Files[0].Proof, "the caller's own stays")
}

func testWarnings(t *testing.T, s jobs.Store) {
	ctx := t.Context()
	list := insert(t, s, 1)
	works := claim(t, s, "A", Base)
	require.Len(t, works, 1)
	c := commit(works[0], jobs.Running)
	c.Job.Warn("asked 10 s, got 5 s")
	_, err := s.Commit(ctx, c)
	require.NoError(t, err)
	change(t, s, list[0].ID, func(c *jobs.Change) { c.Job.Warn("asked 10 s, got 5 s", "no image arrived") })
	for _, read := range []func() (jobs.Job, error){
		func() (jobs.Job, error) { w, err := s.Get(ctx, list[0].ID); return w.Job, err },
		func() (jobs.Job, error) { p, err := s.List(ctx, jobs.Query{}); return p.Jobs[0], err },
		func() (jobs.Job, error) { d, err := s.Detail(ctx, list[0].ID); return d.Job, err },
	} {
		j, err := read()
		require.NoError(t, err)
		assert.Equal(t, []string{"asked 10 s, got 5 s", "no image arrived"}, j.Warnings)
	}
}
