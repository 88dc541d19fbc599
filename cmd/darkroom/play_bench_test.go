package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// playFor is how long the processor time of a video that plays is measured.
const playFor = 10 * time.Second

// BenchmarkPlay plays a video in the console, some 90x25 cells large, and prints what share
// of a core the process takes and what it writes, as /proc has it over ten seconds.
func BenchmarkPlay(b *testing.B) {
	dir := b.TempDir()
	program := filepath.Join(dir, "darkroom")
	out, err := exec.Command("go", "build", "-o", program, "darkroom/cmd/darkroom").CombinedOutput()
	require.NoError(b, err, string(out))
	env := []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
		"DBUS_SESSION_BUS_ADDRESS=unix:path=" + filepath.Join(dir, "no-bus")}
	create := exec.Command(program, "create", "video", "--prompt", "a red kite over a salt flat", "--duration", "6", "--wait", "--download", filepath.Join(dir, "out"))
	create.Env = env
	out, err = create.CombinedOutput()
	require.NoError(b, err, string(out))
	for _, terminal := range []struct{ name, answers string }{
		{"blocks", "\x1b[?62;c"},
		{"kitty", "\x1bP>|kitty(0.41.1)\x1b\\\x1b[6;20;10t\x1b_Gi=31;OK\x1b\\\x1b[?62;c"},
		{"sixel", "\x1bP>|XTerm(379)\x1b\\\x1b[6;20;10t\x1b[?1;0;256S\x1b[?62;4c"},
		{"iterm2", "\x1bP>|iTerm2 3.5.10\x1b\\\x1b[6;20;10t\x1b[?62;4c"},
	} {
		b.Run(terminal.name, func(b *testing.B) {
			for b.Loop() {
				played(b, program, env, terminal.answers)
			}
		})
	}
}

// played runs the console once and reports what playing took.
func played(b *testing.B, program string, env []string, answers string) {
	cmd := exec.Command(program)
	cmd.Env = env
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 200, Rows: 65})
	require.NoError(b, err)
	defer func() {
		_ = cmd.Process.Kill()
		_ = f.Close()
		_ = cmd.Wait()
	}()
	got := make(chan []byte, 1024)
	go func() {
		defer close(got)
		for {
			buf := make([]byte, 64<<10)
			n, err := f.Read(buf)
			if err != nil {
				return
			}
			got <- buf[:n]
		}
	}()
	limit := time.After(patience)
	var seen bytes.Buffer
	await := func(text string) {
		for !strings.Contains(seen.String(), text) {
			select {
			case p, ok := <-got:
				require.True(b, ok, "the program has ended before %q", text)
				seen.Write(p)
			case <-limit:
				require.Failf(b, "never seen", "%q", text)
			}
		}
		seen.Reset()
	}
	send := func(s string) {
		_, err := f.WriteString(s)
		require.NoError(b, err)
	}
	await("\x1b[c")
	send(answers + alt + "2")
	await("Video, ") // the preview's title: what the file says of itself
	send("m")
	await("▶")
	before, bytes, frames := cpuOf(b, cmd.Process.Pid), 0, 0
	end := time.NewTimer(playFor)
	defer end.Stop()
	for going := true; going; {
		select {
		case p, ok := <-got:
			require.True(b, ok, "the program has ended")
			bytes += len(p)
			frames += strings.Count(string(p), "\x1b[?2026h")
		case <-end.C:
			going = false
		}
	}
	took := cpuOf(b, cmd.Process.Pid) - before
	b.ReportMetric(100*took.Seconds()/playFor.Seconds(), "%core")
	b.ReportMetric(float64(bytes)/1000/playFor.Seconds(), "kB/s")
	b.ReportMetric(float64(frames)/playFor.Seconds(), "paints/s")
	b.ReportMetric(0, "ns/op")
}

// cpuOf is the processor time of a process and of those that it has waited for.
func cpuOf(b *testing.B, pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(b, err)
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	ticks := 0
	for _, at := range []int{11, 12, 13, 14} { // utime, stime, cutime, cstime
		n, err := strconv.Atoi(fields[at])
		require.NoError(b, err)
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100
}
