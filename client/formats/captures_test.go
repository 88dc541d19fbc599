package formats_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/formats"
)

// recording is one recorded exchange: what was asked and what came.
type recording struct {
	Request struct {
		Method string `json:"method"`
		Path   string `json:"path"`
	} `json:"request"`
	Response struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
		Body    json.RawMessage   `json:"body"`
		Text    string            `json:"text"`
	} `json:"response"`
	// Want is only in fixtures of our own.
	Want *want `json:"want"`
}

type want struct {
	Refused  bool          `json:"refused"` // the decoder has to fail
	ID       string        `json:"id"`
	Format   string        `json:"format"`
	Status   client.Status `json:"status"`
	Raw      string        `json:"raw_status"`
	Progress *float64      `json:"progress"`
	URLs     []string      `json:"urls"`
	Code     string        `json:"code"`
	Message  string        `json:"message"`
	Title    string        `json:"title"`
	Lyrics   string        `json:"lyrics"`
	Text     string        `json:"text"`
	Created  int64         `json:"created"` // Unix milliseconds
	AsSent   string        `json:"created_as_sent"`
	Extra    []string      `json:"extra"`
	Content  bool          `json:"content"`
	AltIDs   []string      `json:"alt_ids"`
}

// TestCaptures decodes every recorded exchange of $CAPTURES, or of our own small folder,
// by its request path: task, state, error and URLs have to be found.
func TestCaptures(t *testing.T) {
	dir := os.Getenv("CAPTURES")
	switch {
	case dir == "":
		dir = filepath.Join("testdata", "recorded")
	case !filepath.IsAbs(dir): // as seen from the root of the module, where make runs
		dir = filepath.Join("..", "..", dir)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recordings in %s", dir)
	checked := 0
	for _, file := range files {
		raw, err := os.ReadFile(file) //nolint:gosec // a folder that the tester names
		require.NoError(t, err)
		var rec recording
		if json.Unmarshal(raw, &rec) != nil || rec.Response.Status == 0 {
			continue // not a recording of one exchange
		}
		checked++
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) { checkRecording(t, rec) })
	}
	require.Positive(t, checked, "no exchange in %s", dir)
	t.Logf("%d exchanges checked", checked)
}

func (r recording) response() client.Response {
	out := client.Response{StatusCode: r.Response.Status, Header: http.Header{}, Body: r.Response.Body}
	for k, v := range r.Response.Headers {
		out.Header.Set(k, v)
	}
	if out.Body == nil {
		out.Body = []byte(r.Response.Text)
	}
	return out
}

// asked is the task id in the path of a query, "" for none.
func (r recording) asked() string {
	path, _, _ := strings.Cut(r.Request.Path, "?")
	path = strings.TrimSuffix(path, "/creations")
	id, err := url.PathUnescape(path[strings.LastIndexByte(path, '/')+1:])
	if err != nil || r.Request.Method != http.MethodGet || strings.HasSuffix(path, "/fetch") {
		return ""
	}
	return id
}

func checkRecording(t *testing.T, rec recording) {
	resp := rec.response()
	for _, f := range formats.All() { // nothing panics, whatever is given to whom
		_, _ = f.DecodeCreate(resp)
		_, _ = f.DecodeQuery(resp)
	}
	if resp.StatusCode >= 300 {
		checkRefusal(t, rec, resp)
		return
	}
	switch path, _, _ := strings.Cut(rec.Request.Path, "?"); {
	case strings.HasSuffix(path, "/models"):
		checkModels(t, rec, resp)
		return
	case strings.Contains(path, "/chat/completions"):
		checkChat(t, rec, resp)
		return
	}
	name := formatOf(rec.Request.Path)
	if name == "" {
		return
	}
	f := byName(t, name)
	if rec.Response.Body == nil { // a page or a stream where JSON belongs
		_, err := f.DecodeQuery(resp)
		require.Error(t, err)
		return
	}
	decode := f.DecodeQuery
	if rec.Request.Method == http.MethodPost && !strings.HasSuffix(rec.Request.Path, "/fetch") {
		decode = f.DecodeCreate
	}
	task, err := decode(resp)
	if asked := rec.asked(); err == nil && asked != "" {
		assert.True(t, task.About(asked), "an answer about %q names %v", asked, task.Own)
		assert.Equal(t, len(task.Own.Texts)+len(task.Own.Numbers) == 0, task.About("another-"+asked), "%v", task.Own)
	}
	if rec.Want != nil {
		checkWanted(t, *rec.Want, task, err)
		return
	}
	require.NoError(t, err)
	checkFound(t, rec, task)
}

// checkFound checks by what the body itself says.
func checkFound(t *testing.T, rec recording, task client.Task) {
	body := string(rec.Response.Body)
	checkTimes(t, body, task)
	if rec.Request.Method == http.MethodPost {
		require.True(t, task.ID != "" && strings.Contains(body, task.ID) || len(task.Assets) > 0, "neither id nor result")
	}
	if rec.Request.Method == http.MethodGet {
		last := rec.Request.Path[strings.LastIndexByte(rec.Request.Path, '/')+1:]
		assert.True(t, !strings.Contains(body, last) || task.ID == last, "id %q, asked for %q", task.ID, last)
		assert.NotEmpty(t, task.RawStatus)
		assert.Contains(t, body, strings.TrimPrefix(task.RawStatus, "not "))
	}
	switch task.Status {
	case client.StatusFailed:
		if task.Error == nil { // only where the body says nothing more
			assert.NotRegexp(t, `"(error|fail_reason|err_code|message|task_status_msg)": *("[^"]|\{)`, body)
			return
		}
		assert.NotEmpty(t, task.Error.Message+task.Error.Code)
	case client.StatusCompleted:
		require.True(t, len(task.Assets) > 0 || task.Text != "" || !strings.Contains(body, "http"), "no result was found")
		for _, a := range task.Assets {
			assert.True(t, a.Content || len(a.Inline) > 0 || strings.Contains(body, a.URL) && a.URL != "")
		}
		assert.Nil(t, task.Error)
	default:
		assert.Empty(t, task.Assets)
		assert.Nil(t, task.Error)
	}
}

// sentTime is a time that an answer names, but for 0 and null.
var sentTime = regexp.MustCompile(`"(created_at|submit_time|created)": *("[0-9]|[1-9])`)

// checkTimes wants the time of the create wherever a body has one: as a moment, or as sent where it has no
// zone; the others in their order, and an end of what has ended alone.
func checkTimes(t *testing.T, body string, task client.Task) {
	t.Helper()
	sent := task.AsSent
	if sentTime.MatchString(body) {
		assert.True(t, !task.CreatedAt.IsZero() || sent.Created != "", "the time of the create is lost")
	}
	last := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, at := range []time.Time{task.CreatedAt, task.StartedAt, task.EndedAt} {
		if !at.IsZero() {
			assert.False(t, at.Before(last), "%s before %s", at, last)
			last = at
		}
	}
	assert.Less(t, last.Year(), 2100, "milliseconds that were taken for seconds")
	if !task.Status.Terminal() {
		assert.True(t, task.EndedAt.IsZero() && sent.Ended == "", "what goes on has not ended")
	}
	for at, s := range map[time.Time]string{task.CreatedAt: sent.Created, task.StartedAt: sent.Started, task.EndedAt: sent.Ended} {
		assert.True(t, at.IsZero() || s == "", "both a moment and none: %s, %q", at, s)
	}
}

// checkModels wants every name of the list.
func checkModels(t *testing.T, rec recording, resp client.Response) {
	for _, l := range formats.ModelLists() {
		if rec.Response.Body == nil {
			_, _, err := l.Decode(resp)
			require.Error(t, err)
			continue
		}
		list, _, err := l.Decode(resp)
		require.NoError(t, err)
		require.NotEmpty(t, list)
		for _, m := range list {
			assert.Contains(t, string(rec.Response.Body), m.ID)
		}
	}
}

// checkChat reads an answer whole or as a stream: there has to be a text, or an error.
func checkChat(t *testing.T, rec recording, resp client.Response) {
	codec, ok := byName(t, "chat").(client.ChatCodec)
	require.True(t, ok)
	if rec.Response.Body != nil {
		a, err := codec.DecodeChat(resp)
		require.NoError(t, err)
		assert.NotEmpty(t, a.Finish+a.Text)
		return
	}
	s := codec.NewStream()
	var told strings.Builder
	for line := range strings.SplitSeq(rec.Response.Text, "\n") {
		delta, done, err := s.Line([]byte(line))
		told.WriteString(delta)
		if err != nil {
			assert.NotEmpty(t, err.Error())
			return
		}
		if done {
			break
		}
	}
	delta, err := s.End()
	told.WriteString(delta)
	require.NoError(t, err)
	assert.Equal(t, s.Answer().Text, told.String())
	assert.NotEmpty(t, s.Answer().Finish)
	if rec.Want != nil {
		assert.Equal(t, rec.Want.Text, s.Answer().Text)
	}
}

func checkRefusal(t *testing.T, rec recording, resp client.Response) {
	e := client.ParseError(resp, rec.Request.Method, rec.Request.Path, time.Now())
	assert.NotEmpty(t, e.Message)
	assert.NotContains(t, e.Message, "<html")
	assert.NotContains(t, e.Message, `{"error"`)
	if rec.Want != nil {
		assert.Equal(t, rec.Want.Code, e.Code)
		assert.Contains(t, e.Message, rec.Want.Message)
	}
	for k, v := range rec.Response.Headers {
		if strings.Contains(strings.ToLower(k), "request-id") {
			assert.Equal(t, v, e.RequestID)
		}
	}
}

func checkWanted(t *testing.T, w want, task client.Task, err error) {
	if w.Refused {
		require.Error(t, err)
		assert.Contains(t, err.Error(), w.Message)
		return
	}
	require.NoError(t, err)
	assert.Equal(t, w.ID, task.ID)
	assert.Equal(t, w.Status, task.Status)
	assert.Equal(t, w.Raw, task.RawStatus)
	if w.Format != "" {
		assert.Equal(t, w.Format, task.Format)
	}
	if w.Progress != nil {
		assert.InDelta(t, *w.Progress, task.Progress, 1e-9)
	}
	var urls []string
	content := false
	for _, a := range task.Assets {
		content = content || a.Content
		if a.URL != "" {
			urls = append(urls, string(a.Kind)+" "+a.URL)
		}
	}
	assert.Equal(t, w.URLs, urls)
	assert.Equal(t, w.Content, content)
	if w.Code+w.Message == "" {
		assert.Nil(t, task.Error)
	} else if assert.NotNil(t, task.Error) {
		assert.Equal(t, w.Code, task.Error.Code)
		assert.Equal(t, w.Message, task.Error.Message)
	}
	assert.Equal(t, w.Title, task.Title)
	assert.Equal(t, w.Lyrics, task.Lyrics)
	if w.Created != 0 {
		assert.Equal(t, w.Created, task.CreatedAt.UnixMilli())
	}
	if w.AsSent != "" {
		assert.Equal(t, w.AsSent, task.AsSent.Created)
	}
	for _, k := range w.Extra {
		assert.Contains(t, task.Extra, k)
	}
	for _, id := range w.AltIDs {
		assert.Contains(t, task.AltIDs, id)
	}
}

// formatOf finds the format by a path, also by those of kindred gateways.
func formatOf(path string) string {
	switch {
	case strings.HasSuffix(path, "/content"):
		return ""
	case strings.Contains(path, "/images/"):
		return "images"
	case strings.Contains(path, "/submit/") || strings.Contains(path, "/fetch"):
		return "music"
	case strings.HasPrefix(path, "/v1/responses"):
		return "responses"
	case strings.Contains(path, "/contents/generations/"):
		return "content"
	case strings.Contains(path, "/ent/v2/"):
		return "ent"
	case strings.Contains(path, "/api/v1/"):
		return "tasks"
	case strings.Contains(path, "/videos/image2video"), strings.Contains(path, "/videos/text2video"):
		return "status"
	case strings.Contains(path, "operations"), strings.Contains(path, "predictLongRunning"):
		return "native"
	case strings.Contains(path, "/video"), strings.Contains(path, "/tasks/"):
		return "videos"
	default:
		return ""
	}
}

func byName(t *testing.T, name string) client.Format {
	for _, f := range formats.All() {
		if f.Name() == name {
			return f
		}
	}
	require.Fail(t, "no format "+name)
	return nil
}
