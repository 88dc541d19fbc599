package bundle

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
)

func TestNoQueryIsLeftHoweverItIsEscaped(t *testing.T) {
	o := Options{NoQueries: true}
	for _, body := range []string{
		`{"d":"{\"a\":\"https://x.example/y.png?e=1&sig=SECRET\"}"}`,
		`{"d":"{\"a\":\"https://x.example/y.png?e=1\\u0026sig=SECRET\"}"}`,
		`{"d":"cut {\"a\":\"https://x.example/y.png?e=1\\u0026sig=SECRET"}`,
		`{"d":"cut {\"a\":\"https:\\/\\/x.example\\/y.png?e=1&sig=SECRET"}`,
		`{"d":"HTTPS://x.example/y.png?e=1&sig=SECRET"}`,
		`{"d":"https://x.example/y.png?u='a'&sig=SECRET"}`,
		`{"a":"https://x.example/y.png?e=1\u0026sig=SECRET`,
		`{"a":"https:\/\/x.example\/y.png?e=1&sig=SECRET`,
	} {
		out := string(o.Redact(&jobs.Job{}, []byte(body)))
		assert.NotContains(t, out, "SECRET", body)
		assert.Contains(t, out, "y.png", body)
	}
	assert.JSONEq(t, `{"d":"{\"a\":\"https://x.example/y\",\"b\":1}"}`, string(o.Redact(&jobs.Job{}, []byte(`{"d":"{\"a\":\"https://x.example/y?s=1&t=2\",\"b\":1}"}`))))
}

func TestNoMediaIsLeftHoweverItIsEscaped(t *testing.T) {
	base64 := strings.Repeat(`QUJ+\/SECRET`, 50)
	for _, body := range []string{
		`{"said":"https:\/\/x.example\/SECRET.png?e=1&sig=SECRET`,
		`{"said":"HTTPS:\/\/x.example\/SECRET.png\u003fe=1\u0026sig=SECRET","more`,
		`{"d":"cut {\"a\":\"https:\\/\\/x.example\\/SECRET.mp4"}`,
		`{"video_url":"https://x.example/SECRET`,
		`{"video_url": "https:\/\/x.example\/SECRET","more`,
		`{"d":"cut {\"imageUrl\":\"https:\\/\\/x.example\\/SECRET"}`,
		`{"a":"data:image\/png;base64,SECRET\/SECRET","more`,
		`{"a":"Data:image/png;base64,SECRET`,
		`{"a":"` + base64 + `\u003d","more`,
		`{"a":"` + strings.ReplaceAll(base64, "+", `\u002B`) + `","more`,
		`{"d":"cut {\"a\":\"` + strings.ReplaceAll(base64, `\`, `\\`) + `"}`,
	} {
		out := string(Options{NoMedia: true}.Redact(&jobs.Job{}, []byte(body)))
		assert.NotContains(t, out, "SECRET", body)
		assert.Equal(t, strings.Contains(body, "more"), strings.Contains(out, `"more`), "nothing beyond it goes")
	}
	j := jobs.Job{Draft: client.Draft{Values: client.Values{"image_url": "https://x.example/SECRET?a=1&b=2"}}}
	for _, body := range []string{`cut https:\/\/x.example\/SECRET?a=1&b=2`, `cut https://x.example/SECRET?a=1\u0026b=2`} {
		assert.Equal(t, "cut "+leftOut, string(Options{NoMedia: true}.Redact(&j, []byte(body))))
	}
	for _, body := range []string{`{"docs_url":7,"said":"see the curl\": \"manual`, `https://x.example/docs and a/b/c+d`} {
		assert.Equal(t, body, string(Options{NoMedia: true}.Redact(&jobs.Job{}, []byte(body))), "what is none stays")
	}
}

func TestNoFolderIsLeftAndNoAddressIsSpoilt(t *testing.T) {
	j := jobs.Job{Files: []jobs.File{{Path: "/home/me/x.png"}, {Path: "/home/me/case-of-nda/y.png"}, {Path: "/z.png"}},
		Draft: client.Draft{Values: client.Values{"images": []any{"file:///srv/nda/ref.png"}}}}
	out := string(Options{NoPaths: true}.Redact(&j, []byte(`{"a":"/home/me/case-of-nda/y.png","b":"/srv/nda/ref.png: no such file","c":"https://x.example/y"}`)))
	assert.NotContains(t, out, "nda")
	assert.NotContains(t, out, "home")
	assert.Contains(t, out, "https://x.example/y")
}

func TestABundleOfManySmallValuesIsRefused(t *testing.T) {
	var b bytes.Buffer
	events := `{"events":[` + strings.Repeat("{},", maxValues) + `{}]}`
	require.NoError(t, Write(&b, []File{{"bundle.json", []byte(`{"version":1,"cases":["c"]}`)}, {"c/case.json", []byte(events)}}, time.Time{}))
	assert.Less(t, b.Len(), 1<<16)
	_, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
	assert.ErrorContains(t, err, "it holds too much")
}
