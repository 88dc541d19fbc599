package browsertest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/compare/browsertest"
)

// TestItHearsWhatAPageMustNotDo: a check of pages that cannot fail would be none.
func TestItHearsWhatAPageMustNotDo(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>x</title><img src="http://elsewhere.invalid/a.png"><p id="done"></p>
<script>alert("hello"); console.error("ouch"); document.getElementById("done").textContent = "done"; throw new Error("thrown")</script>`)
	}))
	t.Cleanup(srv.Close)
	p := browsertest.Open(t, browsertest.Below(srv.URL))
	require.NoError(t, chromedp.Do(p.Context, chromedp.Navigate(srv.URL+"/page")))
	text, err := chromedp.Run(p.Context, chromedp.Text("#done"))
	require.NoError(t, err)
	assert.Equal(t, "done", text)
	assert.Equal(t, []string{"hello"}, p.Dialogs())
	assert.Equal(t, []string{"http://elsewhere.invalid/a.png"}, p.Strayed())
	told := fmt.Sprint(p.Told())
	assert.Contains(t, told, "ouch")
	assert.Contains(t, told, "thrown")
}

func TestBelow(t *testing.T) {
	ok := browsertest.Below("http://127.0.0.1:80/tok/")
	assert.True(t, ok("http://127.0.0.1:80/tok/a?b"))
	for _, no := range []string{"http://127.0.0.1:80/", "http://127.0.0.1:81/tok/", "https://127.0.0.1:80/tok/", "file:///tok/", ":"} {
		assert.False(t, ok(no), no)
	}
	assert.True(t, browsertest.Below("file:///tmp/r")("file:///tmp/r/report.html"))
}
