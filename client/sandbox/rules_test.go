package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/mediainfo"
)

func withRules(rules string, more ...func(*Options)) func(*Options) {
	return func(o *Options) {
		o.Fault = rules
		for _, f := range more {
			f(o)
		}
	}
}

// film makes a small video and returns its id.
func (b *bench) film(model, prompt string) string {
	b.t.Helper()
	return b.ok(http.MethodPost, "/v1/videos", `{"model":"`+model+`","mode":"t2v","prompt":`+strconv.Quote(prompt)+`,`+small+`}`)["id"].(string)
}

// named makes it under a name of the caller's.
func (b *bench) named(model, prompt, name string) string {
	b.t.Helper()
	return b.ok(http.MethodPost, "/v1/videos", `{"model":"`+model+`","mode":"t2v","prompt":`+strconv.Quote(prompt)+`,"external_task_id":"`+name+`",`+small+`}`)["id"].(string)
}

// phasesOf returns how long the phases of a task take.
func (b *bench) phasesOf(id string) (queue, run time.Duration) {
	r := b.s.store.get(id, kindVideo)
	require.NotNil(b.t, r)
	return time.Duration(r.QueueMS) * time.Millisecond, time.Duration(r.RunMS) * time.Millisecond
}

func TestModelsHaveATimingOfTheirOwn(t *testing.T) {
	b := newBench(t, withRules("take queue=2 run=10; slow by=3 model=famB*; take run=1 model=famC*"))
	took := func(model, prompt string) []time.Duration {
		q, r := b.phasesOf(b.film(model, prompt))
		return []time.Duration{q, r}
	}
	assert.Equal(t, []time.Duration{2 * time.Second, 10 * time.Second}, took("famA3", "a kite"))
	assert.Equal(t, []time.Duration{6 * time.Second, 30 * time.Second}, took("famB-2", "a kite"))
	assert.Equal(t, []time.Duration{2 * time.Second, time.Second}, took("famC-1.0", "a kite"))
	assert.Equal(t, []time.Duration{1 * time.Second, 5 * time.Second}, took("famA3", "a kite [[sandbox:slow by=0.5 model=famA*]]"), "and in a prompt that several models get")
	assert.Equal(t, []time.Duration{6 * time.Second, 30 * time.Second}, took("famB-2", "a kite [[sandbox:slow by=0.5 model=famA*]]"))
}

// Equal requests differ with spread, the same way in each run, and drift with the tasks before them and
// with the clock alone.
func TestEqualRequestsSpreadAndDrift(t *testing.T) {
	totals := func(rules string, between time.Duration) []time.Duration {
		b := newBench(t, withRules(rules, func(o *Options) { o.Seed = 5 }))
		var out []time.Duration
		for range 6 {
			q, r := b.phasesOf(b.film("famA3", "a kite"))
			out = append(out, q+r)
			b.film("famB-2", "another")
			b.clock.advance(between)
		}
		return out
	}
	plain := totals("", 0)
	for _, d := range plain {
		assert.Equal(t, plain[0], d)
	}
	spread := totals("spread by=0.5", 0)
	assert.Equal(t, spread, totals("spread by=0.5", time.Minute), "the clock has no part in it")
	for i, d := range spread {
		assert.NotContains(t, spread[:i], d)
		assert.InDelta(t, 4*time.Second, d, float64(2*time.Second))
	}
	b := newBench(t, withRules("spread by=0.5", func(o *Options) { o.Seed = 5 }))
	for i, want := range spread {
		q, r := b.phasesOf(b.named("famA3", "a kite", "name "+strconv.Itoa(i)))
		assert.Equal(t, want, q+r, "nor has the name that the caller gives")
	}
	tasks := totals("spread by=0; drift by=2 tasks=2 model=famA*", 0)
	assert.Equal(t, []time.Duration{4 * time.Second, 8 * time.Second, 16 * time.Second}, []time.Duration{tasks[0], tasks[2], tasks[4]})
	hours := totals("spread by=0; drift by=4 hours=1", 30*time.Minute)
	assert.Equal(t, []time.Duration{4 * time.Second, 8 * time.Second, 16 * time.Second}, hours[:3])
}

func TestModelsFailAtTheirRate(t *testing.T) {
	const n = 200
	b := newBench(t, withRules("fail code=BUSY rate=0.3 model=famC*; 503 rate=0.2 model=famB-2", func(o *Options) { o.Timing = Instant }))
	var ids []string
	for range n {
		ids = append(ids, b.film("famC-1.0", "a kite"), b.film("famA3", "a kite"))
	}
	b.clock.advance(time.Second)
	failed := map[string]int{}
	for _, id := range ids {
		if m := b.ok(http.MethodGet, "/v1/videos/"+id, ""); m["status"] == "failed" {
			failed[m["model"].(string)]++
			assert.Equal(t, "BUSY", at(m, "error.code"))
		}
	}
	assert.InDelta(t, 0.3*n, failed["famC-1.0"], 26) // four standard errors
	assert.Zero(t, failed["famA3"])
	refused := 0
	for range n {
		if b.do(http.MethodPost, "/v1/videos", `{"model":"famB-2","mode":"t2v","prompt":"a kite",`+small+`}`).Code == http.StatusServiceUnavailable {
			refused++
		}
	}
	assert.InDelta(t, 0.2*n, refused, 23, "an equal request draws anew")

	chat := `{"model":"nova","messages":[{"role":"user","content":"hello [[sandbox:fail code=BUSY model=no* rate=1]]"}]}`
	assert.Equal(t, "BUSY", b.refused(http.StatusBadRequest, http.MethodPost, "/v1/chat/completions", chat).Code)
	b.ok(http.MethodPost, "/v1/chat/completions", strings.Replace(chat, "no*", "x*", 1))
}

// What is delivered is in the file; the answer tells it, or what was asked for.
func TestModelsDeliverSomethingElse(t *testing.T) {
	b := newBench(t, withRules("deliver size=50% duration=200% fps=5 model=famB-2; deliver size=50% duration=200% fps=5 claim=asked model=famC-1.0", func(o *Options) { o.Timing = Instant }))
	made := func(model string) (claim map[string]any, file mediainfo.Info) {
		id := b.film(model, "a kite")
		b.clock.advance(time.Second)
		m := b.ok(http.MethodGet, "/v1/videos/"+id, "")
		claim, _ = m["metadata"].(map[string]any)
		require.NotNil(t, claim, "%v", m)
		return claim, infoOf(t, b, pathOf(t, m["video_url"]), "video.mp4")
	}
	claim, file := made("famA3")
	assert.Equal(t, []any{"1", "2", "256", "144"}, texts(claim, "duration", "fps", "width", "height"))
	assert.Equal(t, []any{time.Second, 256, 144}, []any{file.Duration, file.Width, file.Height})
	claim, file = made("famB-2")
	assert.Equal(t, []any{"2", "5", "128", "72"}, texts(claim, "duration", "fps", "width", "height"))
	assert.NotContains(t, claim, "scaled_from", "it does not pass for a small copy")
	assert.Equal(t, []any{2 * time.Second, 128, 72}, []any{file.Duration, file.Width, file.Height})
	claim, file = made("famC-1.0")
	assert.Equal(t, []any{"1", "2", "256", "144"}, texts(claim, "duration", "fps", "width", "height"))
	assert.Equal(t, []any{2 * time.Second, 128, 72}, []any{file.Duration, file.Width, file.Height})
	assert.InDelta(t, 5, file.FPS, 0.01)
}

func TestSongsAndPicturesAreDeliveredOtherwise(t *testing.T) {
	b := newBench(t, withRules("deliver size=100x60 duration=2 sample-rate=50% channels=1 claim=asked", func(o *Options) { o.Timing = Instant }))
	var env struct{ Data string }
	w := b.do(http.MethodPost, "/famN/submit/music", `{"model":"famN_music","prompt":"a tune","duration":3,"sample_rate":16000}`)
	require.Equal(t, http.StatusOK, w.Code, "%s", w.Body)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &env))
	b.clock.advance(time.Second)
	song := b.ok(http.MethodGet, "/famN/fetch/"+env.Data, "")
	assert.Equal(t, []any{"3", "16000"}, texts(at(song, "data.data.0.metadata").(map[string]any), "duration", "sample_rate"))
	wav := b.do(http.MethodGet, pathOf(t, at(song, "data.data.0.audio_url")), "").Body.Bytes()
	le := binary.LittleEndian
	assert.Equal(t, []int{1, 8000, 2 * 8000 * 2}, []int{int(le.Uint16(wav[22:])), int(le.Uint32(wav[24:])), int(le.Uint32(wav[40:]))}, "channels, rate, bytes of two seconds")

	picture := b.ok(http.MethodPost, "/v1/images/generations", `{"model":"famL","prompt":"a fox","size":"1024x1024"}`)
	file := infoOf(t, b, pathOf(t, at(picture, "data.0.url")), "fox.png")
	assert.Equal(t, []int{100, 60}, []int{file.Width, file.Height})
}

// A result that a cache lost is made again as it was delivered, also by a server without the rules.
func TestARestartDeliversTheSame(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, withRules("deliver size=50% claim=asked", func(o *Options) { o.Dir, o.Timing = dir, Instant }))
	id := b.film("famA3", "a kite")
	require.NoError(t, b.s.Close())
	again := newBench(t, func(o *Options) { o.Dir, o.Timing = dir, Instant })
	again.clock.advance(time.Second)
	m := again.ok(http.MethodGet, "/v1/videos/"+id, "")
	assert.Equal(t, "256", texts(m["metadata"].(map[string]any), "width")[0])
	assert.Equal(t, 128, infoOf(t, again, pathOf(t, m["video_url"]), "video.mp4").Width)
}

func TestMisspelledModelsOfRulesAreNamed(t *testing.T) {
	known := []string{"famA3", "famB-2"}
	assert.Equal(t, []string{"famZ*"}, FaultModels("slow; fail rate=0.5; slow model=fam[AB]*; take run=1 model=famZ*", known))
	assert.Empty(t, FaultModels("nope", known))
}

func infoOf(t *testing.T, b *bench, path, name string) mediainfo.Info {
	t.Helper()
	w := b.do(http.MethodGet, path, "")
	require.Equal(t, http.StatusOK, w.Code)
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, w.Body.Bytes(), 0o600))
	info, err := mediainfo.Read(t.Context(), file)
	require.NoError(t, err)
	return info
}
