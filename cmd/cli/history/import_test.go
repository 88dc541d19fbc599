package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/store/storetest"
)

func TestLinesOfAnImportAreBounded(t *testing.T) {
	t.Parallel()
	m := &importer{lines: bufioReader(strings.Repeat("x", 100)), limit: 64}
	_, err := m.next()
	require.ErrorContains(t, err, "line 1 is longer than 64 bytes")
}

// TestTheLargestJobComesBack: a line that an export wrote of a long draft, request and answer was
// longer than what an import takes. All is smaller here than what it stands for, the bound as well.
func TestTheLargestJobComesBack(t *testing.T) {
	t.Parallel()
	const smaller = 64
	s, big := storetest.NewMem(), storetest.NewJob("x")
	text := func(size int) []byte { return bytes.Repeat([]byte("x"), size/smaller) }
	r := jobs.Record{Job: big, Bodies: map[string][]byte{}, Current: map[jobs.PayloadKind]string{}}
	r.Job.Draft.Extra = map[string]json.RawMessage{"x": json.RawMessage(`"` + string(text(jobs.MaxDraft)) + `"`)}
	for kind, size := range map[jobs.PayloadKind]int{
		"request": 16 << 20, "create": 16<<20 - smaller, "last": 1 << 20, "answer": 1<<20 - smaller, "inline:0": client.DefaultMaxBody / 4 * 3,
	} {
		body := text(size)
		sha := jobs.PayloadSHA(body)
		r.Bodies[sha], r.Current[kind] = body, sha
	}
	r.Job.Title, r.Job.Note, r.Job.Remark = string(text(1<<20)), string(text(1<<20)), string(text(1<<20))
	_, err := s.Import(t.Context(), []jobs.Record{r})
	require.NoError(t, err)
	var out bytes.Buffer
	_, err = exportTo(t.Context(), &out, s, nil, "test", false, new(progress))
	require.NoError(t, err)
	require.Greater(t, out.Len(), (128<<20)/smaller)
	again := storetest.NewMem()
	m := &importer{store: again, lines: bufio.NewReader(&out), limit: maxImportLine / smaller}
	require.NoError(t, m.run(t.Context()))
	require.Equal(t, 1, m.done.Added)
}

// FuzzImport: whatever comes in is refused by its line, or fits.
func FuzzImport(f *testing.F) {
	m := storetest.NewMem()
	c := storetest.Plan(storetest.NewJob("x"))
	c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte("{}")}}
	require.NoError(f, m.Insert(f.Context(), []jobs.Change{c}))
	var good bytes.Buffer
	_, err := exportTo(f.Context(), &good, m, nil, "test", false, new(progress))
	require.NoError(f, err)
	f.Add(good.String())
	f.Add(`{"darkroom_history":1}` + "\n" + `{"job":{}}` + "\n" + `{"end":true,"jobs":1}`)
	f.Add("")
	f.Fuzz(func(t *testing.T, in string) {
		s := storetest.NewMem()
		im := &importer{store: s, lines: bufioReader(in), limit: 1 << 16}
		err := im.run(t.Context())
		all, e := s.Records(t.Context(), "", 1000)
		require.NoError(t, e)
		require.Len(t, all, im.done.Added)
		for i := range all {
			require.NoError(t, all[i].Check())
			_, e := json.Marshal(all[i])
			require.NoError(t, e)
		}
		if err != nil {
			require.Equal(t, kit.ExitUsage, kit.Code(err), err)
		}
	})
}

func bufioReader(s string) *bufio.Reader { return bufio.NewReaderSize(strings.NewReader(s), 16) }
