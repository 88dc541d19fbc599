package inspect

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
)

func TestExpiry(t *testing.T) {
	want := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	for _, u := range []string{
		"https://s3.example/a.mp4?X-Amz-Date=20261122T100000Z&X-Amz-Expires=86400&X-Amz-Signature=x",
		"https://tos.example/a.mp4?X-Tos-Expires=86400&X-Tos-Date=20261122T100000Z",
		"https://oss.example/a.mp4?Expires=1795428000&Signature=x",
		"https://blob.example/a.mp4?se=2026-11-23T11%3A00%3A00%2B01%3A00&sig=x",
	} {
		assert.Equal(t, want, Expiry(u), u)
	}
	for _, u := range []string{"", "https://e.com/a", "https://e.com/a?expires=soon", "https://e.com/a?expires=3600", "https://e.com/a?X-Amz-Expires=5", "https://e.com/a?X-Amz-Date=20261122T100000Z&X-Amz-Expires=999999999999", "://"} {
		assert.True(t, Expiry(u).IsZero(), u)
	}
}

func TestResultURLs(t *testing.T) {
	a := task(client.StatusCompleted)
	a.Task.Assets = []client.Asset{{URL: "https://a"}, {Content: true}, {URL: "https://a"}, {URL: "https://b"}}
	f := about(a)
	f.Job = &jobs.Job{Assets: []client.Asset{{URL: "https://old"}}}
	assert.Equal(t, []string{"https://a", "https://b"}, f.ResultURLs())
	f.Routes = nil
	assert.Equal(t, []string{"https://old"}, f.ResultURLs())
	assert.Empty(t, (&Findings{}).ResultURLs())
	assert.Equal(t, "200 OK, video/mp4, 2.0 MB, expires in 2 h", ResultCheck{Head: client.Head{StatusCode: 200, MediaType: "video/mp4", Bytes: 2_000_000}, Expires: now.Add(2 * time.Hour)}.Words(now))
	for left, words := range map[time.Duration]string{time.Second: "expires in 1 s", time.Second - 1: "expires now", 0: "expired just now", -time.Second + 1: "expired just now", -time.Second: "expired 1 s ago"} {
		assert.Equal(t, "200 OK, "+words, ResultCheck{Head: client.Head{StatusCode: 200, Bytes: -1}, Expires: now.Add(left)}.Words(now))
	}
	assert.Equal(t, "403 Forbidden, expired 3 d ago", ResultCheck{Head: client.Head{StatusCode: 403, Bytes: -1}, Expires: now.Add(-72 * time.Hour)}.Words(now))
	assert.Equal(t, "no answer: gone ␛", ResultCheck{Err: errors.New("gone \x1b")}.Words(now))
	assert.True(t, ResultCheck{Head: client.Head{StatusCode: 206}}.Alive())
	assert.False(t, ResultCheck{Head: client.Head{StatusCode: 403}}.Alive())
	assert.False(t, ResultCheck{Head: client.Head{StatusCode: 200}, Err: errors.New("x")}.Alive())
}
