package queue

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
)

// pictures are n jobs with a picture each on the disk.
func pictures(t *testing.T, n int) []jobs.Job {
	t.Helper()
	var out []jobs.Job
	for i := range n {
		path := filepath.Join(t.TempDir(), "kite.png")
		require.NoError(t, writePNG(path))
		j := job(i+1, jobs.Completed)
		j.Files = []jobs.File{{Kind: client.AssetImage, State: jobs.FileSaved, Path: path, Bytes: 100}}
		out = append(out, j)
	}
	return out
}

func TestThePictureFollowsTheCursor(t *testing.T) {
	b := open(t, 120, 34, pictures(t, 3)...)
	have := func() bool {
		return b.m.detail.picture.Have && b.m.detail.picture.Got.Key.Path == b.m.list.job().Files[0].Path
	}
	b.Settle(10*time.Second, "the first picture", have)
	b.Key("down")
	b.Settle(10*time.Second, "the second picture", have)
	_, cmd := b.m.Update(screen.TickMsg{})
	assert.Empty(t, flat(cmd), "it is made once")

	b.Key("up")
	assert.True(t, have(), "one that is kept shows at once")
}

func TestAPictureForAnotherJobIsNotShown(t *testing.T) {
	b := open(t, 120, 34, pictures(t, 2)...)
	b.Settle(10*time.Second, "the picture", func() bool { return b.m.detail.picture.Have })
	other := b.m.detail.picture.Wanted
	other.Path = "/somewhere/else.png"
	b.Send(preview.ReadyMsg{Key: other, Lines: []string{"WRONG"}})
	assert.NotContains(t, b.View(), "WRONG")
}

func TestHiddenItDrawsNoPictures(t *testing.T) {
	js := pictures(t, 2)
	f := newFake(js[0])
	m := New(deps(t, f))
	m.SetSize(120, 34)
	_, cmd := m.Update(pageMsg{page: jobs.Page{Jobs: js[:1]}})
	require.NotNil(t, cmd, "the picture is asked for")
	_, _ = m.Update(screen.HiddenMsg{})
	assert.Nil(t, cmd(), "and given up when nobody sees it")

	f.change(js[1])
	_, cmd = m.Update(screen.JobsMsg{})
	assert.Empty(t, flat(cmd))
	_, cmd = m.Update(screen.ShownMsg{})
	require.NotNil(t, cmd)
	ready, ok := cmd().(preview.ReadyMsg)
	require.True(t, ok)
	assert.Equal(t, js[1].Files[0].Path, ready.Key.Path, "the newest was put under the cursor")
}

func TestOneRequestReplacesAnother(t *testing.T) {
	js := pictures(t, 2)
	m := New(deps(t, newFake(js...)))
	m.SetSize(120, 34)
	_, first := m.Update(pageMsg{page: jobs.Page{Jobs: js}})
	_, second := m.Update(screen.ShowJob{JobID: js[0].ID})
	require.NotNil(t, first)
	require.NotNil(t, second)
	assert.Nil(t, first(), "the older one is cancelled")
	assert.NotNil(t, second())
}

func TestPosters(t *testing.T) {
	j := saved(job(1, jobs.Completed))
	path, poster := j.Showpiece()
	assert.Equal(t, "/pictures/kite.mp4", path)
	assert.Equal(t, "/pictures/cover.png", poster)
	j.Files = j.Files[:1]
	path, _ = j.Showpiece()
	assert.Equal(t, "/pictures/cover.png", path)
	j.Files[0].State = jobs.FileFailed
	path, poster = j.Showpiece()
	assert.Empty(t, path+poster)
}

func TestPreviewOnAndOffIsToldWhereNothingShows(t *testing.T) {
	b := open(t, 120, 34, many(3)...)
	b.Key("p")
	assert.Equal(t, screen.ToastMsg{Level: screen.Info, Text: "previews are off"}, b.toast(t))
	b.Key("p")
	assert.Equal(t, screen.ToastMsg{Level: screen.Info, Text: "previews are on"}, b.toast(t))
}
