package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/client/catalog/catalogtest"
	"darkroom/jobs"
	"darkroom/jobs/compare"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func between(s compare.Source, least, most time.Duration) compare.Interval {
	return compare.Interval{Source: s, Least: least, Most: most}
}

// TestTheNarrowerClockIsTold: what the gateway stamps in whole seconds says less than close polls.
func TestTheNarrowerClockIsTold(t *testing.T) {
	polls := between(compare.Polled, 4*time.Second, 4500*time.Millisecond)
	seconds := between(compare.Stamped, 3*time.Second, 5*time.Second)
	millis := between(compare.Stamped, 4100*time.Millisecond, 4100*time.Millisecond)
	for _, c := range []struct {
		name string
		of   compare.Latency
		want string
	}{
		{"nothing", compare.Latency{}, ""},
		{"polls alone", compare.Latency{Total: polls}, "4.0–4.5 s"},
		{"stamps of seconds", compare.Latency{Total: polls, GatewayTotal: seconds}, "4.0–4.5 s"},
		{"stamps of milliseconds", compare.Latency{Total: polls, GatewayTotal: millis}, "4.1 s gw"},
		{"stamps alone", compare.Latency{GatewayTotal: seconds}, "3.0–5.0 s gw"},
	} {
		assert.Equal(t, c.want, Took(&c.of), c.name)
	}
}

func TestFaces(t *testing.T) {
	cell := &compare.Cell{Number: 1}
	trial := func(change func(*compare.Trial)) *compare.Trial {
		x := &compare.Trial{Attempt: 1, Outcome: compare.Outcome{State: jobs.Completed, Progress: -1, SentAt: now.Add(-12 * time.Second)}}
		change(x)
		return x
	}
	for _, c := range []struct {
		name  string
		cell  *compare.Cell
		trial *compare.Trial
		want  Face
	}{
		{"no cell", nil, nil, Face{Share: -1}},
		{"cannot", &compare.Cell{Cannot: "has no mode"}, nil, Face{State: "none", Text: "cannot run", Share: -1}},
		{"not sent", cell, nil, Face{State: "none", Text: "not sent", Share: -1}},
		{"completed", cell, trial(func(*compare.Trial) {}), Face{State: "completed", Text: "completed", Share: -1}},
		{"queued", cell, trial(func(x *compare.Trial) { x.State = jobs.Queued }), Face{State: "queued", Text: "12 s", Share: -1, Moving: true}},
		{"running", cell, trial(func(x *compare.Trial) { x.State, x.Progress = jobs.Running, 40 }), Face{State: "running", Text: "12 s", Share: 0.4, Moving: true}},
		{"failed", cell, trial(func(x *compare.Trial) { x.State, x.Message = jobs.Failed, "no\x1b[2J" }), Face{State: "failed", Text: "no␛[2J", Share: -1}},
		{"timed out", cell, trial(func(x *compare.Trial) {
			x.State, x.TimedOut, x.Latency.Total = jobs.Running, true, compare.Interval{Source: compare.Polled, Least: time.Minute, Open: true}
		}), Face{State: "failed", Text: "timed out over 1 m 00 s", Share: -1}},
		{"all badges", cell, trial(func(x *compare.Trial) {
			x.Attempt, x.Facts, x.Checks = 2, []compare.Property{{Verdict: compare.Fail}}, []compare.Check{{Verdict: compare.Fail}}
		}), Face{State: "completed", Text: "completed", Share: -1, Badge: "↻≠!"}},
		{"lost", cell, trial(func(x *compare.Trial) { x.State = jobs.Lost }), Face{State: "failed", Text: "lost", Share: -1}},
	} {
		assert.Equal(t, c.want, FaceOf(c.cell, c.trial, now), c.name)
	}
}

// TestOnlyOwnFilesAreShown: paths that this installation has not saved stay texts.
func TestOnlyOwnFilesAreShown(t *testing.T) {
	o := compare.Outcome{Files: []compare.File{
		{Path: "/elsewhere/v.mp4", Kind: client.AssetVideo}, {Path: "/c.png", Kind: client.AssetCover, Here: true}, {Path: "/a.wav", Kind: client.AssetAudio, Here: true},
	}}
	path, poster, kind := Showpiece(&o)
	assert.Equal(t, []string{"/a.wav", "/c.png", "audio"}, []string{path, poster, string(kind)})
	o.Files = o.Files[:1]
	path, poster, _ = Showpiece(&o)
	assert.Empty(t, path+poster)
}

func TestNamesOfPropertiesHaveTheirUnits(t *testing.T) {
	var plain Names
	assert.Equal(t, "Sample rate, Hz", plain.Property(client.Music, &compare.Property{Field: "sample_rate", Unit: "Hz"}))
	assert.Equal(t, "Frame rate, fps", plain.Property(client.Video, &compare.Property{Field: "fps", Unit: "fps"}))
	assert.Equal(t, "Codec", plain.Property(client.Video, &compare.Property{Field: "codec"}))
	assert.Equal(t, "–", Fact(compare.Fact{Text: "5"}))
	assert.Equal(t, "5", Fact(compare.Fact{Text: "5", Known: true}))
}

// TestNamesAreThoseOfTheForm: never a name of the wire where the form has a label.
func TestNamesAreThoseOfTheForm(t *testing.T) {
	n := Names{Catalog: catalogtest.Catalog(t)}
	assert.Equal(t, "Ratio", n.Property(client.Video, &compare.Property{Field: "aspect_ratio"}))
	assert.Equal(t, "Duration, s", n.Property(client.Video, &compare.Property{Field: "duration", Unit: "s"}))
	assert.Equal(t, "Results", n.Property(client.Image, &compare.Property{Field: "n"}))
	assert.Equal(t, "text to video", n.Mode(client.Video, "famA3", "t2v"))
	assert.Equal(t, "t9v", n.Mode(client.Video, "famA3", "t9v"), "what nobody labelled")
	c := compare.Cell{Draft: client.Draft{Modality: client.Video}, Settings: []compare.Setting{{Field: "aspect_ratio", Value: "16:9"}, {Field: "resolution"}}}
	assert.Equal(t, "Ratio 16:9 · Resolution auto", n.Settings(&c))
}
