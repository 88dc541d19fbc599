package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSavingSettings(t *testing.T) {
	t.Parallel()
	p := testPaths(t)
	c, err := Load(Request{Paths: p, Env: environment(nil)})
	require.NoError(t, err)
	require.Equal(t, Saving{}, c.Saving)

	write(t, p.Config, "name_template: \"{model}/{id}_{index}.{ext}\"\nmax_download: 2 GiB\nkeep_free: 0\nparallel_downloads: 7\nsidecars: false\n")
	c, err = Load(Request{Paths: p, Env: environment(nil)})
	require.NoError(t, err)
	require.Equal(t, Saving{Template: "{model}/{id}_{index}.{ext}", MaxBytes: 2 << 30, MinFree: -1, Parallel: 7, NoSidecar: true}, c.Saving)

	for text, says := range map[string][]string{
		"name_template: \"{nope}.{ext}\"": {"name_template", "{nope}", "{model}", "{index}"},
		"name_template: \"{id}\"":         {"name_template", ".{ext}"},
		"max_download: 0":                 {"max_download", `"0"`, "8 GiB"},
		"max_download: lots":              {"max_download", "lots", "8 GiB"},
		"keep_free: -1":                   {"keep_free", "-1"},
		"parallel_downloads: 65":          {"parallel_downloads", "65", "64"},
	} {
		write(t, p.Config, text+"\n")
		_, err := Load(Request{Paths: p, Env: environment(nil)})
		for _, s := range says {
			require.ErrorContains(t, err, s, text)
		}
	}
}

func TestParseSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "1048576": 1 << 20, "500 MB": 500e6, "8GiB": 8 << 30, "1.5 kb": 1500, " 2 kib ": 2048, "3 TB": 3e12, "7b": 7,
	} {
		got, err := parseSize(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, bad := range []string{"", "x", "-1", "GiB", "1 PB", "NaN", "Inf", "1e99 TB", "1,5 GB"} {
		_, err := parseSize(bad)
		require.ErrorContains(t, err, bad, bad)
	}
}

func FuzzParseSize(f *testing.F) {
	f.Add("8 GiB")
	f.Add("-0.1kb")
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := parseSize(text); err == nil {
			require.GreaterOrEqual(t, n, int64(0))
			require.LessOrEqual(t, n, int64(1)<<60)
		}
	})
}
