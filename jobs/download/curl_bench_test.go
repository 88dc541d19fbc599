//go:build unix

package download

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
	"darkroom/jobs"
)

// envServe names the file that this binary serves instead of running tests.
const envServe = "DOWNLOAD_TEST_SERVE"

// TestMain is the tests', or a server in a process of its own, so that its CPU time is
// not counted as the saver's. It ends when its standard input does.
func TestMain(m *testing.M) {
	if path := os.Getenv(envServe); path != "" {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"bench"`)
			w.Header().Set("Content-Type", "video/mp4")
			http.ServeFile(w, r, path)
		}))
		_, _ = fmt.Fprintln(os.Stdout, srv.URL)
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const benchSize = 512 << 20

// BenchmarkAgainstCurl downloads 512 MiB from a server on this machine, by turns with
// curl followed by sync, and with a Saver, which hashes, syncs and renames. It reports
// the median rates, the CPU seconds a GiB, and the median of the ratios of the pairs.
func BenchmarkAgainstCurl(b *testing.B) {
	for _, tool := range []string{"curl", "sync"} {
		_, err := exec.LookPath(tool)
		require.NoError(b, err, "`make tools` installs what is missing")
	}
	dir := b.TempDir()
	url := serveBig(b, dir)
	s, err := New(Options{Dir: filepath.Join(dir, "saved"), Source: webSource(b, url)})
	require.NoError(b, err)
	var rates [2][]float64
	var ratios []float64
	var cpu [2]time.Duration
	n := 0
	for b.Loop() {
		var took [2]time.Duration
		for i := range 2 {
			who := (i + n) % 2
			var c time.Duration
			if who == 0 {
				took[0], c = byCurl(b, url, filepath.Join(dir, "curl.mp4"))
			} else {
				took[1], c = bySaver(b, s, url, n)
			}
			cpu[who] += c
			rates[who] = append(rates[who], benchSize/1e6/took[who].Seconds())
		}
		ratios = append(ratios, took[0].Seconds()/took[1].Seconds())
		n++
	}
	gib := float64(n) * benchSize / (1 << 30)
	b.ReportMetric(0, "ns/op") // two downloads together say nothing
	b.ReportMetric(median(rates[0]), "curl-MB/s")
	b.ReportMetric(median(rates[1]), "saver-MB/s")
	b.ReportMetric(cpu[0].Seconds()/gib, "curl-cpu-s/GiB")
	b.ReportMetric(cpu[1].Seconds()/gib, "saver-cpu-s/GiB")
	b.ReportMetric(median(ratios), "saver/curl")
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

// serveBig makes a file and starts a server for it.
func serveBig(b *testing.B, dir string) string {
	b.Helper()
	path := filepath.Join(dir, "big.mp4")
	f, err := os.Create(path)
	require.NoError(b, err)
	_, err = f.WriteString("\x00\x00\x00\x18ftypisom")
	require.NoError(b, err)
	_, err = io.CopyN(f, rand.NewChaCha8([32]byte{1}), benchSize-12)
	require.NoError(b, err)
	require.NoError(b, f.Sync())
	require.NoError(b, f.Close())
	cmd := exec.Command(os.Args[0]) //nolint:gosec // this test binary
	cmd.Env = append(os.Environ(), envServe+"="+path)
	in, err := cmd.StdinPipe()
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(b, err)
	return strings.TrimSpace(line)
}

// webSource is the client that the console uses.
func webSource(tb testing.TB, url string) *client.Client {
	tb.Helper()
	c, err := client.New(client.Options{BaseURL: url, Key: func() (string, error) { return "k", nil }, Formats: formats.All()})
	require.NoError(tb, err)
	tb.Cleanup(c.Close)
	return c
}

func byCurl(b *testing.B, url, to string) (took, cpu time.Duration) {
	b.Helper()
	begin := time.Now()
	for _, argv := range [][]string{{"curl", "-sS", "-o", to, url + "/"}, {"sync", to}} {
		cmd := exec.Command(argv[0], argv[1:]...) //nolint:gosec // two fixed commands
		out, err := cmd.CombinedOutput()
		require.NoError(b, err, "%s", out)
		cpu += cmd.ProcessState.SystemTime() + cmd.ProcessState.UserTime()
	}
	took = time.Since(begin)
	st, err := os.Stat(to)
	require.NoError(b, err)
	require.EqualValues(b, benchSize, st.Size())
	require.NoError(b, os.Remove(to))
	return took, cpu
}

func bySaver(b *testing.B, s *Saver, url string, n int) (took, cpu time.Duration) {
	b.Helper()
	r := request()
	r.Job.ID = fmt.Sprint(n)
	r.Asset.URL = url + "/"
	before := ownCPU(b)
	begin := time.Now()
	f, err := s.Save(b.Context(), r, nil)
	took = time.Since(begin)
	cpu = ownCPU(b) - before
	require.NoError(b, err)
	require.Equal(b, jobs.FileSaved, f.State)
	require.EqualValues(b, benchSize, f.Bytes)
	require.Len(b, f.SHA256, 64)
	require.NoError(b, os.Remove(f.Path))
	return took, cpu
}

// ownCPU is the CPU time of this process so far.
func ownCPU(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
