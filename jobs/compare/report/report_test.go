package report_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs/compare/report"
)

func TestEveryFormHasTheRun(t *testing.T) {
	r := report.Make(made(six(), prompts, 3, none), report.Options{Now: day})
	var page, mark, csv, js bytes.Buffer
	require.NoError(t, r.HTML(context.Background(), &page))
	require.NoError(t, r.Markdown(&mark))
	require.NoError(t, r.CSV(&csv))
	require.NoError(t, r.JSON(&js))
	for _, b := range []*bytes.Buffer{&page, &mark, &csv, &js} {
		assert.Contains(t, b.String(), "famF-video")
		assert.NotContains(t, b.String(), "/home/ana")
	}
}
