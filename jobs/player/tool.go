package player

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// tool is a program with its arguments for one target.
type tool struct {
	name, path string
	args       []string
	mpv        bool // it takes mpv's options and speaks mpv's protocol
	detached   bool // the desktop's: it goes on after the console
}

// known are the programs that are tried, in this order. The target is an absolute path or an
// address, so that it cannot be an option; programs that know "--" get it all the same.
var known = []struct {
	name     string
	system   string // "" for any
	audio    bool   // for sounds only
	files    bool   // for files only
	detached bool
	args     func(t Target) []string
}{
	{name: "mpv", args: func(Target) []string { return []string{"--"} }},
	{name: "ffplay", args: func(t Target) []string {
		args := []string{"-hide_banner", "-loglevel", "error", "-autoexit"}
		if t.Audio {
			args = append(args, "-nodisp")
		}
		return append(args, "--")
	}},
	{name: "afplay", system: "darwin", audio: true, files: true, args: func(Target) []string { return nil }},
	{name: "paplay", audio: true, files: true, args: func(Target) []string { return []string{"--"} }},
	{name: "open", system: "darwin", detached: true, args: func(Target) []string { return nil }},
	{name: "xdg-open", detached: true, args: func(Target) []string { return nil }},
}

// Program returns the path of the program that would play a video, or a sound; the error says what
// can be installed.
func Program(o Options, audio bool) (string, error) {
	t, err := New(o).o.choose(Target{Path: "/", Audio: audio})
	return t.path, err
}

// choose finds the program for a target.
func (o *Options) choose(t Target) (tool, error) {
	what, err := t.argument()
	if err != nil {
		return tool{}, err
	}
	if len(o.Command) > 0 && !t.Still {
		return o.configured(what, t)
	}
	var tried []string
	for _, k := range known {
		if k.system != "" && k.system != runtime.GOOS || k.audio && !t.Audio || k.files && t.Path == "" || t.Still && !k.detached {
			continue
		}
		tried = append(tried, k.name)
		path, err := o.Look(k.name)
		if err != nil {
			continue
		}
		out := tool{name: k.name, path: path, mpv: k.name == "mpv", detached: k.detached, args: append(k.args(t), what)}
		out.mpvOptions(t)
		return out, nil
	}
	return tool{}, fmt.Errorf("install one of %s, or name yours as player: in the settings: no program was found to play %s",
		strings.Join(tried, ", "), what)
}

func (o *Options) configured(what string, t Target) (tool, error) {
	path, err := o.Look(o.Command[0])
	if err != nil {
		return tool{}, fmt.Errorf("the player %q of the settings is not there; install it, or change player: (%w)", o.Command[0], err)
	}
	out := tool{name: filepath.Base(o.Command[0]), path: path, args: slices.Clone(o.Command[1:])}
	out.mpv = out.name == "mpv"
	if i := slices.Index(out.args, "{}"); i >= 0 {
		out.args[i] = what
	} else {
		out.args = append(out.args, "--", what)
	}
	out.mpvOptions(t)
	return out, nil
}

// mpvOptions keeps mpv off the terminal, and from running programs for addresses. A person's own
// options come after these.
func (t *tool) mpvOptions(to Target) {
	if !t.mpv {
		return
	}
	first := []string{"--no-terminal", "--ytdl=no"}
	if to.Audio {
		first = append(first, "--audio-display=no")
	}
	t.args = append(first, t.args...)
}

// maxURL bounds an address.
const maxURL = 8 << 10

// argument returns what the program is given.
func (t Target) argument() (string, error) {
	if t.Path != "" {
		if !filepath.IsAbs(t.Path) || strings.ContainsRune(t.Path, 0) {
			return "", fmt.Errorf("%q is not an absolute path", t.Path)
		}
		return t.Path, nil
	}
	if t.URL == "" {
		return "", errors.New("there is no file to play")
	}
	u, err := url.Parse(t.URL)
	if err != nil || len(t.URL) > maxURL || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return "", errors.New("a player is not given this address; save the file first")
	}
	return u.String(), nil
}
