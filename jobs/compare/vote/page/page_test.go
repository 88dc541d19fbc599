package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/compare"
	"darkroom/jobs/compare/vote"
	"darkroom/jobs/compare/vote/votetest"
)

// bench is a vote that a browser could look at.
type bench struct {
	t       *testing.T
	dir     string
	run     *compare.Run
	session *vote.Session
	site    *site
	srv     *httptest.Server
	ended   bool
	mu      sync.Mutex
	heard   bytes.Buffer // all that was answered, headers and addresses too
}

func start(t *testing.T, run *compare.Run) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), run: run}
	s, err := vote.Open(b.dir, run, "ana")
	require.NoError(t, err)
	b.session = s
	b.srv = httptest.NewUnstartedServer(nil)
	b.site = newSite(s, b.srv.Listener.Addr().String(), func() { b.ended = true })
	b.srv.Config.Handler = b.site
	b.srv.Start()
	t.Cleanup(func() {
		b.srv.Close()
		require.NoError(t, s.Close())
	})
	return b
}

// ask asks as a page of ours would; change may spoil that.
func (b *bench) ask(method, path string, body any, change func(*http.Request)) (*http.Response, []byte) {
	b.t.Helper()
	var send io.Reader
	if body != nil {
		j, err := json.Marshal(body)
		require.NoError(b.t, err)
		send = bytes.NewReader(j)
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.site.address()+path, send)
	require.NoError(b.t, err)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if change != nil {
		change(r)
	}
	c := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := c.Do(r)
	require.NoError(b.t, err)
	got, err := io.ReadAll(resp.Body)
	require.NoError(b.t, err)
	require.NoError(b.t, resp.Body.Close())
	b.mu.Lock()
	defer b.mu.Unlock()
	fmt.Fprintln(&b.heard, resp.Request.URL.Path, resp.Header)
	b.heard.Write(got)
	return resp, got
}

func (b *bench) state() shown {
	b.t.Helper()
	resp, body := b.ask("GET", "state", nil, nil)
	require.Equal(b.t, http.StatusOK, resp.StatusCode, string(body))
	var s shown
	require.NoError(b.t, json.Unmarshal(body, &s))
	return s
}

// TestNothingTellsOfTheModelsBeforeTheReveal: not a word of any answer, header or address, whatever is
// asked for.
func TestNothingTellsOfTheModelsBeforeTheReveal(t *testing.T) {
	for name, run := range map[string]*compare.Run{"pictures": votetest.Pictures(t, 3, 1, 1), "videos": votetest.Videos(t, 2, 1, 1), "sounds": votetest.Sounds(t, 2, 1, 1)} {
		t.Run(name, func(t *testing.T) {
			b := start(t, run)
			for _, path := range []string{"", "page.js", "page.css", "icon.svg", "nothing", "file/x/a", "pair/x", "../" + name} {
				b.ask("GET", path, nil, nil)
			}
			for {
				s := b.state()
				if s.Ballot == nil {
					break
				}
				id := s.Ballot.ID
				resp, body := b.ask("GET", "pair/"+id, nil, nil)
				require.Equal(t, 200, resp.StatusCode, string(body))
				var heads []string
				var sizes []int
				for _, side := range []string{"a", "b"} {
					resp, body := b.ask("GET", "file/"+id+"/"+side, nil, nil)
					require.Equal(t, 200, resp.StatusCode)
					require.NotEmpty(t, body)
					heads, sizes = append(heads, fmt.Sprint(resp.Header)), append(sizes, len(body))
					for _, h := range []string{"Last-Modified", "Etag", "Date", "Set-Cookie", "Content-Disposition"} {
						assert.Empty(t, resp.Header.Get(h), h)
					}
				}
				assert.Equal(t, heads[0], heads[1], "the same of both")
				assert.Equal(t, sizes[0], sizes[1])
				b.ask("GET", "file/"+id+"/c", nil, nil)
				b.ask("POST", "vote", said{Ballot: "old", Answer: "a"}, nil)
				b.ask("POST", "rate", said{Ballot: id, Side: vote.A, Stars: 4}, nil)
				b.ask("POST", "note", said{Ballot: id, Text: "a note"}, nil)
				resp, body = b.ask("POST", "vote", said{Ballot: id, Answer: vote.AnswerA}, nil)
				require.Equal(t, 200, resp.StatusCode, string(body))
			}
			all := b.heard.String()
			for _, word := range votetest.Secrets() {
				assert.False(t, strings.Contains(all, word), "%q is told", word)
			}
			resp, body := b.ask("POST", "reveal", said{}, nil)
			require.Equal(t, 200, resp.StatusCode)
			assert.Contains(t, string(body), "fam0-omni", "else nothing could have been told")
			assert.NotNil(t, b.state().Result)
		})
	}
}

// TestWhoMayNot is answered that there is nothing.
func TestWhoMayNot(t *testing.T) {
	b := start(t, votetest.Pictures(t, 2, 1, 1))
	id := b.state().Ballot.ID
	host := b.srv.Listener.Addr().String()
	_, port, _ := strings.Cut(host, ":")
	for name, c := range map[string]struct {
		method, path string
		change       func(*http.Request)
		code         int
	}{
		"the page":              {"GET", "", nil, 200},
		"by the name localhost": {"GET", "state", func(r *http.Request) { r.Host = "localhost:" + port }, 200},
		"opened by the person":  {"GET", "", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "none") }, 200},
		"no token":              {"GET", "", func(r *http.Request) { r.URL.Path = "/" }, 404},
		"no slash":              {"GET", "", func(r *http.Request) { r.URL.Path = "/" + b.site.token }, 404},
		"a wrong token":         {"GET", "", func(r *http.Request) { r.URL.Path = "/" + strings.Repeat("A", len(b.site.token)) + "/state" }, 404},
		"the beginning of it":   {"GET", "", func(r *http.Request) { r.URL.Path = "/" + b.site.token[:5] + "/state" }, 404},
		"another name for here": {"GET", "state", func(r *http.Request) { r.Host = "evil.example:" + port }, 404},
		"without its port":      {"GET", "state", func(r *http.Request) { r.Host = "127.0.0.1" }, 404},
		"another site's script": {"GET", "state", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 404},
		"another port's script": {"GET", "state", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, 404},
		"another site's picture": {"GET", "file/" + id + "/a", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}, 404},
		"no file":       {"GET", "file/" + id + "/c", nil, 404},
		"another way":   {"GET", "vote", nil, 405},
		"deleting":      {"DELETE", "state", nil, 405},
		"posting a get": {"POST", "state", nil, 405},
		"climbing":      {"GET", "file/..%2f..%2f..%2fetc%2fpasswd/a", nil, 404},
		"climbing up":   {"GET", "../../../etc/passwd", nil, 404},
	} {
		t.Run(name, func(t *testing.T) {
			resp, body := b.ask(c.method, c.path, nil, c.change)
			assert.Equal(t, c.code, resp.StatusCode)
			assert.NotContains(t, string(body), "root:")
			assert.Empty(t, resp.Header.Get("Access-Control-Allow-Origin"))
			assert.Equal(t, policy, resp.Header.Get("Content-Security-Policy"))
			assert.Equal(t, "nosniff", resp.Header.Get("X-Content-Type-Options"))
			assert.Equal(t, "no-referrer", resp.Header.Get("Referrer-Policy"))
			assert.Equal(t, "no-store", resp.Header.Get("Cache-Control"))
		})
	}
	// A form of another site cannot send JSON.
	resp, _ := b.ask("POST", "vote", said{Ballot: id, Answer: vote.AnswerA}, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") })
	assert.Equal(t, http.StatusUnsupportedMediaType, resp.StatusCode)
	for _, body := range []any{"x", []int{1}, strings.Repeat("x", maxBody+1)} {
		resp, _ = b.ask("POST", "vote", body, nil)
		assert.Equal(t, http.StatusBadRequest, resp.StatusCode)
	}
	for _, a := range []said{{Ballot: id, Answer: "c"}, {Ballot: id}} {
		resp, _ = b.ask("POST", "vote", a, nil)
		assert.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode)
	}
	assert.Zero(t, b.session.Progress().Judged)
}

// TestTheAddressThatIsOpenedWorksOnce: who reads what programs are started with comes too late.
func TestTheAddressThatIsOpenedWorksOnce(t *testing.T) {
	b := start(t, votetest.Pictures(t, 2, 1, 1))
	once := b.site.once()
	assert.NotContains(t, once, b.site.token)
	path := once[strings.LastIndex(once, "/"):]
	resp, _ := b.ask("GET", "", nil, func(r *http.Request) { r.URL.Path = path; r.Host = "evil.example" })
	assert.Equal(t, 404, resp.StatusCode, "nobody else uses it up")
	resp, _ = b.ask("GET", "", nil, func(r *http.Request) { r.URL.Path = path })
	assert.Equal(t, http.StatusSeeOther, resp.StatusCode)
	assert.Equal(t, "/"+b.site.token+"/", resp.Header.Get("Location"))
	resp, _ = b.ask("GET", "", nil, func(r *http.Request) { r.URL.Path = path })
	assert.Equal(t, 404, resp.StatusCode)
}

// TestASecondTab that answers the pair of the first one is told, and takes nothing away.
func TestASecondTab(t *testing.T) {
	b := start(t, votetest.Pictures(t, 3, 1, 1))
	id := b.state().Ballot.ID
	var codes [8]int
	var wg sync.WaitGroup
	for i := range codes {
		wg.Go(func() {
			resp, _ := b.ask("POST", "vote", said{Ballot: id, Answer: vote.AnswerB}, nil)
			codes[i] = resp.StatusCode
		})
	}
	wg.Wait()
	counts := map[int]int{}
	for _, c := range codes {
		counts[c]++
	}
	assert.Equal(t, map[int]int{200: 1, 409: 7}, counts)
	assert.EqualValues(t, 1, b.state().Progress.Judged)
	resp, _ := b.ask("GET", "file/"+id+"/a", nil, nil)
	assert.Equal(t, 409, resp.StatusCode, "nor does it show what is over")
	resp, body := b.ask("POST", "undo", said{}, nil)
	assert.Equal(t, 200, resp.StatusCode)
	assert.NotContains(t, string(body), id, "it has another id when it comes back")
	resp, _ = b.ask("POST", "undo", said{}, nil)
	assert.Equal(t, 409, resp.StatusCode)
}

// TestVideosComeInParts, as browsers ask for them.
func TestVideosComeInParts(t *testing.T) {
	b := start(t, votetest.Videos(t, 2, 1, 1))
	id := b.state().Ballot.ID
	_, whole := b.ask("GET", "file/"+id+"/a", nil, nil)
	resp, part := b.ask("GET", "file/"+id+"/a", nil, func(r *http.Request) { r.Header.Set("Range", "bytes=100-199") })
	assert.Equal(t, http.StatusPartialContent, resp.StatusCode)
	assert.True(t, bytes.Equal(whole[100:200], part))
	assert.Equal(t, "video/mp4", resp.Header.Get("Content-Type"))
}

// TestWhatCannotBeShownCanBeSkipped, and is said without a name.
func TestWhatCannotBeShownCanBeSkipped(t *testing.T) {
	run := votetest.Pictures(t, 2, 1, 1)
	require.NoError(t, os.WriteFile(run.Trials[0].Files[0].Path, []byte("\x89PNG\r\n\x1a\nfam0"), 0o600))
	b := start(t, run)
	id := b.state().Ballot.ID
	for _, path := range []string{"pair/" + id, "file/" + id + "/a"} {
		resp, body := b.ask("GET", path, nil, nil)
		assert.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode)
		assert.Contains(t, string(body), "one of the two cannot be shown")
		assert.NotContains(t, string(body), "fam0")
	}
	resp, _ := b.ask("POST", "vote", said{Ballot: id, Answer: vote.Skip}, nil)
	assert.Equal(t, 200, resp.StatusCode)
}

func TestServeEndsWithTheJudgeOrTheContext(t *testing.T) {
	for _, by := range []string{"judge", "context"} {
		t.Run(by, func(t *testing.T) {
			run := votetest.Pictures(t, 2, 1, 1)
			s, err := vote.Open(t.TempDir(), run, "ana")
			require.NoError(t, err)
			defer func() { require.NoError(t, s.Close()) }()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			opened, told := make(chan string, 1), make(chan string, 1)
			done := make(chan error, 1)
			go func() {
				done <- Serve(ctx, s, Options{
					Open: func(a string) error { opened <- a; return fmt.Errorf("no browser") },
					Told: func(a string, err error) { told <- a + " " + err.Error() },
				})
			}()
			resp, err := http.Get(<-opened)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			assert.Equal(t, 200, resp.StatusCode)
			address, why, _ := strings.Cut(<-told, " ")
			assert.Equal(t, "no browser", why)
			assert.Equal(t, address, resp.Request.URL.String())
			assert.Equal(t, "127.0.0.1", resp.Request.URL.Hostname())
			if by == "context" {
				cancel()
			} else {
				resp, err := http.Post(address+"end", "application/json", strings.NewReader("{}"))
				require.NoError(t, err)
				assert.Equal(t, 200, resp.StatusCode, "it is told so")
				require.NoError(t, resp.Body.Close())
			}
			require.NoError(t, <-done)
			_, err = http.Get(address)
			require.Error(t, err)
		})
	}
}

// TestThePageAsksForNothingElsewhere: no address of another place is in it, and no script or style in
// the HTML, which the policy would refuse.
func TestThePageAsksForNothingElsewhere(t *testing.T) {
	for _, name := range []string{"page.html", "page.css", "page.js"} {
		b, err := os.ReadFile(filepath.Clean(name))
		require.NoError(t, err)
		for _, word := range []string{"http:", "https:", "//cdn", "@import", "eval(", "innerHTML", "onclick", "style="} {
			assert.NotContains(t, string(b), word, name)
		}
	}
}
