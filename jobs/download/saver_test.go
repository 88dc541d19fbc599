package download

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

// source serves bytes, with the faults that a test asks for.
type source struct {
	data []byte
	etag string
	// modified is a strong date, "" for none
	modified string
	noSize   bool
	open     func(s *source, a client.Asset, from int64, etag string) (*client.Media, error)
	breaks   int // number of answers that break off in the middle

	mu    sync.Mutex
	froms []int64
	urls  []string
}

func (s *source) Open(_ context.Context, _, _ string, a client.Asset, from int64, etag string) (*client.Media, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.froms = append(s.froms, from)
	s.urls = append(s.urls, a.URL)
	if s.open != nil {
		if m, err := s.open(s, a, from, etag); m != nil || err != nil {
			return m, err
		}
	}
	if from > 0 && etag != s.etag && (etag != s.modified || etag == "") {
		from = 0
	}
	body := io.Reader(bytes.NewReader(s.data[from:]))
	if s.breaks > 0 {
		s.breaks--
		half := int64(len(s.data)) - from
		body = io.MultiReader(io.LimitReader(body, half/2), broken{})
	}
	total := int64(len(s.data))
	if s.noSize {
		total = -1
	}
	m := &client.Media{Body: io.NopCloser(body), From: from, Total: total, ETag: s.etag, Modified: s.modified}
	if a.URL == "" { // the content path
		m.Quote = func(head []byte) []byte { return head }
	}
	return m, nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func mp4(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{5, byte(n), byte(n >> 8), byte(n >> 16)}).Read(b) // never fails
	copy(b, "\x00\x00\x00\x18ftypisom")
	return b
}

func request() jobs.FileRequest {
	return jobs.FileRequest{
		Job: jobs.Job{
			ID: "0198c0de-0000-7000-8000-000000000001", Profile: "p", Format: "videos", QueryFormat: "videos", TaskID: "t1",
			Draft:     client.Draft{Modality: client.Video, Model: "famA3", Prompt: "a kite", Values: client.Values{"seed": json.Number("42")}},
			CreatedAt: time.Date(2025, 11, 20, 12, 0, 0, 0, time.Local),
		},
		Asset:   client.Asset{Kind: client.AssetVideo, URL: "https://h/v.mp4"},
		Request: []byte(`{"prompt":"a kite"}`), Answer: []byte(`not JSON`),
	}
}

func newSaver(t *testing.T, src *source, set func(*Options)) *Saver {
	t.Helper()
	o := Options{Dir: filepath.Join(t.TempDir(), "out"), Source: src}
	if set != nil {
		set(&o)
	}
	s, err := New(o)
	require.NoError(t, err)
	return s
}

func files(t *testing.T, s *Saver) []string {
	t.Helper()
	var names []string
	require.NoError(t, filepath.WalkDir(s.Dir(), func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(s.Dir(), p)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	}))
	return names
}

const wantName = "2025-11-20/kite_famA3_00000001"

func TestSave(t *testing.T) {
	t.Parallel()
	src := &source{data: mp4(3 << 20), etag: `"e"`}
	s := newSaver(t, src, nil)
	var last, total int64
	f, err := s.Save(t.Context(), request(), func(d, n int64) { last, total = d, n })
	require.NoError(t, err)
	sum := sha256.Sum256(src.data)
	assert.Equal(t, jobs.File{
		Kind: client.AssetVideo, State: jobs.FileSaved, Path: filepath.Join(s.Dir(), filepath.FromSlash(wantName+".mp4")),
		Bytes: 3 << 20, Total: 3 << 20, SHA256: hex.EncodeToString(sum[:]), MediaType: "video/mp4",
	}, f)
	assert.Equal(t, int64(3<<20), last)
	assert.Equal(t, int64(3<<20), total)
	got, err := os.ReadFile(f.Path)
	require.NoError(t, err)
	assert.Equal(t, src.data, got)
	assert.Equal(t, []string{wantName + ".mp4", wantName + ".mp4.json"}, files(t, s), "no part is left")
	for name, want := range map[string]os.FileMode{f.Path: 0o600, f.Path + ".json": 0o600, filepath.Dir(f.Path): 0o700, s.Dir(): 0o700} {
		st, err := os.Stat(name)
		require.NoError(t, err)
		assert.Equal(t, want, st.Mode().Perm(), name)
	}
	b, err := os.ReadFile(f.Path + ".json")
	require.NoError(t, err)
	var sc sidecar
	require.NoError(t, json.Unmarshal(b, &sc))
	assert.Equal(t, f.SHA256, sc.File.SHA256)
	assert.JSONEq(t, `{"prompt":"a kite"}`, string(sc.Request))
	assert.JSONEq(t, `"not JSON"`, string(sc.Answer))
	assert.Contains(t, string(sc.Draft), `"seed": 42`)
}

func TestNothingIsOverwritten(t *testing.T) {
	t.Parallel()
	src := &source{data: mp4(1000)}
	s := newSaver(t, src, nil)
	first, err := s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	again, err := s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	assert.Equal(t, first.Path, again.Path, "the same bytes are not kept twice")
	src.data = mp4(1001)
	other, err := s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	assert.True(t, strings.HasSuffix(other.Path, "_00000001-1.mp4"), other.Path)
	b, err := os.ReadFile(first.Path)
	require.NoError(t, err)
	assert.Len(t, b, 1000)
	assert.Len(t, files(t, s), 4)
}

func TestResume(t *testing.T) {
	t.Parallel()
	src := &source{data: mp4(1 << 20), etag: `"e"`, breaks: 2}
	s := newSaver(t, src, nil)
	for range 2 {
		_, err := s.Save(t.Context(), request(), nil)
		require.True(t, isFault(err, jobs.SaveTemporary), err)
	}
	f, err := s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	assert.Equal(t, []int64{0, 1 << 19, 1<<19 + 1<<18}, src.froms)
	sum := sha256.Sum256(src.data)
	assert.Equal(t, hex.EncodeToString(sum[:]), f.SHA256)
}

func TestResumeOfAChangedFile(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*source){
		"If-Range honoured": func(s *source) { s.etag = `"new"` },
		"range of another file": func(s *source) {
			s.open = func(s *source, _ client.Asset, from int64, _ string) (*client.Media, error) {
				return &client.Media{Body: io.NopCloser(bytes.NewReader(s.data[from:])), From: from, Total: int64(len(s.data)), ETag: `"new"`}, nil
			}
		},
		"other length": func(s *source) { s.data = append(mp4(1<<20), 7) },
		"416": func(s *source) {
			s.open = func(_ *source, _ client.Asset, from int64, _ string) (*client.Media, error) {
				if from > 0 {
					return nil, &client.APIError{HTTPStatus: 416}
				}
				return nil, nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := &source{data: mp4(1 << 20), etag: `"e"`, breaks: 1}
			s := newSaver(t, src, nil)
			_, err := s.Save(t.Context(), request(), nil)
			require.Error(t, err)
			src.data[1<<18] ^= 1 // within what is on the disk
			set(src)
			f, err := s.Save(t.Context(), request(), nil)
			require.NoError(t, err)
			sum := sha256.Sum256(src.data)
			assert.Equal(t, hex.EncodeToString(sum[:]), f.SHA256)
			got, err := os.ReadFile(f.Path)
			require.NoError(t, err)
			assert.Equal(t, src.data, got)
		})
	}
}

func TestWithoutETagItBeginsAgain(t *testing.T) {
	t.Parallel()
	for _, etag := range []string{"", `W/"weak"`} {
		src := &source{data: mp4(1 << 16), etag: etag, breaks: 1, noSize: true}
		s, r := newSaver(t, src, nil), request()
		r.Job.TaskID = "" // there is no content path to fall back to
		_, err := s.Save(t.Context(), r, nil)
		require.Error(t, err)
		_, err = s.Save(t.Context(), r, nil)
		require.NoError(t, err)
		assert.Equal(t, []int64{0, 0}, src.froms)
	}
}

func TestFallbackToContent(t *testing.T) {
	t.Parallel()
	gone := func(_ *source, a client.Asset, _ int64, _ string) (*client.Media, error) {
		if a.URL != "" {
			return nil, &client.APIError{HTTPStatus: 403, Message: "expired"}
		}
		return nil, nil
	}
	src := &source{data: mp4(1000), open: gone}
	s := newSaver(t, src, nil)
	f, err := s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	assert.Equal(t, int64(1000), f.Bytes)
	assert.Equal(t, []string{"https://h/v.mp4", ""}, src.urls, "the URL first")

	src = &source{open: func(*source, client.Asset, int64, string) (*client.Media, error) {
		return nil, &client.APIError{HTTPStatus: 404}
	}}
	s = newSaver(t, src, nil)
	_, err = s.Save(t.Context(), request(), nil)
	assert.True(t, isFault(err, jobs.SaveExpired), err)
	r := request()
	r.Asset.Kind = client.AssetCover
	src.urls = nil
	_, err = s.Save(t.Context(), r, nil)
	require.Error(t, err)
	assert.Len(t, src.urls, 1, "a cover has no content path")
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	png := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 2000)...)
	for name, tc := range map[string]struct {
		data  []byte
		set   func(*Options)
		open  func(*source, client.Asset, int64, string) (*client.Media, error)
		fault jobs.SaveFault
		says  string
	}{
		"html":     {data: []byte("<html>\x1b[31mNo\u202e such key</html>"), fault: jobs.SaveExpired, says: "such key"},
		"json":     {data: []byte(`{"error":{"message":"expired"}}`), fault: jobs.SaveExpired, says: "expired"},
		"picture":  {data: png, fault: jobs.SavePermanent, says: "image/png"},
		"empty":    {data: nil, fault: jobs.SaveTemporary, says: "nothing"},
		"zeros":    {data: make([]byte, 3<<20), fault: jobs.SaveTemporary, says: "all zero instead of the video"},
		"one zero": {data: []byte{0}, fault: jobs.SaveTemporary, says: "1 bytes that are all zero"},
		"zeros of a length that nobody told": {open: func(*source, client.Asset, int64, string) (*client.Media, error) {
			return &client.Media{Body: io.NopCloser(bytes.NewReader(make([]byte, 9000))), Total: -1, MediaType: "video/mp4"}, nil
		}, fault: jobs.SaveTemporary, says: "all zero"},
		"too large":  {data: mp4(5000), set: func(o *Options) { o.MaxBytes = 4999 }, fault: jobs.SavePermanent, says: "4999"},
		"no space":   {data: mp4(5000), set: func(o *Options) { o.Free = func(string) int64 { return 64<<20 + 4999 } }, fault: jobs.SaveNoSpace, says: "disk"},
		"5xx":        {open: failing(503), fault: jobs.SaveTemporary},
		"400":        {open: failing(400), fault: jobs.SavePermanent},
		"page, 200":  {open: failing(200), fault: jobs.SaveExpired},
		"no network": {open: func(*source, client.Asset, int64, string) (*client.Media, error) { return nil, errors.New("reset") }, fault: jobs.SaveTemporary, says: "reset"},
		"short": {open: func(s *source, _ client.Asset, _ int64, _ string) (*client.Media, error) {
			return &client.Media{Body: io.NopCloser(bytes.NewReader(mp4(100))), Total: 101}, nil
		}, fault: jobs.SaveTemporary, says: "100 of 101"},
		"long": {open: func(s *source, _ client.Asset, _ int64, _ string) (*client.Media, error) {
			return &client.Media{Body: io.NopCloser(bytes.NewReader(mp4(100))), Total: 99}, nil
		}, fault: jobs.SaveTemporary, says: "more came than the 99"},
		"grows past the limit": {open: func(s *source, _ client.Asset, _ int64, _ string) (*client.Media, error) {
			return &client.Media{Body: io.NopCloser(bytes.NewReader(mp4(5000))), Total: -1}, nil
		}, set: func(o *Options) { o.MaxBytes = 4000 }, fault: jobs.SavePermanent, says: "4000"},
		"odd range": {open: func(s *source, _ client.Asset, _ int64, _ string) (*client.Media, error) {
			return &client.Media{Body: io.NopCloser(bytes.NewReader(mp4(100))), From: 5, Total: 105}, nil
		}, fault: jobs.SaveTemporary, says: "from 5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSaver(t, &source{data: tc.data, open: tc.open, etag: `"e"`}, tc.set)
			_, err := s.Save(t.Context(), request(), nil)
			require.Error(t, err)
			assert.True(t, isFault(err, tc.fault), "%v", err)
			assert.ErrorContains(t, err, tc.says)
			assert.NotContains(t, err.Error(), "\x1b")
			assert.NotContains(t, err.Error(), "\u202e")
			for _, f := range files(t, s) {
				assert.True(t, strings.HasPrefix(f, partDir+"/"), "nothing is saved: %s", f)
			}
		})
	}
}

func failing(status int) func(*source, client.Asset, int64, string) (*client.Media, error) {
	return func(*source, client.Asset, int64, string) (*client.Media, error) {
		return nil, &client.APIError{HTTPStatus: status}
	}
}

// TestInlineWaitsForNobody: bytes that came in an answer are lost with the process until they
// are on the disk.
func TestInlineWaitsForNobody(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	s := newSaver(t, &source{open: func(*source, client.Asset, int64, string) (*client.Media, error) {
		close(begun)
		<-goOn
		return nil, io.ErrUnexpectedEOF
	}}, func(o *Options) { o.Concurrency = 1 })
	var wg sync.WaitGroup
	wg.Go(func() {
		r := request()
		r.Job.TaskID = "" // one way alone
		_, err := s.Save(context.Background(), r, nil)
		assert.Error(t, err)
	})
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r := request()
	r.Job.ID, r.Asset = "0198c0de-0000-7000-8000-000000000002", client.Asset{Kind: client.AssetVideo, Inline: mp4(1000)}
	_, err := s.Save(ctx, r, nil)
	close(goOn)
	wg.Wait()
	require.NoError(t, err)
}

func TestInlineAndKinds(t *testing.T) {
	t.Parallel()
	src := &source{}
	s := newSaver(t, src, nil)
	png := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 100)...)
	for kind, suffix := range map[client.AssetKind]string{
		client.AssetImage: "_00000001.png", client.AssetCover: "_00000001_cover.png", client.AssetLastFrame: "_00000001_last.png",
	} {
		r := request()
		r.Asset = client.Asset{Kind: kind, Inline: png}
		f, err := s.Save(t.Context(), r, nil)
		require.NoError(t, err)
		assert.True(t, strings.HasSuffix(f.Path, suffix), f.Path)
	}
	assert.Empty(t, src.froms, "bytes that are here are not asked for")
	r := request()
	r.Asset = client.Asset{Kind: client.AssetVideo, Inline: []byte{0, 1, 2, 3, 200, 201}}
	f, err := s.Save(t.Context(), r, nil)
	require.NoError(t, err)
	assert.True(t, strings.HasSuffix(f.Path, ".bin"), "unknown bytes are kept, under no false name")
}

func TestConcurrentSavesOfOneName(t *testing.T) {
	t.Parallel()
	s := newSaver(t, &source{}, func(o *Options) { o.Template = "same.{ext}" })
	var wg sync.WaitGroup
	paths := make([]string, 12)
	for i := range paths {
		wg.Go(func() {
			r := request()
			r.Job.ID = fmt.Sprintf("job-%d", i)
			r.Asset.Inline = mp4(1000 + i)
			f, err := s.Save(context.Background(), r, nil)
			assert.NoError(t, err)
			paths[i] = f.Path
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for i, p := range paths {
		assert.False(t, seen[p], p)
		seen[p] = true
		st, err := os.Stat(p)
		require.NoError(t, err)
		assert.Equal(t, int64(1000+i), st.Size())
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	src := &source{data: mp4(8 << 20), etag: `"e"`}
	s := newSaver(t, src, nil)
	_, err := s.Save(ctx, request(), func(done, _ int64) {
		if done > 0 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	assert.Positive(t, src.froms[1], "it goes on where it was")
}

func TestSymlinkCannotLeadOut(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	s := newSaver(t, &source{data: mp4(100)}, nil)
	require.NoError(t, os.MkdirAll(s.Dir(), 0o700))
	require.NoError(t, os.Symlink(outside, filepath.Join(s.Dir(), "2025-11-20")))
	_, err := s.Save(t.Context(), request(), nil)
	require.Error(t, err)
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestClean(t *testing.T) {
	t.Parallel()
	src := &source{data: mp4(1 << 16), etag: `"e"`, breaks: 1}
	s := newSaver(t, src, nil)
	require.NoError(t, s.Clean(0), "there is no folder yet")
	_, err := s.Save(t.Context(), request(), nil)
	require.Error(t, err)
	require.NoError(t, s.Clean(time.Hour))
	assert.Len(t, files(t, s), 2)
	require.NoError(t, s.Clean(-time.Hour))
	assert.Empty(t, files(t, s))
}

func BenchmarkSave(b *testing.B) {
	src := &source{data: mp4(64 << 20)}
	s, err := New(Options{Dir: b.TempDir(), Source: src})
	require.NoError(b, err)
	b.SetBytes(int64(len(src.data)))
	for i := 0; b.Loop(); i++ {
		r := request()
		r.Job.ID = fmt.Sprint(i)
		f, err := s.Save(b.Context(), r, nil)
		require.NoError(b, err)
		require.NoError(b, os.Remove(f.Path))
	}
}

// Dir is the folder that files are saved below.
func (s *Saver) Dir() string { return s.o.Dir }
