package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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

// FuzzImport: whatever comes in is refused by its line, or fits.
func FuzzImport(f *testing.F) {
	m := storetest.NewMem()
	c := storetest.Plan(storetest.NewJob("x"))
	c.Payloads = []jobs.Payload{{Kind: jobs.PayloadAnswer, Body: []byte("{}")}}
	require.NoError(f, m.Insert(f.Context(), []jobs.Change{c}))
	var good bytes.Buffer
	_, err := exportTo(f.Context(), &good, m, nil, "test", false)
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
