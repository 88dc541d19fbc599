package inspect

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// records has the request of every job.
type records struct{}

func (records) Record(_ context.Context, id string) (jobs.Record, error) {
	request := []byte(`{"prompt":"a red kite"}`)
	return jobs.Record{Job: jobs.Job{ID: id}, Bodies: map[string][]byte{jobs.PayloadSHA(request): request},
		Current: map[jobs.PayloadKind]string{jobs.PayloadRequest: jobs.PayloadSHA(request)}}, nil
}

func read(t *testing.T) *bench {
	t.Helper()
	g, h := &gateway{answers: map[string]client.RouteResult{}}, &history{}
	k := keys.New(Rows())
	d := Deps{Gateway: g, Catalog: embedded(t), Jobs: h, Keys: k, Styles: tuitest.Styles(t), Bodies: body.Options{History: records{}, Keys: k}, Now: func() time.Time { return now }}
	m := New(d)
	return &bench{Driver: tuitest.NewScreen(t, m, 120, 34), m: m, gw: g, h: h}
}

func TestTheAnswerIsReadAsATree(t *testing.T) {
	b := read(t)
	b.gw.answers["videos"] = completed()
	b.ask("vid_1")
	b.Key("W")
	msg, _ := tuitest.Last[screen.ToastMsg](b.Driver)
	assert.Contains(t, msg.Text, "knows no job with this id")
	b.Key("tab", "tab", "enter")
	assert.Contains(t, b.View(), "videos answer now completed")
	b.Key("/")
	b.Type("cover")
	b.Key("enter", "Y")
	copied, _ := tuitest.Last[screen.CopyMsg](b.Driver)
	assert.Equal(t, ".cover_url", copied.Text)
	b.Golden("bodies-120x34")
	b.Key("esc")
	assert.Nil(t, b.m.stack.Top())
}

func TestWhatWasSentShowsOfAJob(t *testing.T) {
	b := read(t)
	b.gw.answers["videos"] = completed()
	b.h.jobs = []jobs.Job{aJob()}
	b.ask("vid_1")
	b.Key("W")
	assert.Contains(t, b.View(), "1 request")
	assert.Contains(t, b.View(), "a red kite")
	b.Key("tab")
	assert.Contains(t, b.View(), "videos answer now completed", "the answers of now are there, too")
}

func TestAWebPageShowsAsText(t *testing.T) {
	b := read(t)
	b.gw.answers["videos"] = client.RouteResult{Meta: client.Meta{HTTPStatus: 502}, Raw: []byte("<html><head><title>502 Bad Gateway</title></head><body><hr>nginx</body></html>"), Err: &client.APIError{HTTPStatus: 502}}
	b.ask("vid_1")
	assert.Contains(t, b.View(), "a web page in place of JSON: “502 Bad Gateway”")
	assert.Contains(t, b.View(), "nginx")
	assert.NotContains(t, b.View(), "<html>")
	b.Key("w")
	assert.Contains(t, b.View(), "<html>", "raw as it came")
}
