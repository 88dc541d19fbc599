package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

var errDuplicate = errors.New("a job of this id is there already")

// Base is the time at which the suite's jobs begin.
var Base = time.UnixMilli(1_700_000_000_000)

// NewJob makes a job as the engine plans it.
func NewJob(prompt string) jobs.Job {
	return jobs.Job{
		ID: uuid.Must(uuid.NewV7()).String(), Profile: "p", Format: "videos", State: jobs.Planned, Progress: -1,
		Draft: client.Draft{
			Modality: client.Video, Model: "famA3", Prompt: prompt,
			Values: client.Values{"seed": json.Number("9007199254740993")},
		},
		CreatedAt: Base, UpdatedAt: Base,
	}
}

// Plan is the change that journals a job, with work due at once and no lease.
func Plan(j jobs.Job) jobs.Change {
	return jobs.Change{Job: j, Due: Base, Events: []jobs.Event{{At: Base, Kind: jobs.EventPlanned, To: jobs.Planned}}}
}

// Run runs the suite; open makes an empty store for each part.
func Run(t *testing.T, open func(t *testing.T) jobs.Store) {
	t.Helper()
	for name, part := range parts() {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			part(t, s)
		})
	}
}

func parts() map[string]func(*testing.T, jobs.Store) {
	return map[string]func(*testing.T, jobs.Store){
		"round trip":          testRoundTrip,
		"insert is atomic":    testInsertAtomic,
		"claim":               testClaim,
		"claim after expiry":  testExpiry,
		"claim limits":        testClaimLimits,
		"beat keeps leases":   testBeat,
		"release":             testRelease,
		"lease lost":          testLeaseLost,
		"amend":               testAmend,
		"a person's own":      testOwn,
		"amend failure":       testAmendFailure,
		"end gives back":      testEndGivesBack,
		"paging":              testPaging,
		"filters":             testFilters,
		"times and codes":     testTimesAndCodes,
		"left out":            testLeftOut,
		"unsaved":             testUnsaved,
		"orders":              testOrders,
		"parents":             testParents,
		"text":                testText,
		"words":               testWords,
		"told by events":      testTold,
		"events only grow":    testEvents,
		"payloads":            testPayloads,
		"since":               testSince,
		"marks":               testMarks,
		"not found":           testNotFound,
		"claims never double": testClaimsRace,
		"tags and remarks":    testTags,
		"exchanges":           testExchanges,
		"milestones":          testMilestones,
		"failures fold":       testFolded,
		"observed":            testObserved,
		"record of a job":     testRecord,
		"past":                testPast,
		"pauses":              testPauses,
		"prune":               testPrune,
		"prune newest":        testPruneNewest,
		"prune bodies":        testPruneBodies,
		"bodies once":         testBodiesOnce,
		"bodies race":         testBodiesRace,
		"records and import":  testImport,
		"import refuses":      testImportRefuses,
		"claim without files": testSkipFetch,
		"claim without plans": testSkipPlanned,
		"commits at once":     testTogether,
		"leases":              testLeases,
		"installations":       testInstallations,
		"warnings":            testWarnings,
		"long drafts":         testLongDrafts,
		"long texts":          testLongTexts,
		"kept bytes":          testKeptBytes,
		"rejected":            testRejected,
		"naming files":        testNaming,
	}
}

func insert(t *testing.T, s jobs.Store, n int) []jobs.Job {
	t.Helper()
	list := make([]jobs.Job, n)
	changes := make([]jobs.Change, n)
	for i := range n {
		list[i] = NewJob(fmt.Sprintf("prompt %d", i))
		changes[i] = Plan(list[i])
	}
	require.NoError(t, s.Insert(t.Context(), changes))
	return list
}

func claim(t *testing.T, s jobs.Store, owner string, now time.Time) []jobs.Work {
	t.Helper()
	w, err := s.Claim(t.Context(), jobs.Claim{Owner: owner, Profile: "p", Now: now, Until: now.Add(10 * time.Second)})
	require.NoError(t, err)
	return w
}

// rich is a job with everything set.
func rich() jobs.Job {
	j := NewJob("a red kite, 红色的风筝 \x00 \x1b[31m")
	j.Group, j.State, j.TaskID, j.AltIDs, j.QueryFormat = "g", jobs.Completed, "task-1", []string{"alt-1", "alt-2"}, "responses"
	j.Run, j.Cell = "0192f000-0000-7000-8000-00000000000a", "12.3"
	j.RawStatus, j.Progress, j.Title, j.Note = "SUCCEEDED", 42.5, "title", "note"
	j.Error = &client.TaskError{Code: "c", Message: "m", Type: "t", Param: "p"}
	j.Assets = []client.Asset{{Kind: client.AssetVideo, URL: "https://h/v.mp4", Content: true, MediaType: "video/mp4"}}
	j.Files = []jobs.File{
		{Index: 0, Kind: client.AssetVideo, State: jobs.FileSaved, Path: "/x/y.mp4", Bytes: 5, Total: 5, SHA256: "ab", MediaType: "video/mp4", Proof: "saved here"},
		{Index: 2, Kind: client.AssetCover, State: jobs.FileFailed, Total: -1, Error: "gone"},
	}
	j.Draft.Extra = map[string]json.RawMessage{"x": json.RawMessage(`{"a":1}`)}
	j.Draft.Values["flag"] = true
	j.Draft.Values["empty"] = ""
	j.SubmittedAt, j.AcceptedAt = Base.Add(time.Second), Base.Add(2*time.Second)
	j.EndedAt, j.UpdatedAt = Base.Add(3*time.Second), Base.Add(4*time.Second)
	j.CreateTook, j.Polls = 1234*time.Millisecond, 7
	j.Installation, j.Proof, j.Warnings = "inst", "made here", []string{"asked 10 s, got 5 s", "片长不对"}
	j.Seen = jobs.Seen{
		Sent: Base.Add(1001 * time.Millisecond), Waiting: Base.Add(1002 * time.Millisecond), Working: Base.Add(1003 * time.Millisecond),
		Running: Base.Add(1004 * time.Millisecond), Ended: Base.Add(1005 * time.Millisecond),
		FetchBegun: Base.Add(1006 * time.Millisecond), Fetched: Base.Add(1007 * time.Millisecond),
		GatewayCreated: Base.Add(-time.Hour), GatewayStarted: Base.Add(-time.Minute), GatewayEnded: Base.Add(-time.Second),
	}
	return j
}

func testRoundTrip(t *testing.T, s jobs.Store) {
	j := rich()
	c := Plan(j)
	c.Attempts, c.Backoff = 3, 1500*time.Millisecond
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{c}))
	w, err := s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	want, err := json.Marshal(normal(j))
	require.NoError(t, err)
	got, err := json.Marshal(normal(w.Job))
	require.NoError(t, err)
	assert.JSONEq(t, string(want), string(got))
	assert.Equal(t, 3, w.Attempts)
	assert.Equal(t, 1500*time.Millisecond, w.Backoff)
	assert.True(t, w.Due.Equal(Base), w.Due)
	assert.Empty(t, w.Owner)
	n, _ := w.Job.Draft.Values.Text("seed")
	assert.Equal(t, "9007199254740993", n, "integers above 2^53 survive")
}

func normal(j jobs.Job) jobs.Job {
	for _, t := range []*time.Time{
		&j.CreatedAt, &j.SubmittedAt, &j.AcceptedAt, &j.EndedAt, &j.UpdatedAt,
		&j.Seen.Sent, &j.Seen.Waiting, &j.Seen.Working, &j.Seen.Running, &j.Seen.Ended, &j.Seen.FetchBegun, &j.Seen.Fetched,
		&j.Seen.GatewayCreated, &j.Seen.GatewayStarted, &j.Seen.GatewayEnded,
	} {
		*t = t.UTC()
	}
	return j
}

func testInsertAtomic(t *testing.T, s jobs.Store) {
	a, b := NewJob("a"), NewJob("b")
	err := s.Insert(t.Context(), []jobs.Change{Plan(a), Plan(b), Plan(a)})
	require.Error(t, err)
	_, err = s.Get(t.Context(), b.ID)
	assert.ErrorIs(t, err, jobs.ErrNotFound)
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(a), Plan(b)}))
}

func testClaim(t *testing.T, s jobs.Store) {
	list := insert(t, s, 3)
	first := claim(t, s, "A", Base)
	require.Len(t, first, 3)
	for i, w := range first {
		assert.Equal(t, list[i].ID, w.Job.ID)
		assert.Equal(t, "A", w.Owner)
		assert.Equal(t, list[i].Draft.Prompt, w.Job.Draft.Prompt)
	}
	assert.Empty(t, claim(t, s, "B", Base), "held by another")
	assert.Empty(t, claim(t, s, "A", Base), "held already")
	owners, err := s.Owners(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"A"}, owners)
}

func testExpiry(t *testing.T, s jobs.Store) {
	insert(t, s, 1)
	a := claim(t, s, "A", Base)
	require.Len(t, a, 1)
	assert.Empty(t, claim(t, s, "B", Base.Add(9999*time.Millisecond)))
	b := claim(t, s, "B", Base.Add(10*time.Second))
	require.Len(t, b, 1)
	assert.Greater(t, b[0].Token, a[0].Token)
	_, err := s.Commit(t.Context(), commit(a[0], jobs.Queued))
	assert.ErrorIs(t, err, jobs.ErrLeaseLost)
	_, err = s.Commit(t.Context(), commit(b[0], jobs.Queued))
	assert.NoError(t, err)
}

func commit(w jobs.Work, to jobs.State) jobs.Change {
	c := jobs.Change{Job: w.Job, Due: Base.Add(time.Minute), Token: w.Token}
	c.Events = []jobs.Event{{At: Base, Kind: jobs.EventState, From: c.Job.State, To: to}}
	c.Job.State = to
	return c
}

func testClaimLimits(t *testing.T, s jobs.Store) {
	list := insert(t, s, 4)
	other := NewJob("elsewhere")
	other.Profile = "q"
	done := NewJob("no work")
	quiet := Plan(done)
	quiet.Due = time.Time{}
	require.NoError(t, s.Insert(t.Context(), []jobs.Change{Plan(other), quiet}))
	get := func(c jobs.Claim) []string {
		c.Owner, c.Now, c.Until = "A", Base, Base.Add(time.Second)
		ws, err := s.Claim(t.Context(), c)
		require.NoError(t, err)
		ids := make([]string, len(ws))
		for i, w := range ws {
			ids[i] = w.Job.ID
		}
		return ids
	}
	assert.Equal(t, []string{list[1].ID}, get(jobs.Claim{Profile: "p", IDs: []string{list[1].ID, other.ID, done.ID}}))
	assert.Empty(t, get(jobs.Claim{Profile: "p", IDs: []string{}}))
	assert.Len(t, get(jobs.Claim{Profile: "p", Limit: 1}), 1)
	assert.Len(t, get(jobs.Claim{Profile: "p"}), 2)
	assert.Len(t, get(jobs.Claim{Profile: "p", Own: true, Except: []string{list[0].ID}}), 3)
	assert.Equal(t, []string{other.ID}, get(jobs.Claim{Profile: "q"}))
}

func testBeat(t *testing.T, s jobs.Store) {
	insert(t, s, 2)
	require.Len(t, claim(t, s, "A", Base), 2)
	require.NoError(t, s.Beat(t.Context(), "A", Base.Add(30*time.Second)))
	assert.Empty(t, claim(t, s, "B", Base.Add(29*time.Second)), "the owner lives")
	assert.Len(t, claim(t, s, "B", Base.Add(30*time.Second)), 2)
}

func testRelease(t *testing.T, s jobs.Store) {
	insert(t, s, 2)
	a := claim(t, s, "A", Base)
	require.NoError(t, s.Beat(t.Context(), "A", Base.Add(time.Hour)))
	require.NoError(t, s.Release(t.Context(), "A"))
	require.Len(t, claim(t, s, "B", Base), 2)
	_, err := s.Commit(t.Context(), commit(a[0], jobs.Queued))
	assert.ErrorIs(t, err, jobs.ErrLeaseLost)
}

func testLeaseLost(t *testing.T, s jobs.Store) {
	j := insert(t, s, 1)[0]
	a := claim(t, s, "A", Base)[0]
	_, err := s.Amend(t.Context(), j.ID, func(w jobs.Work) (jobs.Change, error) {
		c := commit(w, jobs.Dropped)
		c.Take, c.Due = true, time.Time{}
		return c, nil
	})
	require.NoError(t, err)
	c := commit(a, jobs.Completed)
	c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte("late")}}
	_, err = s.Commit(t.Context(), c)
	require.ErrorIs(t, err, jobs.ErrLeaseLost)
	d, err := s.Detail(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, jobs.Dropped, d.Job.State)
	assert.Len(t, d.Events, 2, "what came late is written nowhere")
	assert.Nil(t, d.Answer)
}

func testAmend(t *testing.T, s jobs.Store) {
	j := insert(t, s, 1)[0]
	a := claim(t, s, "A", Base)[0]
	w, err := s.Amend(t.Context(), j.ID, func(w jobs.Work) (jobs.Change, error) {
		c := commit(w, jobs.Queued)
		return c, nil
	})
	require.NoError(t, err)
	assert.Equal(t, "A", w.Owner, "without Take the lease stays")
	assert.Equal(t, a.Token, w.Token)
	assert.Equal(t, jobs.Queued, w.Job.State)
	w, err = s.Amend(t.Context(), j.ID, func(w jobs.Work) (jobs.Change, error) {
		c := commit(w, jobs.Running)
		c.Take, c.Owner, c.Until = true, "B", Base.Add(time.Second)
		return c, nil
	})
	require.NoError(t, err)
	assert.Equal(t, "B", w.Owner)
	assert.Greater(t, w.Token, a.Token)
}

func testAmendFailure(t *testing.T, s jobs.Store) {
	j := insert(t, s, 1)[0]
	boom := errors.New("no")
	_, err := s.Amend(t.Context(), j.ID, func(w jobs.Work) (jobs.Change, error) {
		return commit(w, jobs.Dropped), boom
	})
	require.ErrorIs(t, err, boom)
	w, err := s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, jobs.Planned, w.Job.State)
}

func testEndGivesBack(t *testing.T, s jobs.Store) {
	j := insert(t, s, 1)[0]
	a := claim(t, s, "A", Base)[0]
	c := commit(a, jobs.Completed)
	c.Due = time.Time{}
	rev, err := s.Commit(t.Context(), c)
	require.NoError(t, err)
	w, err := s.Get(t.Context(), j.ID)
	require.NoError(t, err)
	assert.Equal(t, rev, w.Rev)
	assert.Empty(t, w.Owner)
	assert.True(t, w.Due.IsZero())
	assert.Empty(t, claim(t, s, "B", Base.Add(time.Hour)), "there is nothing to do")
}
