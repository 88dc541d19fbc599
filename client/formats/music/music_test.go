package music_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats/music"
	"darkroom/client/formattest"
)

const u = "https://example.test/"

func cases() formattest.Cases {
	song := `{"id":"a","title":"Salt","status":"complete","audio_url":"` + u + `a.mp3","image_url":"` + u + `c.png","video_url":"` + u + `v.mp4","metadata":{"prompt":"[Verse]"}}`
	return formattest.Cases{
		Creates: []formattest.Create{
			{Name: "song", Draft: client.Draft{
				Modality: client.Music, Model: "famN_music", Prompt: "rain on a tin roof", Mode: "song",
				Values: client.Values{"title": "Rain", "make_instrumental": "true"},
			}, Dropped: []string{"mode"}},
			{Name: "engine-as-model", Draft: client.Draft{Modality: client.Music, Model: "famN-v5", Prompt: "x"}, Dropped: []string{"model"}},
			{Name: "full", Draft: client.Draft{
				Modality: client.Speech, Model: "famN_music", Prompt: "hello",
				Values: client.Values{
					"upstream_model": "famO-speech-2.8-hd", "title": "t", "tags": "folk, slow", "style": "s", "genre": "g", "lyrics": "la\nla",
					"make_instrumental": false, "light_music": true, "custom_mode": true, "voice": "v-1", "output_format": "mp3",
					"sample_rate": json.Number("32000"), "speed": json.Number("1.0"), "volume": "1", "pitch": json.Number("0"),
					"extra_params": map[string]any{"voice": "v-2"},
				},
			}},
		},
		Refused: []formattest.Refused{
			{Field: "sample_rate", Draft: client.Draft{Values: client.Values{"sample_rate": "44.1k"}}},
			{Field: "speed", Draft: client.Draft{Values: client.Values{"speed": "fast"}}},
			{Field: "extra_params", Draft: client.Draft{Values: client.Values{"extra_params": []any{}}}},
		},
		Answers: []formattest.Answer{
			{Name: "created", Create: true, Body: `{"code":"success","message":"","data":"task_1"}`, ID: "task_1", Status: client.StatusQueued},
			{Name: "created as object", Create: true, Body: `{"code":200,"msg":"ok","data":{"taskId":"task_1"}}`, ID: "task_1", Status: client.StatusQueued},
			{Name: "refused", Create: true, Body: `{"code":"fail","message":"no","data":null}`, Fails: true},
			{Name: "running", Body: `{"code":"success","data":{"task_id":"task_1","id":7,"status":"IN_PROGRESS","progress":"0%","data":null}}`, ID: "task_1", Status: client.StatusRunning},
			{
				Name: "songs", Body: `{"code":"success","data":{"task_id":"task_1","status":"SUCCESS","data":[` + song + `]}}`,
				ID: "task_1", Status: client.StatusCompleted, URLs: []string{u + "a.mp3", u + "c.png", u + "v.mp4"},
			},
			{
				Name: "failed", Body: `{"code":"success","data":{"task_id":"task_1","status":"FAILURE","result_url":"declined","data":null}}`,
				ID: "task_1", Status: client.StatusFailed,
			},
			{
				Name: "songs in a string", Body: `{"code":"success","data":{"task_id":"task_1","status":"SUCCESS","data":` + quote("["+song+"]") + `}}`,
				ID: "task_1", Status: client.StatusCompleted, URLs: []string{u + "a.mp3", u + "c.png", u + "v.mp4"},
			},
			{
				Name: "sound", Body: `{"code":"success","data":{"task_id":"task_1","status":"SUCCESS","result_url":"` + u + `s.mp3","data":null}}`,
				ID: "task_1", Status: client.StatusCompleted, URLs: []string{u + "s.mp3"},
			},
		},
	}
}

func quote(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return string(raw)
}

func TestSuite(t *testing.T) { formattest.Suite(t, music.New(), cases()) }

func FuzzDecode(f *testing.F) { formattest.Fuzz(f, music.New(), cases().Answers[4].Body) }

func BenchmarkMusic(b *testing.B) { formattest.Bench(b, music.New(), cases()) }

func TestTitlesAndLyrics(t *testing.T) {
	task, err := music.New().DecodeQuery(formattest.OK(cases().Answers[4].Body))
	require.NoError(t, err)
	assert.Equal(t, "Salt", task.Title)
	assert.Equal(t, "[Verse]", task.Lyrics)
	require.Len(t, task.Assets, 3)
	assert.Equal(t, client.AssetAudio, task.Assets[0].Kind)
	assert.Equal(t, client.AssetCover, task.Assets[1].Kind)
	assert.Equal(t, client.AssetVideo, task.Assets[2].Kind)
}
