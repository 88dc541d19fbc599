package intake_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client/intake"
)

func TestFilesOfARequestAreLeftOut(t *testing.T) {
	got, err := reader(t).Read(`{"model":"famA3","prompt":"file:///is/text","input_reference":"file:///a/x%20y.png",`+
		`"content":[{"type":"image_url","image_url":{"url":"file:///a/z.png"},"role":"first_frame"},{"type":"text","text":"kept"}],`+
		`"zz":{"deep":["file:///a/q.png"],"n":12345678901234567890}}`, intake.Hint{})
	require.NoError(t, err)
	files := []string{"/a/q.png", "/a/x y.png", "/a/z.png"}
	require.Equal(t, files, got.Files())
	left := got.LeaveOut(files)
	assert.Empty(t, left.Files())
	assert.Equal(t, "file:///is/text", left.Draft.Prompt, "a text is no file")
	assert.JSONEq(t, `{"n":12345678901234567890}`, string(left.Draft.Extra["zz"]))
	assert.Contains(t, string(left.Draft.Extra["zz"]), "12345678901234567890")
	assert.NotContains(t, left.Draft.Values, "input_reference")
	assert.Equal(t, files, got.Files(), "the request itself is as it was")
	assert.Equal(t, []string{"/a/q.png"}, got.LeaveOut(files[1:]).Files(), "only those that are named")
}
