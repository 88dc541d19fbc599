package download

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

func (s *Saver) partOf(r jobs.FileRequest) string {
	return filepath.Join(s.Dir(), partDir, r.Job.ID+"_0")
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func stateOf(t *testing.T, s *Saver) (st partState) {
	t.Helper()
	b, err := os.ReadFile(s.partOf(request()) + ".json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &st))
	return st
}

// TestTheHashIsKept: what is on the disk is not read again to go on, unless the kept state
// cannot be used.
func TestTheHashIsKept(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(st *partState){
		"kept": nil, "another version": func(st *partState) { st.Hash = []byte("sha?") }, "none": func(st *partState) { st.Hash = nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := &source{data: mp4(1 << 20), etag: `"e"`, breaks: 1}
			s := newSaver(t, src, nil)
			_, err := s.Save(t.Context(), request(), nil)
			require.Error(t, err)
			st := stateOf(t, s)
			require.Equal(t, int64(1<<19), st.Synced)
			require.NotEmpty(t, st.Hash)
			want := sum(src.data)
			if spoil == nil { // nobody looks at what is there but at its head
				f, err := os.OpenFile(s.partOf(request())+".part", os.O_WRONLY, 0)
				require.NoError(t, err)
				_, err = f.WriteAt([]byte("another"), 1<<18)
				require.NoError(t, err)
				require.NoError(t, f.Close())
			} else {
				spoil(&st)
				b, err := json.Marshal(st)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(s.partOf(request())+".json", b, 0o600))
			}
			f, err := s.Save(t.Context(), request(), nil)
			require.NoError(t, err)
			assert.Equal(t, want, f.SHA256)
			assert.Equal(t, "video/mp4", f.MediaType)
			assert.Equal(t, []int64{0, 1 << 19}, src.froms)
		})
	}
}

// TestBytesThatWereNotSyncedComeAgain as after a power loss, whatever they are.
func TestBytesThatWereNotSyncedComeAgain(t *testing.T) {
	t.Parallel()
	src := &source{data: mp4(1 << 20), etag: `"e"`, breaks: 1}
	s := newSaver(t, src, nil)
	_, err := s.Save(t.Context(), request(), nil)
	require.Error(t, err)
	f, err := os.OpenFile(s.partOf(request())+".part", os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	_, err = f.Write(make([]byte, 4096))
	require.NoError(t, err)
	require.NoError(t, f.Close())
	got, err := s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	assert.Equal(t, sum(src.data), got.SHA256)
	b, err := os.ReadFile(got.Path)
	require.NoError(t, err)
	assert.Equal(t, src.data, b)

	src.breaks = 1
	r := request()
	r.Job.ID = "other"
	_, err = s.Save(t.Context(), r, nil)
	require.Error(t, err)
	require.NoError(t, os.Truncate(filepath.Join(s.Dir(), partDir, "other_0.part"), 1000))
	src.froms = nil
	_, err = s.Save(t.Context(), r, nil)
	require.NoError(t, err)
	assert.Equal(t, []int64{0}, src.froms, "a part that is shorter than it should be is not gone on with")
}

func TestResumeByDate(t *testing.T) {
	t.Parallel()
	src := &source{data: mp4(1 << 16), etag: `W/"weak"`, modified: "Wed, 19 Nov 2025 10:00:00 GMT", breaks: 1}
	s := newSaver(t, src, nil)
	_, err := s.Save(t.Context(), request(), nil)
	require.Error(t, err)
	f, err := s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	assert.Equal(t, []int64{0, 1 << 15}, src.froms)
	assert.Equal(t, sum(src.data), f.SHA256)
}

// TestAPartThatDoesNotSayOfWhat is not appended: it may be one of another file.
func TestAPartThatDoesNotSayOfWhat(t *testing.T) {
	t.Parallel()
	src := &source{data: mp4(1 << 16), etag: `"e"`, breaks: 1}
	s := newSaver(t, src, nil)
	_, err := s.Save(t.Context(), request(), nil)
	require.Error(t, err)
	src.data = append(mp4(100), src.data[100:]...)
	src.open = func(s *source, _ client.Asset, from int64, _ string) (*client.Media, error) {
		m := &client.Media{Body: io.NopCloser(bytes.NewReader(s.data[from:])), From: from, Total: int64(len(s.data))}
		return m, nil
	}
	f, err := s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	assert.Equal(t, sum(src.data), f.SHA256)
	assert.Equal(t, []int64{0, 1 << 15, 0}, src.froms)
}

// TestTheDiskFillsUp in the middle: what is there stays, and is gone on with.
func TestTheDiskFillsUp(t *testing.T) {
	t.Parallel()
	src := &source{data: mp4(8 << 20), etag: `"e"`}
	s := newSaver(t, src, nil)
	room := 3<<20 + 12345
	s.write = func(f *os.File, p []byte) (int, error) {
		n, err := f.Write(p[:min(room, len(p))])
		room -= n
		if err == nil && n < len(p) {
			err = &os.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
		}
		return n, err
	}
	_, err := s.Save(t.Context(), request(), nil)
	require.True(t, isFault(err, jobs.SaveNoSpace), "%v", err)
	require.ErrorContains(t, err, "no space left")
	assert.Equal(t, []string{partDir + "/" + request().Job.ID + "_0.json", partDir + "/" + request().Job.ID + "_0.part"}, files(t, s))
	_, err = s.Save(t.Context(), request(), nil)
	require.True(t, isFault(err, jobs.SaveNoSpace), "%v", err)
	room = 1 << 30
	f, err := s.Save(t.Context(), request(), nil)
	require.NoError(t, err)
	assert.Equal(t, []int64{0, 3<<20 + 12345, 3<<20 + 12345}, src.froms)
	assert.Equal(t, sum(src.data), f.SHA256)
	b, err := os.ReadFile(f.Path)
	require.NoError(t, err)
	assert.Equal(t, src.data, b)
}

// TestNoRoomToBeginWith leaves what is there as it is.
func TestNoRoomToBeginWith(t *testing.T) {
	t.Parallel()
	free := int64(1 << 40)
	src := &source{data: mp4(1 << 20), etag: `"e"`, breaks: 1}
	s := newSaver(t, src, func(o *Options) { o.Free = func(string) int64 { return free } })
	_, err := s.Save(t.Context(), request(), nil)
	require.True(t, isFault(err, jobs.SaveTemporary), "%v", err)
	free = 64<<20 + 1<<19 - 1
	_, err = s.Save(t.Context(), request(), nil)
	require.True(t, isFault(err, jobs.SaveNoSpace), "%v", err)
	require.ErrorContains(t, err, "keep_free")
	free++
	_, err = s.Save(t.Context(), request(), nil)
	require.NoError(t, err, "the rest alone needs room")
	assert.Equal(t, []int64{0, 1 << 19, 1 << 19}, src.froms)
}

// drip gives some bytes at a time, with a pause before each.
type drip struct {
	r     io.Reader
	bytes int64
	pause time.Duration
}

func (d drip) Read(p []byte) (int, error) {
	<-time.After(d.pause)
	return d.r.Read(p[:min(int64(len(p)), d.bytes)])
}

func (d drip) Close() error { return nil }

// TestSlowBodies in virtual time: one that drips is broken off, and gone on with; one that
// is slow is waited for.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		bytes  int64
		rate   int64
		broken bool
	}{
		"drips":       {bytes: 100, broken: true},
		"slow":        {bytes: 1100},
		"drips, free": {bytes: 100, rate: -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := &source{data: mp4(200_000), etag: `"e"`}
			s := newSaver(t, src, func(o *Options) { o.MinRate = tc.rate })
			src.open = func(s *source, _ client.Asset, from int64, _ string) (*client.Media, error) {
				d := drip{bytes.NewReader(s.data[from:]), tc.bytes, time.Second}
				return &client.Media{Body: d, From: from, Total: int64(len(s.data)), ETag: s.etag}, nil
			}
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				f, err := s.Save(context.Background(), request(), nil)
				if !tc.broken {
					require.NoError(t, err)
					assert.Equal(t, sum(src.data), f.SHA256)
					assert.InDelta(t, 200_000/tc.bytes, time.Since(begin).Seconds(), 3)
					return
				}
				require.True(t, isFault(err, jobs.SaveTemporary), "%v", err)
				require.ErrorContains(t, err, "only 6000 bytes came in 1m0s")
				assert.Equal(t, time.Minute, time.Since(begin))
				_, err = s.Save(context.Background(), request(), nil)
				require.Error(t, err)
				assert.Equal(t, []int64{0, 6000}, src.froms)
			})
		})
	}
}

// TestCheckpoints: a kill costs what came since the last one, not all.
func TestCheckpoints(t *testing.T) {
	t.Parallel()
	src := &source{data: mp4(3 << 20), etag: `"e"`}
	s := newSaver(t, src, nil)
	src.open = func(s *source, _ client.Asset, from int64, _ string) (*client.Media, error) {
		d := drip{bytes.NewReader(s.data[from:]), 100_000, 500 * time.Millisecond}
		return &client.Media{Body: d, From: from, Total: int64(len(s.data)), ETag: s.etag}, nil
	}
	synctest.Test(t, func(t *testing.T) {
		var kept []int64
		_, err := s.Save(context.Background(), request(), func(done, _ int64) {
			if done > 0 && done < int64(len(src.data)) {
				synctest.Wait() // what is under way is done
				st := stateOf(t, s)
				kept = append(kept, done-st.Synced)
				assert.Equal(t, hashOf(t, st), sum(src.data[:st.Synced]))
			}
		})
		require.NoError(t, err)
		require.NotEmpty(t, kept)
		for _, lost := range kept {
			assert.LessOrEqual(t, lost, int64(300_000))
		}
	})
}

func hashOf(t *testing.T, st partState) string {
	t.Helper()
	if st.Synced == 0 {
		return sum(nil)
	}
	h, err := restoreHash(strings.NewReader(""), st.Hash, st.Synced)
	require.NoError(t, err)
	return hex.EncodeToString(h.Sum(nil))
}

func FuzzPartState(f *testing.F) {
	f.Add([]byte(`{"source":"url","etag":"\"e\"","total":65536,"synced":100,"hash":"c2hh"}`))
	f.Add([]byte(`{"source":"url","etag":"\"e\"","total":-1,"synced":-5}`))
	f.Add([]byte(`{"synced":9223372036854775807}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		src := &source{data: mp4(1 << 12), etag: `"e"`}
		s := newSaver(t, src, nil)
		require.NoError(t, os.MkdirAll(filepath.Join(s.Dir(), partDir), 0o700))
		require.NoError(t, os.WriteFile(s.partOf(request())+".json", b, 0o600))
		require.NoError(t, os.WriteFile(s.partOf(request())+".part", src.data[:200], 0o600))
		got, err := s.Save(t.Context(), request(), nil)
		require.NoError(t, err)
		saved, err := os.ReadFile(got.Path)
		require.NoError(t, err)
		require.Equal(t, src.data, saved)
	})
}
