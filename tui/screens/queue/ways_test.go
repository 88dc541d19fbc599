package queue

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
	"darkroom/jobs"
	"darkroom/jobs/player"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
	"darkroom/tui/widgets"
)

func TestFactsBeginWithWhatIsAskedFirst(t *testing.T) {
	j := saved(job(1, jobs.Completed))
	j.Files[1].Path = "/pictures/a-paper-boat-on-a-lake-in-the-soft-light-of-the-early-morning-famA-video-0001.mp4"
	j.Draft.Values["seed"] = json.Number("4711")
	f := newFake(j)
	d := deps(t, f)
	d.Catalog = catalogtest.Catalog(t)
	b := openDeps(t, d, f, 120, 34)
	b.m.focus = detailPane
	b.Send(screen.ShownMsg{})
	var lines []string
	for _, l := range b.m.detail.facts(b.m.list.job()).lines(50) {
		lines = append(lines, tuitest.Plain(l))
		assert.LessOrEqual(t, widgets.Width(l), 50)
	}
	at := func(begin string) int {
		for i, l := range lines {
			if strings.HasPrefix(l, begin) {
				return i
			}
		}
		require.Fail(t, "no line of "+begin, strings.Join(lines, "\n"))
		return -1
	}
	order := []string{"State", "Took", "Seed", "Cover", "Video", "Prompt", "Model", "Ratio", "For scripts", "Task", "Job", "Format", "Folder"}
	for i := range order[1:] {
		assert.Less(t, at(order[i]), at(order[i+1]), "%s before %s", order[i], order[i+1])
	}
	video := lines[at("Video")]
	assert.Contains(t, video, "a-paper-boat")
	assert.Contains(t, video, "…")
	assert.Contains(t, video, "0001.mp4", "the name is on one line, shortened in the middle")
	assert.Contains(t, lines[at("Duration")], "6 s")
	assert.NotContains(t, strings.Join(lines, "\n"), "aspect_ratio")
}

func TestOneMenuHasAllWaysToOpen(t *testing.T) {
	b := open(t, 120, 34, job(2, jobs.Failed), saved(job(1, jobs.Completed)))
	b.Key("M")
	assert.Contains(t, b.toast(t).Text, "no result of this job is on the disk")
	b.Key("down", "M")
	require.NotNil(t, b.m.stack.Top())
	view := b.View()
	for _, want := range []string{"Play here", "Open with the desktop's", "Show in the folder", "Copy the path"} {
		assert.Contains(t, view, want)
	}
	b.Type("folder")
	b.Key("enter")
	file, ok := tuitest.Last[screen.OpenFileMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, "/pictures", file.Path)
	b.Key("M", "esc")
	assert.Nil(t, b.m.stack.Top())
}

func TestTheSeedThatTheGatewayDrewIsReused(t *testing.T) {
	j := saved(job(1, jobs.Completed))
	f := newFake(j)
	b := openWith(t, f, 120, 34)
	b.Key("alt+c")
	assert.Contains(t, b.toast(t).Text, "does not say which seed")
	f.event[j.ID] = jobs.Detail{Answer: []byte(`{"status":"completed","metadata":{"seed":832728251}}`)}
	b.Key("alt+c")
	o, ok := tuitest.Last[screen.OpenMsg](b.Driver)
	require.True(t, ok)
	assert.Equal(t, screen.Compose, o.Screen)
	seed, _ := o.Payload.(screen.ComposeDraft).Draft.Values.Text("seed")
	assert.Equal(t, "832728251", seed)
	assert.NotContains(t, b.m.list.job().Draft.Values, "seed", "Compose has a copy")
}

func TestTheChainOfASoundOffersWhatASoundCanDo(t *testing.T) {
	j := job(1, jobs.Completed)
	j.Draft.Modality, j.Draft.Model = client.Music, "famN_music"
	j.Assets = nil
	j.Files = []jobs.File{{Kind: client.AssetAudio, State: jobs.FileSaved, Path: "/music/song.mp3", Bytes: 10}}
	b := open(t, 120, 34, j)
	b.Key("C")
	view := b.View()
	assert.Contains(t, view, "uses its result as a")
	assert.NotContains(t, view, "begins a video")
	assert.NotContains(t, view, "extends it")
}

func TestASoundPlaysInThePlayer(t *testing.T) {
	j := job(1, jobs.Completed)
	j.Draft.Modality, j.Assets = client.Music, nil
	j.Files = []jobs.File{{Kind: client.AssetAudio, State: jobs.FileSaved, Path: "/music/song.mp3", Bytes: 10}}
	f := newFake(j)
	d := deps(t, f)
	b := openDeps(t, d, f, 120, 34)
	b.Key("m")
	assert.Equal(t, "there is no player here", b.toast(t).Text)
	p := &deck{states: make(chan player.State)}
	d.Player = p
	b = openDeps(t, d, f, 120, 34)
	b.Key("m")
	assert.Equal(t, []string{"play /music/song.mp3"}, p.done)
}
