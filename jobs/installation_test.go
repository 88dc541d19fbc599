package jobs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

func drafted(values client.Values) jobs.Job {
	return jobs.Job{ID: "0190-a", Profile: "p", Draft: client.Draft{Modality: client.Video, Model: "m", Values: values}}
}

// TestProofCoversLocalFiles: whatever another person changes of a row that leads to a file of
// this machine breaks the proof.
func TestProofCoversLocalFiles(t *testing.T) {
	t.Parallel()
	me := jobs.NewInstallation()
	nested := func(ref string) client.Values {
		return client.Values{"image": "file:///home/a/kite.png", "content": []any{map[string]any{"image_url": map[string]any{"url": ref}}}}
	}
	j := drafted(nested("file:///home/a/b.png"))
	me.Sign(&j)
	require.NotEmpty(t, j.Proof)
	assert.Equal(t, me.ID(), j.Installation)
	assert.True(t, me.Made(&j))
	again, err := jobs.ParseInstallation(me.String() + "\n")
	require.NoError(t, err)
	assert.True(t, again.Made(&j), "the secret is kept")
	j.Draft.Prompt = "another prompt" // it names no file
	assert.True(t, me.Made(&j))

	for name, forge := range map[string]func(*jobs.Job){
		"path":         func(j *jobs.Job) { j.Draft.Values = nested("file:///home/a/.ssh/id.png") },
		"one more":     func(j *jobs.Job) { j.Draft.Values["last"] = "file:///etc/x.png" },
		"one less":     func(j *jobs.Job) { delete(j.Draft.Values, "image") },
		"job":          func(j *jobs.Job) { j.ID = "0190-b" },
		"profile":      func(j *jobs.Job) { j.Profile = "theirs" },
		"no proof":     func(j *jobs.Job) { j.Proof = "" },
		"another mark": func(j *jobs.Job) { j.Proof = strings.Repeat("0", 64) },
	} {
		forged := j
		forged.Draft = j.Draft.Clone()
		forge(&forged)
		assert.False(t, me.Made(&forged), name)
		assert.Equal(t, me.ID(), forged.Installation, "the id alone proves nothing")
	}
	assert.False(t, jobs.NewInstallation().Made(&j), "another installation")

	none := drafted(client.Values{"image": "https://host/x.png"})
	me.Sign(&none)
	assert.Empty(t, none.Proof)
	assert.True(t, jobs.NewInstallation().Made(&none), "it names no file")
}

func TestProofOfSavedFiles(t *testing.T) {
	t.Parallel()
	me := jobs.NewInstallation()
	f := jobs.File{Index: 1, State: jobs.FileSaved, Path: "/home/a/Downloads/darkroom/x.mp4"}
	me.SignFile("job", &f)
	assert.True(t, me.Saved("job", f))
	assert.False(t, me.Saved("another", f))
	assert.False(t, jobs.NewInstallation().Saved("job", f))
	moved, wanted := f, f
	moved.Path = "/home/a/Downloads/darkroom/y.desktop"
	assert.False(t, me.Saved("job", moved))
	wanted.State = jobs.FileWanted
	assert.False(t, me.Saved("job", wanted))
}

func TestParseInstallationRefuses(t *testing.T) {
	t.Parallel()
	good := jobs.NewInstallation().String()
	for _, bad := range []string{"", "x", good[:len(good)-2], good + "00", strings.ToUpper(good), strings.Replace(good, ":", "", 1)} {
		_, err := jobs.ParseInstallation(bad)
		require.Error(t, err, bad)
	}
}

func TestWarningsAreShort(t *testing.T) {
	t.Parallel()
	var j jobs.Job
	j.Warn("a\x1b[31m\nb", "", "a\x1b[31m\nb")
	j.Warn(strings.Repeat("x", 1000))
	require.Len(t, j.Warnings, 2)
	assert.NotContains(t, j.Warnings[0], "\x1b")
	assert.LessOrEqual(t, len(j.Warnings[1]), 310)
	for i := range 40 {
		j.Warn(strings.Repeat("y", i+1))
	}
	assert.Len(t, j.Warnings, 16)
}
