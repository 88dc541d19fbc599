package ahead

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
)

// fake is a history whose pages say how many were read before.
type fake struct {
	read int
	news uint64
	hold chan struct{} // a read waits for it; nil for not
	err  error
}

func (f *fake) List(ctx context.Context, _ jobs.Query) (jobs.Page, error) {
	if f.hold != nil {
		select {
		case <-f.hold:
		case <-ctx.Done():
			return jobs.Page{}, ctx.Err()
		}
	}
	f.read++
	return jobs.Page{Jobs: make([]jobs.Job, f.read)}, f.err
}

func (f *fake) Changes(uint64) ([]jobs.Job, uint64) { return nil, f.news }

func TestThePageIsGivenOnce(t *testing.T) {
	t.Parallel()
	f, q := &fake{}, jobs.Query{Profile: "work", Limit: 3}
	p := Of(q)
	p.Read(t.Context(), f)
	page, ok := p.Take(t.Context(), f, q)
	require.True(t, ok)
	assert.Len(t, page.Jobs, 1)
	_, ok = p.Take(t.Context(), f, q)
	assert.False(t, ok)
	assert.Equal(t, 1, f.read)
}

// TestItIsGivenOnlyAsItWouldBeRead, and what is not given is read by who asked. The clock is the bubble's.
func TestItIsGivenOnlyAsItWouldBeRead(t *testing.T) {
	t.Parallel()
	q := jobs.Query{Profile: "work", Limit: 3}
	for name, c := range map[string]struct {
		err       error
		meanwhile func(*fake)
		asked     jobs.Query
	}{
		"another query":     {asked: jobs.Query{Profile: "work", Limit: 3, Text: "kite"}},
		"a job changed":     {asked: q, meanwhile: func(f *fake) { f.news++ }},
		"a while ago":       {asked: q, meanwhile: func(*fake) { time.Sleep(good + time.Second) }}, //nolint:forbidigo // of the bubble's clock
		"it was not read":   {asked: q, err: errors.New("disk on fire")},
		"of all profiles":   {asked: jobs.Query{Limit: 3}},
		"of another length": {asked: jobs.Query{Profile: "work"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := &fake{err: c.err}
				p := Of(q)
				p.Read(t.Context(), f)
				if c.meanwhile != nil {
					c.meanwhile(f)
					synctest.Wait()
				}
				_, ok := p.Take(t.Context(), f, c.asked)
				assert.False(t, ok)
			})
		})
	}
}

// TestWhoComesDuringTheReadWaitsForIt, as long as he wants.
func TestWhoComesDuringTheReadWaitsForIt(t *testing.T) {
	t.Parallel()
	for name, patient := range map[string]bool{"patient": true, "not": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f, p := &fake{hold: make(chan struct{})}, Of(jobs.Query{})
				go p.Read(t.Context(), f)
				synctest.Wait()
				asking, giveUp := context.WithCancel(t.Context())
				defer giveUp()
				var got bool
				over := make(chan struct{})
				go func() {
					defer close(over)
					_, got = p.Take(asking, f, jobs.Query{})
				}()
				synctest.Wait()
				if !patient {
					giveUp()
					<-over
				}
				close(f.hold)
				<-over
				assert.Equal(t, patient, got)
			})
		})
	}
}

// TestWhoIsEarlierThanTheReadReadsHimself: it is not read twice.
func TestWhoIsEarlierThanTheReadReadsHimself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, p := &fake{}, Of(jobs.Query{})
		var got bool
		go func() { _, got = p.Take(t.Context(), f, jobs.Query{}) }()
		synctest.Wait()
		p.Read(t.Context(), f)
		synctest.Wait()
		assert.False(t, got)
		assert.Equal(t, 0, f.read)
	})
}

func TestNoPageIsNeverGiven(t *testing.T) {
	t.Parallel()
	var p *Page
	_, ok := p.Take(t.Context(), &fake{}, jobs.Query{})
	assert.False(t, ok)
}
