package player

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// fakeEnv makes the test binary be mpv, and any other player.
const fakeEnv = "PLAYER_TEST_FAKE"

const patience = time.Minute

func TestMain(m *testing.M) {
	if dir := os.Getenv(fakeEnv); dir != "" {
		os.Exit(fake(dir))
	}
	os.Exit(m.Run())
}

// fake notes its arguments, and speaks mpv's protocol where it is asked to. Its clock moves
// when it is told to seek.
func fake(dir string) int {
	args, _ := json.Marshal(os.Args[1:])
	if strings.Contains(string(args), "stubborn") {
		signal.Ignore(unix.SIGTERM)
	}
	_ = os.WriteFile(filepath.Join(dir, "env"), []byte(strings.Join(os.Environ(), "\n")), 0o600)
	_ = os.WriteFile(filepath.Join(dir, "pid"), []byte(strconv.Itoa(os.Getpid())), 0o600)
	_ = os.WriteFile(filepath.Join(dir, "args.new"), args, 0o600)
	_ = os.Rename(filepath.Join(dir, "args.new"), filepath.Join(dir, "args"))
	if strings.Contains(string(args), "broken") {
		_, _ = fmt.Fprintln(os.Stderr, "it is \x1b[31mbroken")
		return 3
	}
	for _, a := range os.Args[1:] {
		if socket, ok := strings.CutPrefix(a, "--input-ipc-server="); ok {
			return serve(socket)
		}
	}
	select {}
}

func serve(socket string) int {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return 1
	}
	conn, err := l.Accept()
	if err != nil {
		return 1
	}
	pos, paused, names := 1.5, false, map[string]int{}
	tell := func(name string, data any) {
		if id, ok := names[name]; ok {
			line, _ := json.Marshal(map[string]any{"event": "property-change", "id": id, "name": name, "data": data})
			_, _ = conn.Write(append(line, '\n'))
		}
	}
	_, _ = conn.Write([]byte("{\"event\":\"file-loaded\"}\nno JSON\n"))
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		var m struct{ Command []any }
		if json.Unmarshal(lines.Bytes(), &m) != nil || len(m.Command) == 0 {
			continue
		}
		switch m.Command[0] {
		case "observe_property":
			name, _ := m.Command[2].(string)
			names[name] = 1
			tell(name, map[string]any{"time-pos": pos, "duration": 200.4, "pause": paused}[name])
		case "cycle":
			paused = !paused
			tell("pause", paused)
		case "seek":
			by, _ := m.Command[1].(float64)
			if pos += by; pos > 200 {
				return 0 // the end
			}
			tell("time-pos", pos)
		}
	}
	return 0
}

// system is one that has some programs, all of them fakes.
func system(t *testing.T, names ...string) (Options, string) {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	for _, n := range names {
		require.NoError(t, os.Symlink(self, filepath.Join(dir, n)))
	}
	return Options{
		Env: []string{fakeEnv + "=" + dir, "GORACE=atexit_sleep_ms=0", "GOCOVERDIR=" + dir},
		Look: func(name string) (string, error) {
			path := filepath.Join(dir, name)
			if _, err := os.Stat(path); err != nil {
				return "", errors.New("not found")
			}
			return path, nil
		},
	}, dir
}

// until waits for a state.
func until(t *testing.T, p *Player, ok func(State) bool) State {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s := p.State()
	for !ok(s) {
		require.NoError(t, ctx.Err(), "%+v", s)
		s = p.Wait(ctx, s.Seq)
	}
	return s
}

// given are the arguments that a fake was started with.
func given(t *testing.T, dir string) []string {
	t.Helper()
	path := filepath.Join(dir, "args")
	require.Eventually(t, func() bool { _, err := os.Stat(path); return err == nil }, patience, time.Millisecond)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.Remove(path))
	var args []string
	require.NoError(t, json.Unmarshal(b, &args))
	return args
}

func TestMpvIsToldAndTells(t *testing.T) {
	t.Parallel()
	o, dir := system(t, "mpv", "ffplay", "xdg-open")
	p := New(o)
	defer p.Close()
	require.ErrorIs(t, p.Pause(), errNothing)
	require.NoError(t, p.Play(Target{Path: "/music/-rain; rm.wav", Audio: true}))
	s := until(t, p, func(s State) bool { return s.Told && s.Length > 0 })
	assert.Equal(t, "mpv", s.Program)
	assert.Equal(t, []time.Duration{time.Second, 200 * time.Second}, []time.Duration{s.Pos, s.Length})
	args := given(t, dir)
	assert.Equal(t, []string{"--no-terminal", "--ytdl=no", "--audio-display=no", "--", "/music/-rain; rm.wav"}, args[1:])
	socket := strings.TrimPrefix(args[0], "--input-ipc-server=")
	folder, err := os.Stat(filepath.Dir(socket))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), folder.Mode().Perm(), "nobody else tells it anything")

	require.NoError(t, p.Pause())
	until(t, p, func(s State) bool { return s.Paused })
	require.NoError(t, p.Pause())
	until(t, p, func(s State) bool { return !s.Paused })
	require.NoError(t, p.Seek(5*time.Second))
	until(t, p, func(s State) bool { return s.Pos == 6*time.Second })
	require.NoError(t, p.Seek(-5*time.Second))
	until(t, p, func(s State) bool { return s.Pos == time.Second })
	require.NoError(t, p.Seek(time.Hour))
	s = until(t, p, func(s State) bool { return !s.Running })
	require.NoError(t, s.Err, "it came to its end")
	require.Eventually(t, func() bool { _, err := os.Stat(filepath.Dir(socket)); return os.IsNotExist(err) }, patience, time.Millisecond)
	require.ErrorIs(t, p.Seek(time.Second), errNothing)
}

func TestWhatPlaysEndsWithTheConsoleAndForAnother(t *testing.T) {
	t.Parallel()
	o, dir := system(t, "ffplay")
	p := New(o)
	require.NoError(t, p.Play(Target{Path: "/a.mp4"}))
	first := p.run.cmd.Process.Pid
	assert.Equal(t, []string{"-hide_banner", "-loglevel", "error", "-autoexit", "--", "/a.mp4"}, given(t, dir))
	require.ErrorContains(t, p.Pause(), "ffplay cannot be told anything")
	require.NoError(t, p.Play(Target{Path: "/b.wav", Audio: true}))
	assert.NoDirExists(t, "/proc/"+strconv.Itoa(first))
	second := p.run.cmd.Process.Pid
	assert.Contains(t, given(t, dir), "-nodisp")
	p.Close()
	assert.NoDirExists(t, "/proc/"+strconv.Itoa(second))
	s := p.State()
	assert.False(t, s.Running)
	require.NoError(t, s.Err, "it was ended, it did not fail")
	require.Error(t, p.Play(Target{Path: "/c.wav"}))
}

func TestAPlayerThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	o, _ := system(t, "mpv")
	p := New(o)
	defer p.Close()
	require.NoError(t, p.Play(Target{Path: "/broken.mp4"}))
	s := until(t, p, func(s State) bool { return !s.Running })
	require.ErrorContains(t, s.Err, "mpv: exit status 3: it is")
}

func TestWhichProgramPlays(t *testing.T) {
	t.Parallel()
	song, film, far := Target{Path: "/s.wav", Audio: true}, Target{Path: "/v.mp4"}, Target{URL: "https://cdn.example/v.mp4?sig=1"}
	for _, c := range []struct {
		has     string
		command []string
		t       Target
		want    string // or the error
	}{
		{"mpv ffplay xdg-open", nil, film, "mpv --no-terminal --ytdl=no -- /v.mp4"},
		{"ffplay xdg-open", nil, film, "ffplay -hide_banner -loglevel error -autoexit -- /v.mp4"},
		{"paplay xdg-open", nil, film, "xdg-open /v.mp4"},
		{"paplay xdg-open", nil, song, "paplay -- /s.wav"},
		{"mpv", nil, far, "mpv --no-terminal --ytdl=no -- https://cdn.example/v.mp4?sig=1"},
		{"mpv xdg-open", []string{"mpv"}, Target{Path: "/p.png", Still: true}, "xdg-open /p.png"},
		{"", nil, film, "install one of mpv, ffplay"},
		{"vlc mpv", []string{"vlc", "--play-and-exit"}, film, "vlc --play-and-exit -- /v.mp4"},
		{"mine", []string{"mine", "{}", "-x"}, film, "mine /v.mp4 -x"},
		{"mpv", []string{"mpv", "--loop"}, song, "mpv --no-terminal --ytdl=no --audio-display=no --loop -- /s.wav"},
		{"mpv", []string{"vlc"}, film, `the player "vlc" of the settings is not there`},
		{"mpv", nil, Target{Path: "-rel.mp4"}, "not an absolute path"},
		{"mpv", nil, Target{}, "there is no file"},
		{"mpv", nil, Target{URL: "file:///etc/passwd"}, "save the file first"},
		{"mpv", nil, Target{URL: "https://me:secret@x/"}, "save the file first"},
		{"mpv", nil, Target{URL: "--script=/tmp/x"}, "save the file first"},
		{"mpv", nil, Target{URL: "https://x/\x1b"}, "save the file first"},
	} {
		o := Options{Command: c.command, Look: func(name string) (string, error) {
			if !strings.Contains(" "+c.has+" ", " "+name+" ") {
				return "", errors.New("not found")
			}
			return "/bin/" + name, nil
		}}
		got, err := o.choose(c.t)
		if err != nil {
			require.ErrorContains(t, err, c.want)
			continue
		}
		assert.Equal(t, c.want, strings.Join(append([]string{got.name}, got.args...), " "))
	}
}

func TestTheDesktopIsHandedAFile(t *testing.T) {
	t.Parallel()
	o, dir := system(t, "xdg-open")
	p := New(o)
	require.ErrorContains(t, p.Play(Target{Path: "/broken.mp4"}), "xdg-open cannot open it: exit status 3")
	assert.Equal(t, []string{"/broken.mp4"}, given(t, dir))
	s := p.State()
	assert.Equal(t, "xdg-open", s.Program)
	assert.False(t, s.Running)
	p.Close()
}

func TestAnEnvironmentOfItsOwn(t *testing.T) {
	t.Parallel()
	o, dir := system(t, "ffplay")
	p := New(o)
	require.NoError(t, p.Play(Target{Path: "/a.mp4"}))
	given(t, dir)
	env, err := os.ReadFile(filepath.Join(dir, "env"))
	require.NoError(t, err)
	assert.NotContains(t, string(env), "PATH=", "what it was given, and nothing else")
	p.Close()
}

// TestLeavingDoesNotWaitForAPlayer: one that does not end when it is asked to is ended by
// force, long before its time is over.
func TestLeavingDoesNotWaitForAPlayer(t *testing.T) {
	t.Parallel()
	o, dir := system(t, "mpv")
	p := New(o)
	p.waits = waits{kill: 24 * time.Hour, leave: time.Millisecond}
	require.NoError(t, p.Play(Target{Path: "/stubborn.mp4"}))
	args := given(t, dir)
	pid := p.run.cmd.Process.Pid
	stopping := make(chan struct{})
	go func() {
		defer close(stopping)
		p.Stop()
	}()
	require.Eventually(t, func() bool { return p.run.killed.Load() }, patience, time.Millisecond, "somebody waits for its end already")
	p.Close()
	<-stopping
	assert.NoDirExists(t, "/proc/"+strconv.Itoa(pid), "it is no orphan")
	assert.NoDirExists(t, filepath.Dir(strings.TrimPrefix(args[0], "--input-ipc-server=")))
	assert.False(t, p.State().Running)
}

// TestLeavingDoesNotWaitForTheDesktop: its program is left alone.
func TestLeavingDoesNotWaitForTheDesktop(t *testing.T) {
	t.Parallel()
	o, dir := system(t, "xdg-open")
	p := New(o)
	p.waits.hand = 24 * time.Hour
	handed := make(chan error, 1)
	go func() { handed <- p.Play(Target{Path: "/p.png", Still: true}) }()
	given(t, dir)
	p.Close()
	assert.Empty(t, handed, "it is still being looked at")
	b, err := os.ReadFile(filepath.Join(dir, "pid"))
	require.NoError(t, err)
	pid, err := strconv.Atoi(string(b))
	require.NoError(t, err)
	require.NoError(t, unix.Kill(pid, unix.SIGKILL), "it goes on after the console")
	require.Error(t, <-handed)
	require.ErrorIs(t, p.Play(Target{Path: "/p.png", Still: true}), errEnding)
}

func TestProgram(t *testing.T) {
	t.Parallel()
	o := Options{Look: func(name string) (string, error) {
		if name == "mpv" || name == "ffplay" {
			return "", errors.New("not found")
		}
		return "/bin/" + name, nil
	}}
	sound, err := Program(o, true)
	require.NoError(t, err)
	video, err := Program(o, false)
	require.NoError(t, err)
	assert.NotEqual(t, sound, video)
	o.Command = []string{"mpv"}
	_, err = Program(o, false)
	require.ErrorContains(t, err, "the player \"mpv\" of the settings is not there")
}
