package latest

import (
	"context"
	"errors"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// slow is a history whose answer comes when the test lets it, or its caller gives up.
type slow struct {
	asked int
	err   error
	let   chan struct{}
}

func (s *slow) List(ctx context.Context, _ jobs.Query) (jobs.Page, error) {
	s.asked++
	select {
	case <-ctx.Done():
		return jobs.Page{}, ctx.Err()
	case <-s.let:
	}
	return jobs.Page{Jobs: []jobs.Job{{ID: "1", Draft: client.Draft{Modality: client.Video}}}}, s.err
}

func (s *slow) Changes(seq uint64) ([]jobs.Job, uint64) { return nil, seq }
func (s *slow) Counts() jobs.Counts                     { return jobs.Counts{} }

func TestTheLatestAreReadOnceTheyCanBeSeen(t *testing.T) {
	h := &slow{let: make(chan struct{})}
	f := feed{history: h, by: map[client.Modality][]jobs.Job{}}
	took := func(cmd tea.Cmd) listedMsg {
		require.NotNil(t, cmd)
		msg := cmd().(listedMsg)
		f.took(msg)
		return msg
	}
	cmd := f.load()
	assert.Nil(t, f.load(), "one read is on its way")
	f.halt() // who starts the console may go to Queue at once
	require.ErrorIs(t, took(cmd).err, context.Canceled)
	assert.Empty(t, f.by)

	close(h.let)
	h.err = errors.New("the disk is away")
	took(f.load())
	h.err = nil
	took(f.load())
	assert.Len(t, f.by[client.Video], 1)
	assert.Nil(t, f.load(), "what comes later is news")
	assert.Equal(t, 3, h.asked)
}
