package main_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/store"
	"darkroom/jobs/store/storetest"
)

const (
	// envOther names another build of the program, which is measured beside this one.
	envOther = "DARKROOM_BENCH_OTHER"
	// envFeelJobs is how many jobs the history has; envFeelRounds how often each program is run.
	envFeelJobs   = "DARKROOM_BENCH_JOBS"
	envFeelRounds = "DARKROOM_BENCH_ROUNDS"

	feelCols, feelRows = 120, 40
	// quietFor is how long nothing may come until a program has done what a key asked for.
	quietFor = 300 * time.Millisecond
	keysEach = 24 // of each kind, in a round
	// startsEach is how often each is started before the rounds: a start is one figure, a round has many.
	startsEach = 12
)

// BenchmarkFeels measures from outside, in a pty: from a key to the bytes that change the screen. The
// programs run by turns, on the same rows: the console with a history of 10^5 jobs, and fzf with a line
// for each of them. Figures are p50 and p95 over all rounds.
func BenchmarkFeels(b *testing.B) {
	dir := b.TempDir()
	n, rounds := number(b, envFeelJobs, 100_000), number(b, envFeelRounds, 3)
	list := filepath.Join(dir, "rows")
	fillFeels(b, filepath.Join(dir, ".local/share/darkroom/history.db"), list, n)
	program := filepath.Join(dir, "darkroom")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, "darkroom/cmd/darkroom")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is shipped: with the system's libraries a start takes 5 ms more
	out, err := build.CombinedOutput()
	require.NoError(b, err, string(out))
	fzf, err := exec.LookPath("fzf")
	require.NoError(b, err, "make tools installs fzf")
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it runs before a start, not beside one: see start
	all := []*feeling{{name: "darkroom", argv: []string{program}}, {name: "fzf", argv: []string{"sh", "-c", fzf + " --no-mouse < " + list}, finder: true}}
	if other := os.Getenv(envOther); other != "" {
		all = append(all, &feeling{name: "other", argv: []string{other}})
	}
	for range startsEach {
		for _, f := range all {
			f.home, f.n = dir, n
			f.start(b).end()
		}
	}
	for range rounds {
		for _, f := range all {
			f.round(b)
		}
	}
	for _, f := range all {
		b.Run(f.name, func(b *testing.B) {
			for range b.N {
				f.report(b)
			}
		})
	}
}

func number(b *testing.B, env string, usual int) int {
	b.Helper()
	text := os.Getenv(env)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	require.NoError(b, err, env)
	return n
}

// feeling is a program and what was measured of it, by what.
type feeling struct {
	name   string
	argv   []string
	finder bool // fzf
	home   string
	n      int
	took   map[string][]time.Duration
	bytes  map[string][]int
	kib    []int
	order  []string
}

func (f *feeling) note(what string, d time.Duration) {
	if f.took == nil {
		f.took, f.bytes = map[string][]time.Duration{}, map[string][]int{}
	}
	if _, known := f.took[what]; !known {
		f.order = append(f.order, what)
	}
	f.took[what] = append(f.took[what], d)
}

// start runs the program until it has the rows.
func (f *feeling) start(b *testing.B) *watched {
	runtime.GC()
	begun := time.Now()
	w := watch(b, f.home, f.argv)
	f.note("first", w.until("anything", func(s string) bool { return strings.TrimSpace(s) != "" }).Sub(begun))
	what, rows := "the jobs", "1 of " // the line below them
	if f.finder {
		what, rows = "all rows", fmt.Sprintf("%d/%d", f.n, f.n)
	} else {
		w.send(alt + "2")
	}
	f.note("ready", w.until(what, func(s string) bool { return strings.Contains(s, rows) }).Sub(begun))
	w.rest()
	return w
}

// round starts the program and presses its keys.
func (f *feeling) round(b *testing.B) {
	w := f.start(b)
	defer w.end()
	f.kib = append(f.kib, w.memory())
	if f.finder {
		f.keys(w, "move", "\x1b[A", "\x1b[B")
		f.note("200-at-once", w.after(strings.Repeat("\x1b[A", 200)))
		f.words(w)
		return
	}
	f.keys(w, "move", "j")
	w.send("g")
	w.rest()
	f.note("200-at-once", w.await(strings.Repeat("\x1b[B", 200), "201 of "))
	w.rest()
	w.send("g")
	w.rest()
	if f.name == "darkroom" { // the console of before lost some of them
		f.note("1000-in-a-read", w.await(strings.Repeat("j", 1000), "1 001 of "))
		w.rest()
		f.note("to-the-end", w.await("G", "the last"))
		w.rest()
		w.send("g")
		w.rest()
	}
	w.send("/")
	f.words(w)
	w.send("\x1b")
	w.rest()
	f.keys(w, "switch", alt+"1", alt+"2")
	w.send(alt + "1")
	w.rest()
	f.keys(w, "compose", "a", "b", "c")
}

// words types words, letter by letter: until the last change that a letter brings.
func (f *feeling) words(w *watched) {
	w.rest()
	for _, word := range []string{"lighthouse", "river"} {
		for _, letter := range word {
			w.send(string(letter))
			_, last, _ := w.rest()
			f.note("filter", last)
		}
		w.send("\x15") // ctrl+u
		w.rest()
	}
}

// keys sends keys with pauses, and notes when each of them showed first.
func (f *feeling) keys(w *watched, what string, keys ...string) {
	w.rest()
	for i := range keysEach {
		time.Sleep(time.Duration(40+rand.IntN(50)) * time.Millisecond) //nolint:gosec,forbidigo // a person rests between keys: that is what is measured
		w.send(keys[i%len(keys)])
		first, _, n := w.pause(45 * time.Millisecond)
		if first > 0 {
			f.note(what, first)
			f.bytes[what] = append(f.bytes[what], n)
		}
	}
}

func (f *feeling) report(b *testing.B) {
	for _, what := range f.order {
		all := slices.Sorted(slices.Values(f.took[what]))
		b.ReportMetric(ms(at(all, 50)), what+"-ms")
		if len(all) > keysEach/2 {
			b.ReportMetric(ms(at(all, 95)), what+"-p95-ms")
		}
		if sent := f.bytes[what]; len(sent) > 0 {
			b.ReportMetric(float64(at(slices.Sorted(slices.Values(sent)), 50)), what+"-B")
		}
	}
	b.ReportMetric(float64(at(slices.Sorted(slices.Values(f.kib)), 50))/1024, "MiB")
	b.ReportMetric(0, "ns/op")
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// at is a percentile of what is sorted.
func at[T any](all []T, percent int) T { return all[min(len(all)-1, len(all)*percent/100)] }

// watched is a program in a pty, with an emulator as its screen. What it writes is read and timed by a
// goroutine of its own.
type watched struct {
	b    *testing.B
	cmd  *exec.Cmd
	pty  *os.File
	emu  *vt.Emulator
	got  chan piece
	sent time.Time
	last string
}

type piece struct {
	at   time.Time
	text []byte
}

func watch(b *testing.B, home string, argv []string) *watched {
	b.Helper()
	cmd := exec.Command(argv[0], argv[1:]...) // #nosec G204 -- ours
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
		"DBUS_SESSION_BUS_ADDRESS=unix:path=" + filepath.Join(home, "no-bus")}
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: feelCols, Rows: feelRows})
	require.NoError(b, err)
	w := &watched{b: b, cmd: cmd, pty: f, emu: vt.NewEmulator(feelCols, feelRows), got: make(chan piece, 4096)}
	go func() {
		defer close(w.got)
		for {
			buf := make([]byte, 64<<10)
			n, err := f.Read(buf)
			if err != nil {
				return
			}
			w.got <- piece{time.Now(), buf[:n]}
		}
	}()
	go func() { // what a terminal answers
		_, _ = io.Copy(f, w.emu)
		_, _ = io.Copy(io.Discard, w.emu)
	}()
	return w
}

func (w *watched) end() {
	_ = w.cmd.Process.Kill()
	_ = w.pty.Close()
	for range w.got { //nolint:revive // until its reader has ended
	}
	_ = w.emu.InputPipe().(io.Closer).Close()
	_ = w.cmd.Wait()
}

func (w *watched) send(s string) {
	w.sent = time.Now()
	_, err := w.pty.WriteString(s)
	require.NoError(w.b, err)
}

// text is the screen, with where its cursor is.
func (w *watched) text() string {
	var s strings.Builder
	for y := range feelRows {
		for x := range feelCols {
			if c := w.emu.CellAt(x, y); c != nil {
				s.WriteString(c.Content)
			}
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// until reads until the screen meets a condition, and returns when that came.
func (w *watched) until(what string, met func(string) bool) time.Time {
	w.b.Helper()
	limit := time.After(patience)
	for {
		select {
		case p, ok := <-w.got:
			require.True(w.b, ok, "the program has ended before %s", what)
			_, _ = w.emu.Write(p.text)
			if w.last = w.text(); met(w.last) {
				return p.at
			}
		case <-limit:
			require.Failf(w.b, "never seen", "%s\n%s", what, w.last)
		}
	}
}

// await sends keys, and returns how long it took until a text showed.
func (w *watched) await(keys, text string) time.Duration {
	w.b.Helper()
	w.send(keys)
	return w.until(text, func(s string) bool { return strings.Contains(s, text) }).Sub(w.sent)
}

// after sends keys, and returns how long it took to the last change.
func (w *watched) after(keys string) time.Duration {
	w.send(keys)
	_, last, _ := w.rest()
	return last
}

// rest reads until nothing came for a while: how long after the last key the screen changed first and
// last, and how many bytes came.
func (w *watched) rest() (first, last time.Duration, n int) { return w.pause(quietFor) }

func (w *watched) pause(quiet time.Duration) (first, last time.Duration, n int) {
	for {
		select {
		case p, ok := <-w.got:
			if !ok {
				return first, last, n
			}
			_, _ = w.emu.Write(p.text)
			n += len(p.text)
			if now := w.text(); now != w.last {
				w.last, last = now, p.at.Sub(w.sent)
				if first == 0 {
					first = last
				}
			}
		case <-time.After(quiet):
			return first, last, n
		}
	}
}

// memory is the memory of the process alone, in KiB.
func (w *watched) memory() int {
	pid := w.cmd.Process.Pid
	if child, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)); err == nil && strings.HasPrefix(filepath.Base(w.cmd.Path), "sh") {
		if n, err := strconv.Atoi(strings.TrimSpace(string(child))); err == nil {
			pid = n
		}
	}
	all, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(w.b, err)
	for line := range strings.SplitSeq(string(all), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(rest, "kB")))
			require.NoError(w.b, err)
			return n
		}
	}
	return 0
}

// fillFeels makes a history, and a file with its prompts.
func fillFeels(b *testing.B, path, list string, n int) {
	b.Helper()
	words := strings.Fields(`a the over under slow fast camera pans red green blue kite lighthouse salt flat mountain river boat evening
		light golden hour portrait of an old man young woman child dog running through tall grass rain on window street neon sign`)
	require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o700))
	s, err := store.Open(context.Background(), path)
	require.NoError(b, err)
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same jobs again
	var rows strings.Builder
	for from := 0; from < n; from += 1000 {
		batch := make([]jobs.Change, min(n-from, 1000))
		for i := range batch {
			prompt := make([]string, 12)
			for k := range prompt {
				prompt[k] = words[rnd.IntN(len(words))]
			}
			j := storetest.NewJob("famA-video")
			j.Profile, j.State, j.Draft.Prompt = "sandbox", jobs.Completed, strings.Join(prompt, " ")
			j.EndedAt = j.CreatedAt.Add(time.Minute)
			batch[i] = storetest.Plan(j)
			batch[i].Due = time.Time{} // done: no engine takes it up
			rows.WriteString(j.Draft.Prompt + "\n")
		}
		require.NoError(b, s.Insert(context.Background(), batch))
	}
	require.NoError(b, s.Close())
	require.NoError(b, os.WriteFile(list, []byte(rows.String()), 0o600))
}
