package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs"
)

func TestTransferAddsUp(t *testing.T) {
	t.Parallel()
	file := func(s jobs.FileState, bytes, total int64, why ...string) jobs.File {
		f := jobs.File{State: s, Bytes: bytes, Total: total}
		if len(why) > 0 {
			f.Error = why[0]
		}
		return f
	}
	fraction := func(tr jobs.Transfer) float64 {
		f, known := tr.Fraction()
		if !known {
			return -1
		}
		return f
	}
	of := func(files ...jobs.File) jobs.Transfer { return jobs.TransferOf(files) }
	assert.Zero(t, of())
	assert.Zero(t, of(file(jobs.FileSaved, 5, 5), file(jobs.FileFailed, 1, 9, "gone")), "nothing is to come")

	known := of(file(jobs.FileSaved, 500, 500), file(jobs.FileFetching, 250, 1000), file(jobs.FileFailed, 7, 900, "gone"))
	assert.Equal(t, jobs.Transfer{Left: 1, Done: 750, Total: 1500}, known)
	assert.InDelta(t, 0.5, fraction(known), 0.001)
	assert.Equal(t, jobs.Transfer{Left: 1, Done: 900, Total: 900}, of(file(jobs.FileFetching, 900, 800)), "more came than was said")

	for name, open := range map[string]jobs.File{
		"told so":             file(jobs.FileFetching, 250, -1),
		"not told":            file(jobs.FileFetching, 250, 0),
		"not asked for yet":   file(jobs.FileWanted, 0, -1),
		"of an older history": file(jobs.FileWanted, 0, 0),
	} {
		sum := of(file(jobs.FileSaved, 500, 500), open, file(jobs.FileFetching, 1, 10))
		assert.Equal(t, jobs.Transfer{Left: 2, Done: 501 + open.Bytes, Total: -1}, sum, name)
		assert.InDelta(t, -1, fraction(sum), 0, name)
		assert.Equal(t, jobs.Transfer{Left: 3, Done: 1251 + open.Bytes, Total: -1}, known.Plus(sum), name)
		assert.Equal(t, known.Plus(sum), sum.Plus(known), name)
	}
	assert.Equal(t, jobs.Transfer{Left: 2, Done: 1500, Total: 3000}, known.Plus(known))
	assert.Equal(t, known, known.Plus(jobs.Transfer{}))
	assert.Equal(t, known, jobs.Transfer{}.Plus(known))

	waits := of(file(jobs.FileWanted, 3, 9, "HTTP 503"))
	assert.Equal(t, jobs.Transfer{Left: 1, Done: 3, Total: 9, Why: "HTTP 503"}, waits)
	assert.Empty(t, jobs.Transfer{}.Plus(waits).Why, "of one job alone")
	assert.Empty(t, of(file(jobs.FileFetching, 3, 9, "HTTP 503")).Why, "it is being tried again")
}
