package sandbox

import (
	"bufio"
	"encoding/json"
	"fmt"
	"image/color"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func inDir(dir string) func(*Options) { return func(o *Options) { o.Dir = dir } }

// sameClock lets a second server live in the first one's time.
func sameClock(b *bench) func(*Options) { return func(o *Options) { o.Clock = b.clock.now } }

// A restart loses nothing: the state goes on, the bytes are the same, and URLs that
// were handed out still hold on another port.
func TestRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := newBench(t, inDir(dir))
	src := pictureURI(t, 32, 32, color.RGBA{0, 0, 200, 255})
	id := first.ok("POST", "/v1/videos", `{"model":"famD-1-5-pro-251215","mode":"i2v","prompt":"x",`+small+`,"image_url":"`+src+`"}`)["id"].(string)
	song := first.ok("POST", "/famN/submit/music", `{"model":"famN_music","prompt":"x","duration":1}`)["data"].(string)
	img := first.ok("POST", "/v1/images/generations", `{"model":"famL","prompt":"x","aspect_ratio":"8:1"}`)
	first.clock.advance(2 * time.Second)
	before := first.ok("GET", "/v1/videos/"+id, "")
	require.Equal(t, "in_progress", before["status"])
	imgBytes := first.do("GET", pathOf(t, at(img, "data.0.url")), "").Body.Bytes()
	require.NoError(t, first.s.Close())

	second := newBench(t, inDir(dir), sameClock(first))
	assert.Equal(t, before, second.ok("GET", "/v1/videos/"+id, ""))
	first.clock.advance(time.Minute)
	m := second.ok("GET", "/v1/videos/"+id, "")
	require.Equal(t, "completed", m["status"])
	video := second.do("GET", pathOf(t, m["video_url"]), "").Body.Bytes()
	assert.Equal(t, "SUCCESS", at(second.ok("GET", "/famN/fetch/"+song, ""), "data.status"))
	assert.Equal(t, imgBytes, second.do("GET", pathOf(t, at(img, "data.0.url")), "").Body.Bytes())
	assert.EqualValues(t, 3, second.s.Creates())
	require.NoError(t, second.s.Close())

	// Without its media a third server makes the same bytes again.
	require.NoError(t, os.RemoveAll(filepath.Join(dir, mediaDir)))
	third := newBench(t, inDir(dir), sameClock(first))
	assert.Equal(t, video, third.do("GET", pathOf(t, m["video_url"]), "").Body.Bytes())
	assert.Equal(t, imgBytes, third.do("GET", pathOf(t, at(img, "data.0.url")), "").Body.Bytes())
	assert.EqualValues(t, 3, third.s.Creates())
}

// Two servers that share a folder see each other's tasks and count together.
func TestTwoServersShareAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := newBench(t, inDir(dir))
	b := newBench(t, inDir(dir), sameClock(a))
	var wg sync.WaitGroup
	ids := make(chan string, 20)
	for i := range 20 {
		wg.Go(func() {
			ids <- []*bench{a, b}[i%2].ok("POST", "/v1/videos", t2v+"}")["id"].(string)
		})
	}
	wg.Wait()
	close(ids)
	for id := range ids {
		a.ok("GET", "/v1/videos/"+id, "")
		b.ok("GET", "/v1/videos/"+id, "")
	}
	assert.EqualValues(t, 20, a.s.Creates())
	assert.EqualValues(t, 20, b.s.Creates())
}

// The log of creates proves what was accepted, by our caller's own id.
func TestCreatesLog(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, inDir(dir), instant)
	for i := range 3 {
		b.ok("POST", "/v1/videos", fmt.Sprintf(`%s,"external_task_id":"job-%d"}`, t2v, i))
	}
	b.refused(http.StatusBadRequest, "POST", "/v1/videos", `{}`)
	b.ok("POST", "/v1/images/generations", `{"model":"famL","prompt":"x","external_task_id":"job-3"}`)
	f, err := os.Open(filepath.Join(dir, createsLog))
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	var got []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var c created
		require.NoError(t, json.Unmarshal(sc.Bytes(), &c))
		_, err := os.Stat(filepath.Join(dir, tasksDir, c.ID+".json"))
		require.NoError(t, err)
		got = append(got, c.ExternalID)
	}
	assert.Equal(t, []string{"job-0", "job-1", "job-2", "job-3"}, got)
	m := b.ok("GET", "/_sandbox/stats", "")
	assert.Equal(t, json.Number("4"), m["creates"])
}

func TestFolderIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "sandbox")
	b := newBench(t, inDir(dir))
	m := b.video(`{"model":"famA3","prompt":"x",` + small + `}`)
	require.Equal(t, http.StatusOK, b.do("GET", pathOf(t, m["video_url"]), "").Code)
	files := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		fi, err := d.Info()
		require.NoError(t, err)
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		} else {
			files++
			assert.NotContains(t, path, ".part-")
		}
		assert.Equal(t, want, fi.Mode().Perm(), path)
		return nil
	}))
	assert.Equal(t, 6, files, "log, mark of the last look, task, and three files of the video")
}

// A damaged or foreign record is no task, and breaks nothing.
func TestDamagedRecords(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, inDir(dir))
	for name, body := range map[string]string{
		"video_aaaaaaaaaa": "", "video_bbbbbbbbbb": "{", "video_cccccccccc": `{"v":1,"id":"video_other","kind":"video","video":{}}`,
		"video_dddddddddd": `{"v":1,"id":"video_dddddddddd","kind":"video"}`, "video_eeeeeeeeee": `{"v":9,"id":"video_eeeeeeeeee","kind":"video","video":{}}`,
		"task_ffffffffff": `{"v":1,"id":"task_ffffffffff","kind":"video","music":{}}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, tasksDir, name+".json"), []byte(body), 0o600))
		b.refused(http.StatusNotFound, "GET", "/v1/videos/"+name, "")
		b.refused(http.StatusNotFound, "GET", "/famN/fetch/"+name, "")
	}
}

// A create whose task cannot be kept is no create: it is answered with 500.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, inDir(dir))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, tasksDir)))
	e := b.refused(http.StatusInternalServerError, "POST", "/v1/videos", t2v+"}")
	assert.Contains(t, e.Message, "could not be kept")
	assert.NotContains(t, e.Message, dir)
}

func TestFolderThatIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	_, err := New(Options{Dir: path})
	require.ErrorContains(t, err, "state folder")
}

func TestIDs(t *testing.T) {
	for id, want := range map[string]bool{
		"video_abcdefgh": true, "task_abcdefgh234": true, "img_abcdefgh": true, "resp_abcdefgh": true,
		"cgt-20260301120000-abcdefgh": true, "100000000000000000": true, "cgt-2026-abcdefgh": false, "cgt-20260301120000": false,
		"cgt-20260301120000-abc-defgh": false, "cgt-20260301120000-../..": false, "10000000000000000": false, "1000000000000000000": false,
		"": false, "video_": false, "video_abc": false, "other_abcdefgh": false, "video_abcdefg/": false, "video_../../../x": false,
		"video_ABCDEFGH": false, "video_abcdefgh.": false, "abcdefghijkl": false, "video_" + strings.Repeat("a", 80): false,
	} {
		assert.Equal(t, want, validID(id), id)
	}
}

// Tasks of every format, their scripts included, live through a restart.
func TestRestartKeepsFormatsAndScripts(t *testing.T) {
	dir := t.TempDir()
	first := newBench(t, inDir(dir))
	content := first.ok("POST", contentPath, `{"model":"famI-omni","prompt":"x [[sandbox:fail code=E1]] [[sandbox:types]]"}`)["id"].(string)
	ent := first.ok("POST", entPath, `{"model":"famJq3-turbo","prompt":"x [[sandbox:500 on=query times=1]]","payload":"mine","duration":1,"fps":1}`)["task_id"].(string)
	require.NoError(t, first.s.Close())
	first.clock.advance(time.Minute)
	second := newBench(t, inDir(dir), sameClock(first))
	m := second.ok("GET", contentPath+"/"+content, "")
	assert.Equal(t, "E1", at(m, "error.code"))
	assert.Equal(t, "1772366400", m["created_at"])
	second.refused(http.StatusInternalServerError, "GET", entQuery(ent), "")
	m = second.ok("GET", entQuery(ent), "")
	assert.Equal(t, "mine", m["payload"])
	assert.Equal(t, http.StatusOK, second.do("HEAD", pathOf(t, at(m, "creations.0.cover_url")), "").Code)
}

// Ten thousand tasks live side by side, each in its own state and format.
func TestTenThousandTasks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	formats := []string{"", formatContent, formatEnt}
	models := []string{"famK-3.0", "famI-omni", "famJq3-turbo"}
	ids := make([]string, 10_000)
	for i := range ids {
		r := &record{Version: recordVersion, Kind: kindVideo, Format: formats[i%3], Model: models[i%3], Token: "x",
			Video: &videoPlan{Width: 64, Height: 64, FPS: 1, DurationMS: 1000}, CreatedMS: b.clock.now().UnixMilli(),
			QueueMS: int64(i), RunMS: 5000}
		var err error
		r.ID, err = r.newID(b.s.random, b.clock.now())
		require.NoError(t, err)
		require.NoError(t, b.s.store.put(r))
		ids[i] = r.ID
	}
	b.clock.advance(7500 * time.Millisecond)
	fields := []string{"task_status", "status", "state"}
	for i, id := range ids {
		path := queryPaths(id)[[]string{formatTasks, formatContent, formatEnt}[i%3]]
		want := []string{"SUCCEEDED", "succeeded", "success"}
		switch {
		case i > 7500:
			want = []string{"PENDING", "queued", "queueing"}
		case i > 2500:
			want = []string{"RUNNING", "running", "processing"}
		}
		text := b.do("GET", path, "").Body.String()
		if !strings.Contains(text, `"`+fields[i%3]+`":"`+want[i%3]+`"`) {
			t.Fatalf("task %d is not %s: %s", i, want[i%3], text)
		}
	}
}
