package queue

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/player"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// tagged is a WAV of a tenth of a second, with a list of tags.
func tagged(tags ...string) []byte {
	list := []byte("INFO")
	for i := 0; i < len(tags); i += 2 {
		list = binary.LittleEndian.AppendUint32(append(list, tags[i]...), uint32(len(tags[i+1])+len(tags[i+1])%2))
		list = append(list, tags[i+1]...)
		list = append(list, make([]byte, len(tags[i+1])%2)...)
	}
	b := append([]byte("RIFF\x00\x00\x00\x00WAVELIST"), binary.LittleEndian.AppendUint32(nil, uint32(len(list)))...)
	b = append(append(b, list...), "fmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x40\x06\x00\x00"...)
	return append(b, bytes.Repeat([]byte{0, 0x40, 0, 0xc0}, 400)...)
}

// TestGoldenSound shows a song with its tags, what the answer has as lyrics, and where the
// player is.
func TestGoldenSound(t *testing.T) {
	for _, s := range sizes[:3] {
		w, h := s[0], s[1]
		var frame string
		t.Run("draw", func(t *testing.T) {
			t.Chdir(t.TempDir()) // the path is on the screen
			require.NoError(t, os.WriteFile("rain.wav", tagged("INAM", "Salt Flat 塩 Morning", "IART", "The \x1b[31mKites", "IGNR", "Ambient"), 0o600))
			j := job(1, jobs.Completed)
			j.Draft.Modality, j.Draft.Model = client.Music, "famN_music"
			j.Assets = []client.Asset{{Kind: client.AssetAudio, URL: "https://cdn.example/rain.wav"}}
			j.Files = []jobs.File{{Kind: client.AssetAudio, State: jobs.FileSaved, Path: "rain.wav", Bytes: 1000, Total: 1000}}
			f := newFake(j)
			f.event[j.ID] = jobs.Detail{Text: "Over the salt\nthe kite \x1b[2Jrises\n\nעפיפון אדום"}
			d := deps(t, f)
			play := &deck{states: make(chan player.State)}
			d.Player = play
			b := openDeps(t, d, f, w, h)
			b.Key("enter")
			b.Settle(time.Minute, "the sound", func() bool { return b.m.detail.picture.Have && b.m.detail.id == j.ID })
			b.Limit = 20 * time.Millisecond
			b.Key("P")
			b.Settle(time.Minute, "played", func() bool { return play.waits.Load() > 0 })
			b.tells(play, player.State{Seq: 1, Target: player.Target{Job: j.ID}, Program: "mpv", Running: true, Told: true, Pos: 7 * time.Second, Length: 20 * time.Second})
			frame = b.Frame()
			tuitest.CheckFrame(t, frame, w, h)
			b.Send(screen.WheelMsg{Zone: "detail", Delta: 1})
			tuitest.CheckFrame(t, b.Frame(), w, h)
			b.tells(play, player.State{Seq: 2, Program: "mpv"})
		})
		tuitest.Golden(t, fmt.Sprintf("sound-%dx%d", w, h), frame)
	}
}

// TestATitleIsToldOnce: the gateway's, where it is not what was asked for.
func TestATitleIsToldOnce(t *testing.T) {
	j := job(1, jobs.Completed)
	j.Draft.Modality, j.Draft.Values, j.Title = client.Music, client.Values{"title": "Low Tide"}, "Low Tide"
	m := New(deps(t, newFake(j)))
	facts := func() string { return strings.ToLower(strings.Join(m.detail.facts(&j).lines(100), "\n")) }
	assert.Equal(t, 1, strings.Count(facts(), "low tide"))
	j.Title = "Low Tide (II)"
	assert.Equal(t, 2, strings.Count(facts(), "low tide"))
}
