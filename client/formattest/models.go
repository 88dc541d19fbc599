package formattest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// ModelAnswer is the body of a model list of status 200 and what is in it.
type ModelAnswer struct {
	Name  string
	Body  string
	Fails bool // the decoder has to refuse it
	IDs   []string
	Next  string
}

// Models runs every check against the codec of a model list.
func Models(t *testing.T, l client.ModelLister, cases []ModelAnswer) {
	t.Helper()
	assert.Regexp(t, `^[a-z][a-z0-9-]*$`, l.Name())
	assert.Equal(t, l.Label(), client.CleanLine(l.Label()))
	assert.NotEmpty(t, l.Label())
	for _, page := range []string{"", "p/1?x=y&z#\r\n"} {
		req := l.Request(page)
		assert.Equal(t, http.MethodGet, req.Method)
		assert.True(t, strings.HasPrefix(req.Path, "/"))
		assert.NotContains(t, req.Path, "#")
		assert.NotContains(t, req.Path, "\n")
		assert.LessOrEqual(t, strings.Count(req.Path, "?"), 1)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			got, next, err := l.Decode(OK(c.Body))
			if c.Fails {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			ids := make([]string, 0, len(got))
			for _, m := range got {
				ids = append(ids, m.ID)
			}
			assert.Equal(t, c.IDs, ids)
			assert.Equal(t, c.Next, next)
		})
	}
	for _, body := range Hostile() {
		assert.NotPanics(t, func() { _, _, _ = l.Decode(OK(body)) })
	}
}
