package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMusicFromCreateToEnd(t *testing.T) {
	b := newBench(t)
	m := b.ok("POST", "/famN/submit/music", `{"model":"famN_music","prompt":"a slow waltz","title":"Salt","lyrics":"la la","tags":"calm","duration":2,"sampleRate":"16000","external_task_id":"j"}`)
	assert.Equal(t, "success", m["code"])
	id := m["data"].(string)
	assert.Regexp(t, `^task_[a-z2-7]{24}$`, id)

	m = b.ok("GET", "/famN/fetch/"+id, "")
	assert.Equal(t, "success", m["code"])
	assert.Equal(t, "QUEUED", at(m, "data.status"))
	assert.Nil(t, at(m, "data.data"))
	b.clock.advance(1500 * time.Millisecond)
	m = b.ok("GET", "/famN/fetch/"+id, "")
	assert.Equal(t, "IN_PROGRESS", at(m, "data.status"))
	assert.Regexp(t, `^[1-9][0-9]%$`, at(m, "data.progress"))
	b.clock.advance(3 * time.Second)
	m = b.ok("GET", "/famN/fetch/"+id, "")
	assert.Equal(t, "SUCCESS", at(m, "data.status"))
	for path, want := range map[string]any{"data.task_id": id, "data.progress": "100%", "data.data.0.title": "Salt",
		"data.data.0.text": "la la", "data.data.0.metadata.tags": "calm", "data.data.0.metadata.duration": json.Number("2"),
		"data.data.0.output_format": "wav", "data.data.0.model_name": "famN-v5.5"} {
		assert.Equal(t, want, at(m, path), path)
	}
	assert.Contains(t, at(m, "data.data.0.note"), "WAV only")

	w := b.do("GET", pathOf(t, at(m, "data.data.0.audio_url")), "")
	require.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, "audio/wav", w.Header().Get("Content-Type"))
	wav := w.Body.Bytes()
	require.Equal(t, "RIFFWAVE", string(wav[:4])+string(wav[8:12]))
	assert.EqualValues(t, 16000, binary.LittleEndian.Uint32(wav[24:]))
	assert.Equal(t, "image/png", b.do("GET", pathOf(t, at(m, "data.data.0.image_url")), "").Header().Get("Content-Type"))
}

func TestMusicPlan(t *testing.T) {
	b := newBench(t)
	plan := func(fields string) *musicPlan {
		b.ok("POST", "/famN/submit/music", `{"model":"famN_music","prompt":"a waltz"`+fields+`}`)
		return lastRecord(b).Music
	}
	p := plan("")
	assert.Equal(t, musicPlan{Engine: "famN-v5.5", Title: "a waltz", SampleRate: 32000, DurationMS: 20000, Speed: 1, Volume: 1, Note: p.Note}, *p)
	assert.Equal(t, "a waltz", plan(`,"customMode":true`).Lyrics)
	assert.Equal(t, "famP-3-pro", plan(`,"engine":"famP-3-pro"`).Engine)
	p = plan(`,"upstream_model":"famO-speech-2.8-hd","speed":"1.5","pitch":-2,"volume":2,"output_format":"wav"`)
	assert.Equal(t, [3]float64{1.5, -2, 2}, [3]float64{p.Speed, p.Pitch, p.Volume})
	assert.Contains(t, p.Note, "no speech")
	assert.NotContains(t, p.Note, "WAV")
	p = plan(`,"make_instrumental":"true","style":"jazz","genre":"bebop"`)
	assert.True(t, p.Instrumental)
	assert.Equal(t, "jazz, bebop", p.Tags)
}

func TestMusicRules(t *testing.T) {
	b := newBench(t)
	for body, says := range map[string]string{
		`{"model":"famN-v5","prompt":"x"}`:                       "famN-v5",
		`{"model":"famI-omni","prompt":"x"}`:                     "music models",
		`{"model":"famN_music","prompt":"x","sample_rate":"hi"}`: "sample_rate",
		`{"model":"famN_music","prompt":"x","sampleRate":4000}`:  "sampleRate",
		`{"model":"famN_music","prompt":"x","duration":9999}`:    "duration",
		`{"model":"famN_music","prompt":"x","speed":99}`:         "speed",
		`{"model":"famN_music","prompt":{"a":1}}`:                "prompt",
	} {
		e := b.refused(http.StatusBadRequest, "POST", "/famN/submit/music", body)
		assert.Contains(t, e.Message, says, body)
	}
}

func TestMusicFails(t *testing.T) {
	b := newBench(t)
	id := b.ok("POST", "/famN/submit/music", `{"model":"famN_music","prompt":"x [[sandbox:fail code=E1]]"}`)["data"].(string)
	b.clock.advance(time.Minute)
	m := b.ok("GET", "/famN/fetch/"+id, "")
	assert.Equal(t, "FAILURE", at(m, "data.status"))
	assert.True(t, strings.HasPrefix(at(m, "data.fail_reason").(string), "E1: "))
	assert.Nil(t, at(m, "data.data"))
}
