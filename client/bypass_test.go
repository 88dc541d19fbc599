package client_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// clientOfItsOwn is what would send a request past client/transport, and so past read-only.
var clientOfItsOwn = regexp.MustCompile(`http\.(Client\{|Transport\{|DefaultClient|DefaultTransport|Get\(|Head\(|Post\(|PostForm\()`)

func TestNothingSendsPastTheTransport(t *testing.T) {
	root := os.DirFS("..")
	files := 0
	require.NoError(t, fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		for _, ours := range []string{"client/transport/", "client/counterpart/", "jobs/store/storetest/", "jobs/store/postgres/"} { // the door itself, those of tests, and a database
			if strings.HasPrefix(path, ours) {
				return nil
			}
		}
		files++
		b, err := fs.ReadFile(root, path)
		require.NotRegexp(t, clientOfItsOwn, string(b), path)
		return err
	}))
	require.Greater(t, files, 500)
}
