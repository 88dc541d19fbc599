package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

func TestJobsOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := t.TempDir()
	video, note := filepath.Join(dir, "-a kite.mp4"), filepath.Join(dir, "note")
	require.NoError(t, os.WriteFile(video, []byte("\x00\x00\x00\x18ftypisom"), 0o600))
	script := filepath.Join(dir, "player")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nprintf '%s|' \"$@\" >"+note+"\nenv >>"+note+"\ncase \"$*\" in *fail*) echo broken >&2; exit 7;; esac\n"), 0o700)) //nolint:gosec // a program
	ids := w.history(3, func(i int, j *jobs.Job) {
		if i == 2 {
			j.State = jobs.Refused
		}
		if i == 0 {
			j.Files = []jobs.File{{Kind: client.AssetCover, State: jobs.FileSaved, Path: dir + "/cover.png", Proof: jobs.ProofBefore}, {Index: 1, Kind: client.AssetVideo, State: jobs.FileSaved, Path: video, Bytes: 5, Proof: jobs.ProofBefore}}
		}
	})
	r := w.ok("jobs", "open", ids[0], "--player", "/bin/sh", "--player", script, "--player", "--x y; rm")
	require.Contains(t, r.err, "sh: "+video)
	got, err := os.ReadFile(note)
	require.NoError(t, err)
	require.Contains(t, string(got), "--x y; rm|--|"+video+"|", "no shell took it apart")
	w.fails(kit.ExitFailed, []string{"sh: exit status 7", "broken"}, "jobs", "open", ids[0], "--player", "/bin/sh", "--player", script, "--player", "fail")
	w.fails(kit.ExitFailed, []string{"--player: ", `the player "no-such-player-here"`}, "jobs", "open", ids[0], "--player", "no-such-player-here")
	w.fails(kit.ExitNotFound, []string{"nothing of job", "jobs download"}, "jobs", "open", ids[1])
	refused := w.fails(kit.ExitNotFound, []string{"nothing of job", "refused", "jobs resend"}, "jobs", "open", ids[2])
	require.NotContains(t, refused.err, "jobs download", "a refused job has nothing to save")
	w.fails(kit.ExitUsage, []string{"--player", "the first word is the program"}, "jobs", "open", ids[0], "--player", "")
	w.fails(kit.ExitNotFound, []string{"no job"}, "jobs", "open", "nothing")
}
