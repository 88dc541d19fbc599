package doctor

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"darkroom/client/child"
	"darkroom/cmd/app"
	"darkroom/cmd/config"
	"darkroom/jobs/player"
)

// programLimit bounds asking a program for its version.
const programLimit = 5 * time.Second

// programs looks for what is started: ffmpeg, a player, what opens files, an editor; and the
// keyring.
func (x *examiner) programs(ctx context.Context) {
	x.load()
	x.ffmpeg(ctx)
	x.player()
	x.opener()
	if words := app.Editor(x.k.IO.Env); len(words) == 0 {
		x.add("editor", Better, "none: a prompt cannot be edited outside", "`export EDITOR=…`, or install nano or vi")
	} else if _, err := exec.LookPath(words[0]); err != nil {
		x.add("editor", Broken, words[0]+" is not there", "set EDITOR or VISUAL to an editor that is installed")
	} else {
		x.add("editor", OK, strings.Join(words, " "), "")
	}
	x.keyring()
}

func (x *examiner) ffmpeg(ctx context.Context) {
	const without = "no previews of videos or sounds, and no last frames to go on from"
	path, err := exec.LookPath("ffmpeg")
	if err != nil || !filepath.IsAbs(path) {
		x.add("ffmpeg", Better, "not installed: "+without, install("ffmpeg"))
		return
	}
	ctx, cancel := context.WithTimeout(ctx, programLimit)
	defer cancel()
	out, err := child.Command(ctx, nil, path, "-nostdin", "-hide_banner", "-version").Output()
	if err != nil {
		x.add("ffmpeg", Broken, path+" does not run ("+err.Error()+"): "+without, install("ffmpeg")+" anew")
		return
	}
	line, _, _ := strings.Cut(string(out), "\n")
	line, _, _ = strings.Cut(line, " Copyright")
	x.add("ffmpeg", OK, line+", "+path, "")
}

// install is how packages are installed here.
func install(names string) string {
	if _, words := manager(); words != "" {
		return "`" + words + " " + names + "`"
	}
	return "install " + names
}

// manager is what installs packages here, and how it is called; "" where none is known.
func manager() (program, words string) {
	for _, m := range []struct{ program, words string }{
		{"brew", "brew install"}, {"apt-get", "sudo apt install"}, {"dnf", "sudo dnf install"}, {"pacman", "sudo pacman -S"}, {"zypper", "sudo zypper install"}, {"apk", "sudo apk add"},
	} {
		if _, err := exec.LookPath(m.program); err == nil {
			return m.program, m.words
		}
	}
	return "", ""
}

func (x *examiner) player() {
	o := player.Options{Command: x.c.Player}
	video, err := player.Program(o, false)
	sound, _ := player.Program(o, true)
	switch {
	case err != nil && len(o.Command) > 0:
		x.add("player", Broken, "the player "+o.Command[0]+" of the settings is not there", "install it, or change `player:`")
	case err != nil:
		x.add("player", Better, "none: videos cannot be played outside the console", install("mpv"))
	case filepath.Base(video) == "mpv":
		x.add("player", OK, video, "")
	case len(o.Command) > 0:
		x.add("player", OK, strings.Join(o.Command, " ")+", as you chose", "")
	case sound != video:
		x.add("player", Better, video+" for videos, "+sound+" for sounds: neither can be paused from the console", install("mpv"))
	default:
		x.add("player", Better, video+": it cannot be paused from the console", install("mpv"))
	}
}

// opener looks for what opens files in the desktop's programs.
func (x *examiner) opener() {
	name, get := "xdg-open", install("xdg-utils")
	if runtime.GOOS == "darwin" {
		name, get = "open", "it is a part of the system: look at PATH"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		x.add("opener", Better, name+" is not installed: results cannot be opened in the desktop's programs", get)
		return
	}
	x.add("opener", OK, path, "")
}

func (x *examiner) keyring() {
	sec := x.k.Secrets()
	err := sec.CheckKeyring()
	switch {
	case err == nil:
		x.add("keyring", OK, "the system's answers", "")
	case errors.Is(err, config.ErrNoKeyring):
		x.add("keyring", Better, "there is none: keys are kept in files that only you can read, in "+sec.Dir, "nothing has to be done; a desktop session with a keyring keeps them encrypted")
	default:
		x.add("keyring", Better, "it cannot be used ("+err.Error()+"): keys are kept in files that only you can read, in "+sec.Dir, "unlock the desktop's keyring, then `darkroom auth login --same-key`")
	}
}
