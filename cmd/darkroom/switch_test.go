package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSwitchingProfilesInTheConsole: what runs at the profile that does not show runs on, what is
// typed stays where it was typed, and a profile that cannot be opened changes nothing.
func TestSwitchingProfilesInTheConsole(t *testing.T) {
	t.Parallel()
	g := newTaker(t)
	h := newHome(t)
	write := func(name, text string) {
		path := filepath.Join(h.dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write(".config/darkroom/config.yaml", "profile: sandbox\nprofiles:\n  work:\n    base_url: "+g.URL+"\n    color: red\n    banner: PRODUCTION\n"+
		"  broken:\n    base_url: https://gateway.example\n    dialect: nosuch\n")
	write(".local/share/darkroom/keys/work", "sk-work-0123456789\norigin: "+g.URL+"\n")

	x := h.open(t, 160, 34)
	to := func(profile string) {
		x.keys(alt + "0")
		x.shows("which gateway")
		x.keys(profile)
		x.until("found", func(screen string) bool { return strings.Contains(screen, "1 of 3") })
		x.keys(enter)
	}
	x.shows("● sandbox")
	x.keys("waves [[sandbox:slow by=2]]")
	x.shows("slow by=2]]\"")
	x.keys(ctrlS)
	x.shows("▶1")
	to("broken")
	x.shows("the profile broken cannot be opened, sandbox stays")
	to("work")
	x.shows("PRODUCTION work", "+sandbox ▶1")
	x.keys("typed at work")
	x.shows(`"prompt": "typed at work"`)
	x.until("the other one's task ends", func(screen string) bool { return !strings.Contains(screen, "+sandbox") })
	x.keys(ctrlS)
	x.until("it was sent", func(string) bool { return g.creates.Load() == 1 })

	to("sandbox")
	x.shows("● sandbox", "waves")
	x.keys(alt + "2")
	x.shows("completed")
	to("work")
	x.shows("PRODUCTION work", "│ typed at work")
	x.keys("\x11") // ctrl+q
	require.Equal(t, 0, x.exit(), x.text())

	x = h.open(t, 160, 34)
	x.shows("waves")
	to("work")
	x.shows("PRODUCTION work", "│ typed at work")
	to("sandbox")
	x.keys(alt + "4")
	x.keys("video_1" + enter)
	x.shows("404")
	x.keys(alt + "g")
	x.shows("Which gateway knows video_1", "knows it: queued")
	x.keys(enter)
	x.shows("PRODUCTION work", "video_1")
	x.keys("\x11")
	require.Equal(t, 0, x.exit(), x.text())
	require.EqualValues(t, 1, g.creates.Load())
}
