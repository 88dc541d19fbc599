package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/sandbox"
	"darkroom/jobs"
)

// TestEveryKindIsMade sends one draft of each kind to the embedded gateway, as Compose does:
// without a format, which the draft decides, its modality too.
func TestEveryKindIsMade(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	g := openGateway(t, cfg, sandbox.Instant)
	d, err := OpenDesk(t.Context(), g, DeskOptions{AutoDownload: true})
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	kinds := map[client.Modality]struct {
		model, format string
		file          client.AssetKind
	}{
		client.Video:  {"famA3", "videos", client.AssetVideo},
		client.Image:  {"famL-2", "images", client.AssetImage},
		client.Music:  {"famN_music", "music", client.AssetAudio},
		client.Speech: {"famN_music", "music", client.AssetAudio},
		client.Chat:   {"any-model", "chat", ""},
	}
	for k, want := range kinds {
		draft := g.Catalog.Default(k)
		draft.Model, draft.Prompt = want.model, "塩の平原, a red kite"
		sg := screenGateway{g.Client, g, nil}
		p, err := sg.Preview(draft, "")
		require.NoError(t, err, k)
		require.Equal(t, want.format, p.Format, k)
		require.Contains(t, sg.FormatsFor(draft), want.format, k)

		ids, err := d.Engine.Submit(t.Context(), []jobs.Submission{{Draft: draft}})
		require.NoError(t, err, k)
		all, err := d.Engine.Wait(t.Context(), ids)
		require.NoError(t, err, k)
		j := all[0]
		require.Equal(t, jobs.Completed, j.State, "%s: %v %s", k, j.Error, j.Note)
		require.Equal(t, want.format, j.Format, k)
		got, err := d.Engine.Detail(t.Context(), j.ID)
		require.NoError(t, err, k)
		if want.file == "" {
			require.Empty(t, j.Files)
			require.Contains(t, got.Text, "red kite", "the answer is what a chat makes")
			continue
		}
		if k == client.Music || k == client.Speech {
			require.Equal(t, draft.Prompt, got.Text, "the embedded gateway sings what it was asked")
		} else {
			require.Empty(t, got.Text, k)
		}
		require.NotEmpty(t, j.Files, k)
		require.Equal(t, want.file, j.Files[0].Kind, k)
	}
}

// TestAnswerText reads what was kept, and nothing else.
func TestAnswerText(t *testing.T) {
	t.Parallel()
	chat := []byte(`{"id":"c1","choices":[{"message":{"role":"assistant","content":"hello\nthere"},"finish_reason":"stop"}]}`)
	require.Equal(t, "hello\nthere", answerText("chat", chat))
	require.Empty(t, answerText("no such format", chat))
	require.Empty(t, answerText("chat", []byte("<html>")))
	require.Empty(t, answerText("chat", nil))
	require.Equal(t, "sail\non", answerText("music", []byte(`{"status":"completed","audio_url":"https://x/y.mp3","lyrics":"sail\non"}`)))
	require.Empty(t, answerText("videos", []byte(`{"id":"v1","status":"completed","video_url":"https://x/y.mp4"}`)))
}
