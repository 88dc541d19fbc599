package queue

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/kept"
	"darkroom/tui/gallery"
	"darkroom/tui/screen"
	"darkroom/tui/screens/queue/internal/looks"
)

// lookShelf keeps the look in memory.
type lookShelf struct {
	mu    sync.Mutex
	look  kept.Look
	kept  bool
	err   error
	saves int
}

func (s *lookShelf) Load() (kept.Look, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.look, s.kept, s.err
}

func (s *lookShelf) Save(l kept.Look) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saves++
	if s.err == nil {
		s.look, s.kept = l, true
	}
	return s.err
}

func openLooks(t *testing.T, s *lookShelf) *bench {
	t.Helper()
	f := newFake(many(20)...)
	d := deps(t, f)
	d.Looks = s
	return openDeps(t, d, f, 120, 34)
}

// TestListOrGalleryIsKept over the end of the console, with the size of the cells.
func TestListOrGalleryIsKept(t *testing.T) {
	s := &lookShelf{}
	b := openLooks(t, s)
	assert.False(t, b.m.gallery, "the usual one is the list")
	b.Key("v", "+")
	assert.Equal(t, 2, s.saves, "each choice, once")
	b.Key("down", "up")
	require.NoError(t, b.m.Flush())
	assert.Equal(t, 2, s.saves)

	again := openLooks(t, s)
	assert.True(t, again.m.gallery)
	assert.Equal(t, b.m.list.grid.Width(), again.m.list.grid.Width())
	assert.Equal(t, b.View(), again.View())
	assert.Equal(t, 2, s.saves, "what was read is not written")
	again.Key("v")
	assert.False(t, openLooks(t, s).m.gallery)
}

// TestALookOfAnotherProgram has cells of a size that there is not.
func TestALookOfAnotherProgram(t *testing.T) {
	b := openLooks(t, &lookShelf{look: kept.Look{Gallery: true, Cells: 7}, kept: true})
	assert.True(t, b.m.gallery)
	assert.Equal(t, gallery.UsualWidth, b.m.list.grid.Width())
}

// TestWhatIsChosenBeforeTheLookCameStays: the disk may be slow.
func TestWhatIsChosenBeforeTheLookCameStays(t *testing.T) {
	b := openLooks(t, &lookShelf{})
	b.Key("v")
	b.Send(looks.Loaded{Look: kept.Look{Cells: 74}, Kept: true})
	assert.True(t, b.m.gallery)
	assert.Equal(t, gallery.UsualWidth, b.m.list.grid.Width())
}

// TestTheLastChoiceIsSavedLast, whatever order commands run in, and at the end at the latest.
func TestTheLastChoiceIsSavedLast(t *testing.T) {
	s := &lookShelf{}
	b := openLooks(t, s)
	_, first := b.m.Update(screen.ActionMsg{ID: "queue.gallery"})
	_, second := b.m.Update(screen.ActionMsg{ID: "queue.larger"})
	answers(second)
	answers(first)
	assert.Equal(t, b.m.list.look(), s.look)
	_, _ = b.m.Update(screen.ActionMsg{ID: "queue.gallery"}) // its command never runs
	require.NoError(t, b.m.Flush())
	assert.False(t, s.look.Gallery)
}

func TestALookThatCanNotBeKeptIsTold(t *testing.T) {
	s := &lookShelf{err: errors.New("disk full\x1b[31m")}
	b := openLooks(t, s)
	assert.Contains(t, b.toast(t).Text, "the last view of the jobs could not be read: disk full")
	b.Key("v")
	assert.True(t, b.m.gallery)
	assert.Contains(t, b.toast(t).Text, "forgotten at the end: disk full")
	require.NoError(t, b.m.Flush(), "it was told already")
}
