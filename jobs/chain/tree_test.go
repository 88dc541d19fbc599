package chain_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/jobs/store/storetest"
)

// family is a history of jobs with names in the place of ids.
type family struct {
	t     *testing.T
	store *storetest.Mem
	ids   map[string]string
}

func newFamily(t *testing.T) *family {
	return &family{t, storetest.NewMem(), map[string]string{}}
}

// add journals a job; parents are names with what they were used for, as "a:i2v".
func (f *family) add(name string, parents ...string) {
	f.t.Helper()
	j := storetest.NewJob(name)
	if id := f.ids[name]; id != "" {
		j.ID = id
	}
	f.ids[name] = j.ID
	var refs []any
	for _, p := range parents {
		of, as, _ := strings.Cut(p, ":")
		if f.ids[of] == "" {
			f.ids[of] = storetest.NewJob(of).ID
		}
		ref := "https://media.invalid/" + of
		refs = append(refs, ref)
		j.Draft.Parents = append(j.Draft.Parents, client.Parent{Job: f.ids[of], As: as, Ref: ref})
	}
	j.Draft.Values = client.Values{"images": refs}
	require.NoError(f.t, f.store.Insert(f.t.Context(), []jobs.Change{{Job: j, Due: time.UnixMilli(1)}}))
}

func (f *family) draw(name string) string {
	f.t.Helper()
	tree, err := chain.Read(f.t.Context(), reader{f.store}, f.ids[name])
	require.NoError(f.t, err)
	var b strings.Builder
	for i, branch := range tree.Branches() {
		l := tree.Links[i]
		who := l.Job.Draft.Prompt
		for n, id := range f.ids {
			if id == l.Job.ID {
				who = n
			}
		}
		b.WriteString(branch + who)
		for _, x := range []struct {
			on   bool
			text string
		}{{l.As != "", " " + l.As}, {l.Self, " self"}, {l.Missing, " missing"}, {l.Also, " also"}, {l.Again, " again"}, {l.More, " more"}} {
			if x.on {
				b.WriteString(x.text)
			}
		}
		b.WriteString("\n")
	}
	if tree.Cut {
		b.WriteString("cut\n")
	}
	return b.String()
}

// reader reads jobs of a store, as an engine does.
type reader struct{ *storetest.Mem }

func TestTree(t *testing.T) {
	f := newFamily(t)
	f.add("picture")
	f.add("song")
	f.add("video", "picture:i2v", "song:reference")
	f.add("sibling", "picture:edit")
	f.add("longer", "video:extend")
	f.add("edited", "video:edit")
	f.add("longest", "longer:extend")
	assert.Equal(t, `picture
├ song reference also
└ video i2v self
  ├ longer extend
  │ └ longest extend
  └ edited edit
`, f.draw("video"))
	assert.Equal(t, `picture
├ song reference also
└ video i2v
  └ longer extend
    └ longest extend self
`, f.draw("longest"), "siblings of ancestors are not read")
	f.add("alone")
	assert.Equal(t, "alone self\n", f.draw("alone"))
}

func TestTreeOfWhatIsGone(t *testing.T) {
	f := newFamily(t)
	f.add("video", "gone:i2v")
	assert.Equal(t, "gone missing\n└ video i2v self\n", f.draw("video"))
	_, err := chain.Read(t.Context(), reader{f.store}, f.ids["gone"])
	require.ErrorIs(t, err, jobs.ErrNotFound)
}

func TestTreeOfCircles(t *testing.T) {
	f := newFamily(t)
	f.add("a", "c:edit")
	f.add("b", "a:edit")
	f.add("c", "b:edit")
	f.add("own", "own:edit")
	assert.Equal(t, `a
└ b edit
  └ c edit self
    └ a edit again
`, strings.Replace(f.draw("c"), "a edit\n└", "a\n└", 1))
	assert.Equal(t, "own edit self\n└ own edit again\n", f.draw("own"))
}

// TestTreeIsBounded: a job with very many children, and a line without an end.
func TestTreeIsBounded(t *testing.T) {
	f := newFamily(t)
	f.add("root")
	for i := range 60 {
		f.add(fmt.Sprint("child", i), "root:edit")
	}
	out := f.draw("root")
	assert.True(t, strings.HasPrefix(out, "root self more\n"), out)
	assert.Len(t, strings.Split(strings.TrimSpace(out), "\n"), 41)

	f = newFamily(t)
	f.add("0")
	for i := range 80 {
		f.add(fmt.Sprint(i+1), fmt.Sprint(i)+":extend")
	}
	out = f.draw("40")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	assert.Len(t, lines, 24+1+12+1)
	assert.Equal(t, "cut", lines[len(lines)-1])
	assert.True(t, strings.HasPrefix(lines[0], "16"), lines[0])
	assert.Contains(t, lines[len(lines)-2], "52 extend more")
}

func (r reader) Get(ctx context.Context, id string) (jobs.Job, error) {
	w, err := r.Mem.Get(ctx, id)
	return w.Job, err
}
