package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/formats"
)

// TestFormatsDocIsCurrent fails when docs/FORMATS.md is not what the catalog says.
func TestFormatsDocIsCurrent(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, table(&b))
	have, err := os.ReadFile("../../../../docs/FORMATS.md")
	require.NoError(t, err)
	assert.Equal(t, b.String(), string(have), "docs/FORMATS.md is stale: run go generate ./client/catalog/...")
}

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "F.md")
	require.NoError(t, write(path))
	text, err := os.ReadFile(path) //nolint:gosec // our own temporary file
	require.NoError(t, err)
	require.Error(t, write(filepath.Join(path, "x")))
	c, err := catalog.Embedded()
	require.NoError(t, err)
	for _, m := range c.Models("") {
		assert.Contains(t, string(text), m.ID)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "|") {
			assert.True(t, strings.HasSuffix(line, "|"), line)
		}
	}
}

// TestCatalogAndCodecsAgree keeps the two from drifting apart: names, labels, and what
// the catalog says a format carries.
func TestCatalogAndCodecsAgree(t *testing.T) {
	c, err := catalog.Embedded()
	require.NoError(t, err)
	carries := map[string][]string{}
	for _, f := range formats.All() {
		info, ok := c.Format(f.Name())
		require.True(t, ok, f.Name())
		assert.ElementsMatch(t, info.Modalities, f.Modalities(), f.Name())
		assert.Equal(t, f.Query("x").Path == "", info.Query == "", f.Name())
		_, configurable := f.(client.Configurable)
		assert.Equal(t, configurable, info.Configured, f.Name())
		_, reserved := f.(client.Reserved)
		assert.Equal(t, reserved, info.Reserved, f.Name())
		for _, x := range f.Fields() {
			carries[f.Name()] = append(carries[f.Name()], x.Canonical)
		}
		for _, n := range info.Without {
			assert.NotContains(t, carries[f.Name()], n, f.Name())
		}
	}
	assert.Len(t, formats.All(), len(c.Formats()))
	for _, m := range []client.Modality{client.Video, client.Image, client.Music, client.Speech, client.Chat} {
		for _, f := range c.AllFields(m) {
			for _, name := range f.Formats {
				assert.Contains(t, carries[name], f.Name, name)
			}
			if len(f.Formats) == 0 {
				assert.True(t, slices.ContainsFunc(formats.All(), func(x client.Format) bool {
					return slices.Contains(x.Modalities(), m) && slices.Contains(carries[x.Name()], f.Name)
				}), "no format carries %s %s", m, f.Name)
			} else {
				for name, list := range carries {
					assert.Equal(t, slices.Contains(f.Formats, name), slices.Contains(list, f.Name), "%s %s", name, f.Name)
				}
			}
		}
	}
	for _, m := range c.Models("") {
		for _, name := range slices.Concat(m.Formats, m.Routes) {
			_, ok := carries[name]
			assert.True(t, ok, "%s: %s", m.ID, name)
		}
	}
}
