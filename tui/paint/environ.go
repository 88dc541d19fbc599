package paint

import (
	"strconv"
	"strings"
)

// environ is what the environment says of the terminal.
type environ func(name string) string

// xterm reports whether the terminal is xterm itself, which by default sends alt with a key as
// another letter. It is told to send escape before the key, and restored afterwards: it saves and
// restores modes. Other programs that run in it (tmux, ssh) translate by themselves.
func (env environ) xterm() bool {
	return env("XTERM_VERSION") != "" && strings.HasPrefix(env("TERM"), "xterm")
}

// dumb reports whether the terminal would show an OSC sequence as text, or never answer one.
func (env environ) dumb() bool {
	switch name := env("TERM"); name {
	case "", "dumb", "linux", "cons25", "vt52":
		return true
	}
	return false
}

// takesAPC reports whether an APC sequence does no harm: tmux takes it for the title of the pane, GNU
// screen shows it in its status line, and macOS' Terminal as text. The terminal behind tmux is asked
// once tmux has told its name. A window that was opened from tmux inherits its environment, but for
// the name of the terminal.
func (env environ) takesAPC() bool {
	name := env("TERM")
	switch {
	case strings.HasPrefix(name, "screen") || strings.HasPrefix(name, "tmux") || env("TERM_PROGRAM") == "Apple_Terminal":
		return false
	case env("TMUX") != "":
		return strings.Contains(name, "kitty") || strings.Contains(name, "ghostty") || strings.Contains(name, "rio")
	default:
		return true
	}
}

// notifies returns the way to notify through a terminal, by what the environment says of it. In
// tmux and screen, which pass the bell on, and where nothing is known it is the bell.
func (env environ) notifies() string {
	name, program := env("TERM"), env("TERM_PROGRAM")
	switch {
	case env.multiplexer() != "":
		return NotifyBell
	case name == "xterm-kitty" || env("KITTY_WINDOW_ID") != "":
		return NotifyOSC99
	case program == "ghostty", program == "WezTerm", name == "foot", strings.HasPrefix(name, "foot-"):
		return NotifyOSC777
	case program == "iTerm.app":
		return NotifyOSC9
	default:
		return NotifyBell
	}
}

// multiplexer names what stands between us and the terminal: tmux, screen, or "".
func (env environ) multiplexer() string {
	name := env("TERM")
	switch {
	case env("TMUX") != "" || strings.HasPrefix(name, "tmux"):
		return "tmux"
	case env("STY") != "" || strings.HasPrefix(name, "screen"):
		return "screen"
	default:
		return ""
	}
}

// taskbar reports whether the terminal shows progress, and is not behind a multiplexer.
func (env environ) taskbar() bool {
	if env.multiplexer() != "" {
		return false
	}
	program, version := env("TERM_PROGRAM"), env("TERM_PROGRAM_VERSION")
	ptyxis, _, _ := strings.Cut(env("PTYXIS_VERSION"), ".")
	major, _ := strconv.Atoi(ptyxis) //nolint:errcheck // 0 for none
	return env("WT_SESSION") != "" || env("ConEmuANSI") == "ON" || program == "ghostty" ||
		program == "WezTerm" && version >= "2025" || // the version is a date
		major >= 48
}
