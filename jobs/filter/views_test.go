package filter_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/filter"
)

func TestViewsThatComeWithTheProgram(t *testing.T) {
	var names []string
	for _, v := range filter.BuiltIn() {
		names = append(names, v.Name)
		require.NoError(t, v.Check())
		assert.NotEmpty(t, v.About, v.Name)
		assert.False(t, v.Own)
	}
	assert.Equal(t, []string{"failed today", "slow", "stuck", "ambiguous", "in flight", "faults", "too many requests"}, names)
	v, ok := filter.FindView(filter.BuiltIn(), "Failed Today")
	require.True(t, ok)
	q, err := filter.Parse(v.Filter, now)
	require.NoError(t, err)
	assert.Equal(t, jobs.Query{States: []jobs.State{jobs.Failed, jobs.Refused, jobs.Lost}, EndedSince: at(22, 0, 0), EndedUntil: at(23, 0, 0)}, q)
	var active []jobs.State
	for _, s := range jobs.States() {
		if s.Active() {
			active = append(active, s)
		}
	}
	v, _ = filter.FindView(filter.BuiltIn(), "in flight")
	q, err = filter.Parse(v.Filter, now)
	require.NoError(t, err)
	assert.Equal(t, active, q.States, "all of them")
}

func TestOwnViewsAreKeptAsTheyAre(t *testing.T) {
	own := []filter.View{
		{Name: `Kunde "A": [x]`, Filter: `tag:a "red: kite" -state:completed`, About: "# no comment"},
		{Name: "slow", Filter: "took>1h"},
	}
	b, err := filter.WriteViews(own)
	require.NoError(t, err)
	got, err := filter.ReadViews(b)
	require.NoError(t, err)
	assert.Equal(t, own, got)
	all := filter.Views(got)
	assert.Equal(t, "slow", all[1].Name)
	assert.Equal(t, "took>1h", all[1].Filter, "the own one stands in the place of the program's")
	assert.True(t, all[1].Own)
	assert.Equal(t, own[0].Name, all[len(all)-1].Name)
	assert.Len(t, all, len(filter.BuiltIn())+1)

	b, err = filter.WriteViews(nil)
	require.NoError(t, err)
	got, err = filter.ReadViews(b)
	require.NoError(t, err)
	assert.Empty(t, got)
}

func TestViewsThatCannotBeUsed(t *testing.T) {
	for text, says := range map[string]string{
		"views: [{name: a, filter: 'foo<3'}]":                 "view a: foo< is not a filter",
		"views: [{name: a, filter: ''}]":                      "no filter",
		"views: [{name: ' a', filter: x}]":                    "not a name of a view",
		"views: [{name: \"a\\e[2J\", filter: x}]":             "not a name of a view",
		"views: [{name: -a, filter: x}]":                      "not a name of a view",
		"views: [{name: a, filter: x}, {name: A, filter: y}]": "twice",
		"views: [{name: a, filter: x, color: red}]":           "color",
		"version: 2": "version 2",
		"views: [{name: " + strings.Repeat("n", 41) + ", filter: x}]": "41 characters",
		"views: {": "1:",
		"views: [" + strings.Repeat("{name: a, filter: x},\n ", 51) + "]": "51 views",
	} {
		_, err := filter.ReadViews([]byte(text))
		assert.ErrorContains(t, err, says, text)
	}
}

func FuzzReadViews(f *testing.F) {
	f.Add([]byte("version: 1\nviews:\n  - {name: a, filter: 'age<1h'}\n"))
	f.Add([]byte("views: [{name: \"\\u202e\", filter: x}]"))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := filter.ReadViews(b)
		if err != nil {
			return
		}
		again, err := filter.WriteViews(all)
		if err != nil {
			t.Fatal(err)
		}
		got, err := filter.ReadViews(again)
		if err != nil || len(got) != len(all) {
			t.Fatalf("%v, %d of %d", err, len(got), len(all))
		}
		for i := range all {
			if got[i] != all[i] {
				t.Fatalf("%+v became %+v", all[i], got[i])
			}
		}
	})
}
