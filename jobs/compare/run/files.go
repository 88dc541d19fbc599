package run

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"darkroom/client"
	"darkroom/jobs/compare"
)

// lookAt reads a local file that a draft names, as it is now.
func lookAt(path string) planned {
	out := planned{Path: path}
	st, err := os.Stat(path) // opening a pipe would wait
	switch {
	case errors.Is(err, fs.ErrNotExist):
		out.Why = "it does not exist"
	case err != nil:
		out.Why = client.CleanLine(err.Error())
	case !st.Mode().IsRegular():
		out.Why = "it is not a regular file"
	}
	if out.Why != "" {
		return out
	}
	h := sha256.New()
	f, err := os.Open(path)
	if err == nil {
		out.Bytes, err = io.Copy(h, io.LimitReader(f, client.MaxFile+1))
		_ = f.Close()
	}
	if err != nil {
		out.Why = client.CleanLine(err.Error())
		return out
	}
	out.SHA256 = hex.EncodeToString(h.Sum(nil))
	return out
}

// filesOf are the local files that the cells of a run name, each once, as they are now.
func filesOf(r *compare.Run) []planned {
	known := map[string]bool{}
	var out []planned
	for i := range r.Cells {
		c := &r.Cells[i]
		if c.Cannot != "" {
			continue
		}
		for _, f := range c.Draft.LocalFiles() {
			if p := f.Path(); p != "" && !known[p] {
				known[p] = true
				out = append(out, lookAt(p))
			}
		}
	}
	return out
}

// changed says why a draft is not sent: a file that it names is not what it was when the run was
// planned. The other repeats were sent another one, or will be.
func (l *ledger) changed(d client.Draft) string {
	var seen []string
	for _, f := range d.LocalFiles() {
		p := f.Path()
		if p == "" || slices.Contains(seen, p) {
			continue
		}
		seen = append(seen, p)
		then, planned := l.files[p]
		switch now := lookAt(p); {
		case now.Why != "":
			return fmt.Sprintf("not sent: %s: %s", client.CleanLine(p), now.Why)
		case !planned:
			return fmt.Sprintf("not sent: %s was not among the files of the plan", client.CleanLine(p))
		case then.SHA256 != now.SHA256:
			return fmt.Sprintf("not sent: %s is not the file that the run was planned with", client.CleanLine(p))
		}
	}
	return ""
}
