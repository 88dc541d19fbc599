package main_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVulnerabilityScan: CI fails for what is found, and for nothing that cannot be found out.
func TestVulnerabilityScan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		database int    // the status that it answers with, 0 for one that is away
		scanner  string // what govulncheck does; not there when empty
		fails    bool
		says     string
		not      string
	}{
		{name: "clean", database: 200, scanner: "echo No vulnerabilities found.", says: "No vulnerabilities found.", not: "not scanned"},
		{name: "found", database: 200, scanner: "echo 'Vulnerability #1: GO-2026-0001'; exit 3", fails: true, says: "GO-2026-0001", not: "not scanned"},
		{name: "broken", database: 200, scanner: "echo 'govulncheck: loading packages: no'; exit 1", fails: true, says: "loading packages", not: "not scanned"},
		{name: "unreachable", scanner: "echo ran", says: "not scanned: the database ", not: "ran"},
		{name: "refused", database: 403, scanner: "echo ran", says: "not scanned: the database ", not: "ran"},
		{name: "gone meanwhile", database: 200, scanner: "echo 'govulncheck: fetching vulnerabilities: no such host'; exit 1", says: "not scanned: the database "},
		{name: "no scanner", database: 200, says: "not scanned: govulncheck v"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked := make(chan string, 1)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked <- r.URL.Path
				w.WriteHeader(c.database)
			}))
			defer server.Close()
			if c.database == 0 {
				server.Close()
			}
			scanner := filepath.Join(t.TempDir(), "govulncheck")
			if c.scanner != "" {
				require.NoError(t, os.WriteFile(scanner, []byte("#!/bin/sh\n"+c.scanner+"\n"), 0o700))
			}
			cmd := exec.CommandContext(t.Context(), "make", "--no-print-directory", "-C", "../..", "vuln", "VULN="+scanner, "GO=false")
			cmd.Env = append(os.Environ(), "VULN_DB="+server.URL, "no_proxy=127.0.0.1", "MAKEFLAGS=")
			out, err := cmd.CombinedOutput()
			require.Equal(t, c.fails, err != nil, "%s", out)
			require.Contains(t, string(out), c.says)
			if c.not != "" {
				require.NotContains(t, string(out), c.not)
			}
			if c.database != 0 {
				require.Equal(t, "/index/db.json", <-asked)
			}
		})
	}
	run, err := os.ReadFile("../../.ci/run")
	require.NoError(t, err)
	require.Contains(t, string(run), "\nmake vuln\n")
}
