package chain_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/jobs"
	"darkroom/jobs/chain"
)

func done(assets []client.Asset, files ...jobs.File) *jobs.Job {
	return &jobs.Job{ID: "j", State: jobs.Completed, TaskID: "task-1", Assets: assets, Files: files}
}

func TestTake(t *testing.T) {
	video := client.Asset{Kind: client.AssetVideo, URL: "https://media.invalid/v.mp4"}
	frame := client.Asset{Kind: client.AssetLastFrame, URL: "https://media.invalid/f.png"}
	image := client.Asset{Kind: client.AssetImage, URL: "https://media.invalid/i.png"}
	audio := client.Asset{Kind: client.AssetAudio, URL: "https://media.invalid/a.mp3"}
	saved := jobs.File{Kind: client.AssetVideo, State: jobs.FileSaved, Path: "/v.mp4"}
	for name, x := range map[string]struct {
		job  *jobs.Job
		use  chain.Use
		want chain.Material
		err  string
	}{
		"reference":               {done([]client.Asset{video}), chain.Reference, chain.Material{Kind: "video", URL: video.URL}, ""},
		"reference that is saved": {done([]client.Asset{video}, saved), chain.Reference, chain.Material{Kind: "video", URL: video.URL, Path: "/v.mp4"}, ""},
		"a sound":                 {done([]client.Asset{audio}), chain.Reference, chain.Material{Kind: "audio", URL: audio.URL}, ""},
		"last frame of the task":  {done([]client.Asset{video, frame}, saved), chain.I2V, chain.Material{Kind: "image", URL: frame.URL}, ""},
		"last frame of the file":  {done([]client.Asset{video}, saved), chain.I2V, chain.Material{Kind: "image", Video: "/v.mp4"}, ""},
		"no last frame":           {done([]client.Asset{video}), chain.I2V, chain.Material{}, "download it first"},
		"a picture":               {done([]client.Asset{image}), chain.I2V, chain.Material{Kind: "image", URL: image.URL}, ""},
		"a sound has none":        {done([]client.Asset{audio}), chain.I2V, chain.Material{}, "a sound has no picture"},
		"extend":                  {done([]client.Asset{video}), chain.Extend, chain.Material{ID: "task-1"}, ""},
		"extend a picture":        {done([]client.Asset{image}), chain.Extend, chain.Material{}, "only a video can be extended; the result of this job is a picture"},
		"edit a sound":            {done([]client.Asset{audio}), chain.Edit, chain.Material{}, "no editing of sounds"},
		"words":                   {done(nil), chain.Reference, chain.Material{}, "no picture, video or sound"},
		"content path only":       {done([]client.Asset{{Kind: client.AssetVideo, URL: "https://gw.invalid/c", Content: true}}), chain.Reference, chain.Material{}, "download it first"},
		"a hostile address":       {done([]client.Asset{{Kind: client.AssetImage, URL: "javascript:alert(1)"}}), chain.Edit, chain.Material{}, "download it first"},
		"running":                 {&jobs.Job{State: jobs.Running}, chain.Reference, chain.Material{}, "this one is running"},
	} {
		got, err := chain.Take(x.job, x.use)
		if x.err != "" {
			assert.ErrorContains(t, err, x.err, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, x.want, got, name)
	}
}

type frames func(string) (string, error)

func (f frames) LastFrame(_ context.Context, video string) (string, error) { return f(video) }

func TestResolve(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "ein bild 塩.png")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	ok := frames(func(v string) (string, error) { return v + ".png", nil })
	bad := frames(func(string) (string, error) { return "", errors.New("no stream") })
	for name, x := range map[string]struct {
		m      chain.Material
		frames chain.Frames
		want   string
		err    string
	}{
		"file":              {chain.Material{Path: file, URL: "https://x.invalid/a"}, nil, client.FileURL(file), ""},
		"file that is gone": {chain.Material{Path: file + "x", URL: "https://x.invalid/a"}, nil, "https://x.invalid/a", ""},
		"gone, no address":  {chain.Material{Path: file + "x"}, nil, "", "no such file"},
		"a folder":          {chain.Material{Path: dir}, nil, "", "is not a file"},
		"id":                {chain.Material{ID: "task"}, nil, "task", ""},
		"frame":             {chain.Material{Video: file}, ok, client.FileURL(file + ".png"), ""},
		"frame fails":       {chain.Material{Video: file}, bad, "", "no stream"},
		"no ffmpeg":         {chain.Material{Video: file}, nil, "", "needs ffmpeg"},
		"video gone":        {chain.Material{Video: file + "x"}, ok, "", "the video is gone"},
	} {
		got, err := chain.Resolve(t.Context(), x.m, x.frames)
		if x.err != "" {
			assert.ErrorContains(t, err, x.err, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, x.want, got, name)
	}
}

func load(t *testing.T) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Embedded()
	require.NoError(t, err)
	return c
}

func TestOf(t *testing.T) {
	c := load(t)
	video := func(model, mode string) client.Draft {
		return client.Draft{Modality: client.Video, Model: model, Mode: mode}
	}
	image := func(model string) client.Draft { return client.Draft{Modality: client.Image, Model: model} }
	with := func(d client.Draft, name string, v any) client.Draft {
		d.Values = client.Values{name: v}
		return d
	}
	for name, x := range map[string]struct {
		d          client.Draft
		use        chain.Use
		kind       string
		mode, into string // into "" is: it does not serve
	}{
		"i2v":                       {video("famA3", "t2v"), chain.I2V, "image", "i2v", "image"},
		"i2v of a list":             {video("famH-2.3", "i2v"), chain.I2V, "image", "i2v", "images"},
		"i2v of famJ":               {video("famJq3-turbo", "t2v"), chain.I2V, "image", "i2v", "images"},
		"i2v of famF":               {video("famF-video", "t2v"), chain.I2V, "image", "i2v", "image"},
		"i2v of an i2v":             {with(video("famA3", "i2v"), "image", "https://a.invalid/1"), chain.I2V, "image", "i2v", "image"},
		"no i2v":                    {video("famI-omni", "t2v"), chain.I2V, "image", "", ""},
		"extend":                    {video("famF-video", "t2v"), chain.Extend, "", "extend", "video_id"},
		"nothing to extend with":    {video("famA3", "t2v"), chain.Extend, "", "", ""},
		"edit":                      {video("famI-omni", "t2v"), chain.Edit, "video", "edit", "videos"},
		"edit of famC":              {video("famC-1.0", "t2v"), chain.Edit, "video", "video_edit", "videos"},
		"edit a picture":            {image("famL"), chain.Edit, "image", "", "image"},
		"famM has no editing":       {image("famM-4-0-250828"), chain.Edit, "image", "", ""},
		"try-on is no editing":      {image("famF-virtual-try-on-v1"), chain.Edit, "image", "", ""},
		"a video is no picture":     {image("famL"), chain.Edit, "video", "", ""},
		"reference in its own mode": {video("famA3", "i2v"), chain.Reference, "image", "i2v", "image"},
		"beside the first image":    {with(video("famA3", "i2v"), "image", "https://a.invalid/1"), chain.Reference, "image", "i2v", "images"},
		"reference of t2v":          {video("famI-omni", "t2v"), chain.Reference, "image", "r2v", "reference_images"},
		"a sound":                   {video("famA3", "reference_material"), chain.Reference, "audio", "reference_material", "audios"},
		"a video":                   {video("famA3", "reference_material"), chain.Reference, "video", "reference_material", "videos"},
		"a picture for a picture":   {image("famL-2"), chain.Reference, "image", "", "image"},
		"the second picture":        {with(image("famL-2"), "image", "https://a.invalid/1"), chain.Reference, "image", "", "images"},
		"a video for t2v":           {video("famA3", "t2v"), chain.Reference, "video", "reference_material", "videos"},
		"a picture for t2v":         {video("famA3", "t2v"), chain.Reference, "image", "reference_images", "reference_images"},
		"no mode":                   {video("famA3", ""), chain.Reference, "image", "", "images"},
		"a mode that it satisfies":  {with(video("famH-2.3", "i2v"), "images", []any{"https://a.invalid/1"}), chain.Reference, "video", "reference_material", "videos"},
		"or that lacks less":        {video("famH-2.3", "i2v"), chain.Reference, "audio", "reference_material", "audios"},
		"of a mode that is gone":    {video("famH-2.3", "t2v"), chain.Reference, "image", "reference_material", "images"},
		"only content":              {video("famG-h3", "reference_material"), chain.Reference, "video", "reference_material", "content"},
		"unknown model":             {video("nope", "t2v"), chain.I2V, "image", "", ""},
	} {
		got, ok := chain.Of(c, x.d, x.use, x.kind)
		require.Equal(t, x.into != "", ok, "%s: %+v", name, got)
		assert.Equal(t, x.into, got.Field, name)
		if ok {
			assert.Equal(t, x.mode, got.Mode, name)
		}
	}
	for _, x := range chain.Targets(c, chain.Extend, "") {
		assert.Equal(t, "famF-video", x.Model)
		assert.NotEmpty(t, x.ModelName)
	}
	assert.NotEmpty(t, chain.Targets(c, chain.I2V, "image"))
}

// Whatever target is offered, the draft that goes on meets the rules of the catalog, but for a
// size or the like that the mode wants besides.
func TestNextMeetsTheRules(t *testing.T) {
	c := load(t)
	for _, x := range []struct {
		use       chain.Use
		kind, ref string
	}{{chain.I2V, "image", "https://x.invalid/a.png"}, {chain.Extend, "", "task-1"}, {chain.Edit, "video", "https://x.invalid/a.mp4"}, {chain.Edit, "image", "https://x.invalid/a.png"}} {
		for _, target := range chain.Targets(c, x.use, x.kind) {
			from := client.Draft{Modality: target.Modality, Model: target.Model, Prompt: "kite",
				Values: client.Values{"image": "https://old.invalid/1", "content": []any{}, "video_id": "old", "aspect_ratio": "16:9"}}
			d := chain.Next(c, from, target, x.use, x.kind, x.ref, "parent")
			require.Equal(t, []client.Parent{{Job: "parent", As: string(x.use), Ref: x.ref}}, d.Descent(), "%+v", target)
			assert.Equal(t, "16:9", d.Values["aspect_ratio"])
			for _, p := range c.Check(d) {
				if p.Severity == catalog.Block {
					assert.Failf(t, "blocked", "%+v: %s", target, p.Message)
				}
				assert.NotContains(t, p.Value, "old", "what belonged to the other request is gone")
			}
		}
	}
}

func TestPutContent(t *testing.T) {
	c := load(t)
	f, ok := c.Field(client.Video, "content")
	require.True(t, ok)
	before := []any{map[string]any{"type": "text", "text": "x"}}
	got := chain.Put(f, before, chain.Reference, "video", "https://x.invalid/v")
	require.Len(t, before, 1)
	assert.Equal(t, []any{before[0], map[string]any{"type": "video_url", "video_url": map[string]any{"url": "https://x.invalid/v"}, "role": "reference_video"}}, got)
	got = chain.Put(f, nil, chain.I2V, "image", "r")
	assert.Equal(t, "first_frame", got.([]any)[0].(map[string]any)["role"])
}

func TestParseUse(t *testing.T) {
	u, err := chain.ParseUse("i2v")
	require.NoError(t, err)
	assert.Equal(t, chain.I2V, u)
	_, err = chain.ParseUse("x\x1b[31m")
	require.ErrorContains(t, err, "reference, i2v, extend, edit")
	assert.False(t, strings.Contains(err.Error(), "\x1b"))
}

// TestNextOfACutDraft: what goes on from a draft that was not read whole is not whole either.
func TestNextOfACutDraft(t *testing.T) {
	d := chain.Next(load(t), client.Draft{Modality: client.Video, Cut: true}, chain.Target{Modality: client.Video}, chain.Reference, "image", "x", "")
	assert.True(t, d.Cut)
}

// TestNoRequestOfSomebodyElse: the result of an observed job serves as a reference, and its request,
// which nobody knows, is not gone on with.
func TestNoRequestOfSomebodyElse(t *testing.T) {
	t.Parallel()
	j := &jobs.Job{State: jobs.Completed, Observed: true, TaskID: "t", Assets: []client.Asset{{Kind: client.AssetVideo, URL: "https://h/a.mp4"}}}
	for _, use := range []chain.Use{chain.Extend, chain.I2V, chain.Edit} {
		_, err := chain.Take(j, use)
		require.ErrorIs(t, err, jobs.ErrState, use)
	}
	_, err := chain.Take(j, chain.Reference)
	require.NoError(t, err)
}
