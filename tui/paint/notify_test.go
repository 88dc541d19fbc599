//go:build unix

package paint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// envOf is an environment of pairs of name and value.
func envOf(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestNotifyChoosesByTheTerminal(t *testing.T) {
	t.Parallel()
	for want, envs := range map[string][][]string{
		NotifyOSC99:  {{"TERM", "xterm-kitty"}, {"TERM", "xterm-256color", "KITTY_WINDOW_ID", "1"}},
		NotifyOSC777: {{"TERM", "xterm-ghostty", "TERM_PROGRAM", "ghostty"}, {"TERM_PROGRAM", "WezTerm"}, {"TERM", "foot"}, {"TERM", "foot-extra"}},
		NotifyOSC9:   {{"TERM_PROGRAM", "iTerm.app"}},
		NotifyBell: {
			{}, {"TERM", "xterm-256color"}, {"TERM", "linux"}, {"TERM", "dumb"},
			{"TERM", "tmux-256color", "TERM_PROGRAM", "WezTerm"}, {"TERM", "xterm-kitty", "TMUX", "/run/tmux"},
			{"TERM", "screen.xterm-256color", "KITTY_WINDOW_ID", "1"}, {"TERM", "xterm-kitty", "STY", "1.pts"},
		},
	} {
		for _, env := range envs {
			assert.Equal(t, want, environ(envOf(env...)).notifies(), env)
		}
	}
}

func TestNoticeSequences(t *testing.T) {
	t.Parallel()
	for by, want := range map[string]string{
		NotifyOSC9:   "\x1b]9;dark,room: 4, two\x1b\\",
		NotifyOSC777: "\x1b]777;notify;dark,room;4, two\x1b\\",
		NotifyOSC99:  "\x1b]99;i=darkroom:d=0;dark;room\x1b\\\x1b]99;i=darkroom:d=1:p=body;4; two\x1b\\",
		NotifyBell:   "\a",
	} {
		assert.Equal(t, want, noticeSequence(by, "dark;room", "4; two"), by)
	}
}

// TestHostileNotice: no text ends its sequence or begins another one.
func TestHostileNotice(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a\x1b\\\x1b]52;c;aGk=\x07b", "\x9d52;c;x\x9c", "\u009b31m", "a\x07b\x00c", "line\nline\r\ttab", "\u202egnp.exe\u2066\u200b\ufeff\u2028",
		"\xff\xfe", strings.Repeat("塩", 10_000), "\x18\x1a\x7f", "\U000e0041",
	} {
		clean := noticeText(text)
		for _, r := range clean {
			assert.False(t, isControl(r), "%q", clean)
			assert.NotContains(t, "\u202e\u2066\u200b\ufeff\u2028\U000e0041", string(r), "%q", clean)
		}
		assert.LessOrEqual(t, len([]rune(clean)), maxNotice)
		for _, by := range []string{NotifyOSC9, NotifyOSC777, NotifyOSC99} {
			seq := noticeSequence(by, clean, clean)
			ends := 1
			if by == NotifyOSC99 {
				ends = 2
			}
			assert.Equal(t, ends, strings.Count(seq, "\x1b]"), "%q", seq)
			assert.Equal(t, ends, strings.Count(seq, "\x1b\\"), "%q", seq)
			assert.Equal(t, 2*ends, strings.Count(seq, "\x1b"), "%q", seq)
		}
	}
	assert.Equal(t, "red kite 凧", noticeText("red\n kite\t凧"))
}

func TestNoticeThroughTmux(t *testing.T) {
	t.Parallel()
	yes, no := func() bool { return true }, func() bool { return false }
	seq := noticeSequence(NotifyOSC9, "a", "b")
	assert.Equal(t, seq, wrapNotice(seq, "", no))
	assert.Equal(t, "\x1bPtmux;\x1b\x1b]9;a: b\x1b\x1b\\\x1b\\", wrapNotice(seq, "tmux", yes))
	assert.Equal(t, "\a", wrapNotice(seq, "tmux", no))
	assert.Equal(t, "\a", wrapNotice(seq, "screen", yes))
}

func TestNativeNoticeReadsNoText(t *testing.T) {
	t.Parallel()
	_, args := nativeCommand("linux", "--urgency=critical", "<b>&")
	assert.Equal(t, []string{"--app-name=darkroom", "--", "--urgency=critical", "&lt;b&gt;&amp;"}, args)
	_, args = nativeCommand("darwin", "a", `" & do shell script "id"`)
	assert.Equal(t, []string{"--", "a", `" & do shell script "id"`}, args[len(args)-3:], "texts are arguments of the script")
}

func TestTaskbarOfKnownTerminals(t *testing.T) {
	t.Parallel()
	for _, env := range [][]string{
		{"WT_SESSION", "x"}, {"ConEmuANSI", "ON"}, {"TERM_PROGRAM", "ghostty"}, {"PTYXIS_VERSION", "48.1"},
		{"TERM_PROGRAM", "WezTerm", "TERM_PROGRAM_VERSION", "20250601-0-x"},
	} {
		assert.True(t, environ(envOf(env...)).taskbar(), env)
		assert.False(t, environ(envOf(append(env, "TMUX", "x")...)).taskbar(), env)
	}
	for _, env := range [][]string{
		{}, {"TERM", "xterm-kitty"}, {"TERM_PROGRAM", "iTerm.app"}, {"PTYXIS_VERSION", "47.9"},
		{"TERM_PROGRAM", "WezTerm", "TERM_PROGRAM_VERSION", "20240203-110809-5046fc22"},
	} {
		assert.False(t, environ(envOf(env...)).taskbar(), env)
	}
	assert.Equal(t, "\x1b]9;4;1;42\x1b\\", taskbarSequence(42))
	assert.Equal(t, "\x1b]9;4;1;100\x1b\\", taskbarSequence(1000))
	assert.Equal(t, "\x1b]9;4;3;0\x1b\\", taskbarSequence(TaskbarBusy))
	assert.Equal(t, "\x1b]9;4;0;0\x1b\\", taskbarSequence(TaskbarNone))
}

// TestTaskbarIsGivenBack: what ends the program takes the progress away, where there is any.
func TestTaskbarIsGivenBack(t *testing.T) {
	t.Parallel()
	with := envOf("TERM", "xterm-ghostty", "TERM_PROGRAM", "ghostty")
	assert.Contains(t, (&modes{env: with}).leave(), "\x1b]9;4;0;0\x1b\\")
	without := envOf("TERM", "xterm-256color")
	assert.NotContains(t, (&modes{env: without}).leave(), "\x1b]9")
	assert.Nil(t, (&Terminal{opts: Options{Env: without}}).Taskbar(10))
	assert.Nil(t, (&Terminal{opts: Options{Env: with}}).Notify(NotifyOff, "a", "b"))
}

// TestProgramsGetTheEnvironmentThatTheyAreToGet: what asks tmux and what tells the desktop.
func TestProgramsGetTheEnvironmentThatTheyAreToGet(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"tmux", "notify-send", "osascript"} {
		script := "#!/bin/sh\n/usr/bin/env >>" + filepath.Join(dir, name) + ".env\n[ " + name + " != tmux ]\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700)) //nolint:gosec // a program
	}
	t.Setenv("PATH", dir)
	t.Setenv("DARKROOM_API_KEY", "sk-secret")
	term := &Terminal{opts: Options{Env: envOf(), Environ: func() []string { return []string{"DISPLAY=:7"} }}}
	assert.True(t, term.native("a", "b"))
	assert.False(t, term.tmux().passes())
	term.askBehind()
	told, err := filepath.Glob(filepath.Join(dir, "*.env"))
	require.NoError(t, err)
	require.Len(t, told, 2)
	for _, file := range told {
		env, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Contains(t, string(env), "DISPLAY=:7")
		assert.NotContains(t, string(env), "sk-")
		if filepath.Base(file) == "tmux.env" {
			assert.Equal(t, 2, strings.Count(string(env), "DISPLAY=:7"), "it was asked twice")
		}
	}
}
