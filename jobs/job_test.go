package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
)

func TestShowpiece(t *testing.T) {
	t.Parallel()
	file := func(k client.AssetKind, s jobs.FileState, path string) jobs.File {
		return jobs.File{Kind: k, State: s, Path: path}
	}
	for name, c := range map[string]struct {
		files        []jobs.File
		path, poster string
	}{
		"nothing":       {nil, "", ""},
		"not saved yet": {[]jobs.File{file(client.AssetVideo, jobs.FileFetching, "v")}, "", ""},
		"a cover before a last frame": {[]jobs.File{
			file(client.AssetLastFrame, jobs.FileSaved, "l"), file(client.AssetVideo, jobs.FileSaved, "v"), file(client.AssetCover, jobs.FileSaved, "c"),
		}, "v", "c"},
		"a last frame alone":     {[]jobs.File{file(client.AssetLastFrame, jobs.FileSaved, "l")}, "l", "l"},
		"the first of several":   {[]jobs.File{file(client.AssetImage, jobs.FileSaved, "1"), file(client.AssetImage, jobs.FileSaved, "2")}, "1", ""},
		"a failed one is no way": {[]jobs.File{file(client.AssetImage, jobs.FileFailed, "1"), file(client.AssetImage, jobs.FileSaved, "2")}, "2", ""},
	} {
		j := jobs.Job{Files: c.files}
		path, poster := j.Showpiece()
		assert.Equal(t, [2]string{c.path, c.poster}, [2]string{path, poster}, name)
	}
}

func TestCoarseStates(t *testing.T) {
	t.Parallel()
	want := map[jobs.State]string{jobs.Planned: "queued", jobs.Submitting: "queued", jobs.Refused: "failed", jobs.Lost: "failed"}
	for _, s := range jobs.States() {
		if w, ok := want[s]; ok {
			assert.Equal(t, w, s.Coarse())
		} else {
			assert.Equal(t, string(s), s.Coarse())
		}
	}
}
