package sandbox

import (
	"bytes"
	"image/color"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Public SDKs send multipart/form-data to POST /v1/videos, with text for numbers and
// files for pictures.
func TestMultipart(t *testing.T) {
	b := newBench(t)
	var body bytes.Buffer
	mw := multipart.NewWriter(&body)
	for k, v := range map[string]string{"model": "famI-omni", "mode": "r2v", "prompt": "x", "seconds": "6", "size": "1280x720"} {
		require.NoError(t, mw.WriteField(k, v))
	}
	fw, err := mw.CreateFormFile("input_reference", "kite.png")
	require.NoError(t, err)
	_, err = fw.Write(picturePNG(t, 20, 10, color.White))
	require.NoError(t, err)
	require.NoError(t, mw.Close())
	r := httptest.NewRequest(http.MethodPost, "/v1/videos", &body)
	r.Header.Set("Authorization", "Bearer "+testKey)
	r.Header.Set("Content-Type", mw.FormDataContentType())
	w := b.send(r)
	require.Equal(t, http.StatusOK, w.Code, "%s", w.Body)
	p := b.s.store.get(object(t, w)["id"].(string), kindVideo).Video
	assert.EqualValues(t, 6000, p.DurationMS)
	require.Len(t, p.References, 1)
	assert.Equal(t, refBlob, p.References[0].Kind)
	assert.Equal(t, 20, p.References[0].Width)
}

// postForm sends parts, name and value in turns, as a form.
func (b *bench) postForm(parts ...string) *httptest.ResponseRecorder {
	b.t.Helper()
	var body bytes.Buffer
	mw := multipart.NewWriter(&body)
	for i := 0; i < len(parts); i += 2 {
		require.NoError(b.t, mw.WriteField(parts[i], parts[i+1]))
	}
	require.NoError(b.t, mw.Close())
	r := httptest.NewRequest(http.MethodPost, "/v1/videos", &body)
	r.Header.Set("Authorization", "Bearer "+testKey)
	r.Header.Set("Content-Type", mw.FormDataContentType())
	return b.send(r)
}

// Objects and lists come in the brackets that public SDKs write.
func TestMultipartNames(t *testing.T) {
	b := newBench(t)
	uri := pictureURI(t, 20, 10, color.White)
	for name, parts := range map[string][]string{
		"object":   {"mode", "r2v", "input_reference[image_url]", uri},
		"list":     {"mode", "r2v", "image_urls[]", uri},
		"index":    {"mode", "r2v", "image_urls[0]", uri},
		"JSON":     {"mode", "r2v", "image_urls", `["` + uri + `"]`},
		"content":  {"mode", "r2v", "content[0][type]", "image_url", "content[0][image_url][url]", uri, "content[1][type]", "text", "content[1][text]", "x"},
		"content2": {"mode", "r2v", "content[][type]", "image_url", "content[][image_url][url]", uri, "content[][type]", "text", "content[][text]", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			w := b.postForm(append(parts, "model", "famI-omni", "prompt", "x")...)
			require.Equal(t, http.StatusOK, w.Code, "%s", w.Body)
			p := b.s.store.get(object(t, w)["id"].(string), kindVideo).Video
			require.Len(t, p.References, 1)
			assert.Equal(t, 20, p.References[0].Width)
		})
	}
	for _, parts := range [][]string{
		{"a[0]", "x", "a[b]", "y"}, {"a[b]", "x", "a[0]", "y"}, {"a", "x", "a[]", "y"}, {"a[7]", "x"}, {"a[b", "x"}, {"[a]", "x"},
		{"a[99999999999999999999]", "x"}, {"a[b][c][d][e][f][g]", "x"},
	} {
		w := b.postForm(append(parts, "model", "famI-omni", "mode", "t2v", "prompt", "x")...)
		require.Equal(t, http.StatusBadRequest, w.Code, "%v", parts)
		assert.Contains(t, errorOf(t, w).Message, "does not fit")
	}
	many := make([]string, 2*(partsCap+1))
	for i := range many {
		many[i] = "x"
	}
	assert.Contains(t, errorOf(t, b.postForm(many...)).Message, "more than 200 parts")
}
