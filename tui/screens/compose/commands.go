package compose

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"

	"darkroom/client"
	"darkroom/jobs"
)

// saveAfter is how long a change may stay unsaved, from the first one on.
const saveAfter = 2 * time.Second

// submitWait bounds the journalling of a submission.
const submitWait = 10 * time.Second

// load reads the drafts of all modalities.
func load(d Drafts) tea.Cmd {
	return func() tea.Msg {
		out := loadedMsg{drafts: make(map[client.Modality]client.Draft)}
		for _, k := range modalities() {
			draft, ok, err := d.Load(k)
			if err != nil {
				out.err = errors.Join(out.err, err)
			} else if ok {
				out.drafts[k] = draft
			}
		}
		return out
	}
}

// store writes the drafts of a revision.
func store(d Drafts, drafts []client.Draft, revision uint64) tea.Cmd {
	return func() tea.Msg {
		var errs []error
		for _, draft := range drafts {
			errs = append(errs, d.Save(draft))
		}
		return savedMsg{revision: revision, err: errors.Join(errs...)}
	}
}

// saveLater wakes up once, to write what has changed until then.
func saveLater() tea.Cmd { return tea.Tick(saveAfter, func(time.Time) tea.Msg { return saveTick{} }) }

// request makes the request of a draft, and the curl command for it.
func request(g Gateway, d client.Draft, format string) tea.Cmd {
	return func() tea.Msg {
		p, err := g.Preview(d, format)
		if err != nil {
			return previewMsg{err: err}
		}
		curl, err := g.Curl(d, format)
		if err != nil {
			curl = "# " + err.Error()
		}
		return previewMsg{preview: p, curl: curl}
	}
}

// resolve turns paths in media fields into file:// URLs of files that are there.
func resolve(texts []mediaField, then after) tea.Cmd {
	return func() tea.Msg {
		for i := range texts {
			f := &texts[i]
			lines := strings.Split(f.text, "\n")
			for j, line := range lines {
				done, err := reference(line)
				if err != nil && f.problem == "" {
					f.problem = fmt.Sprintf("%s: %s", f.name, client.CleanLine(err.Error()))
				}
				lines[j] = done
			}
			f.done = strings.Join(lines, "\n")
		}
		return mediaMsg{fields: texts, then: then}
	}
}

// remote reports whether a reference needs no file of this machine.
func remote(s string) bool {
	for _, p := range []string{"http://", "https://", "data:"} {
		if len(s) >= len(p) && strings.EqualFold(s[:len(p)], p) {
			return true
		}
	}
	return false
}

// reference is what a draft keeps for a typed reference: URLs as they are, a path as a
// file:// URL. A path that leads to no file stays as it was typed, with an error.
func reference(typed string) (string, error) {
	s := strings.TrimSpace(typed)
	if s == "" || remote(s) {
		return s, nil
	}
	path := unquote(s)
	if rest, ok := strings.CutPrefix(path, "file://"); ok {
		u, err := url.Parse(path)
		if err != nil || u.Path == "" {
			return s, fmt.Errorf("%q is no file:// URL with an absolute path", rest)
		}
		path = u.Path
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		home, err := os.UserHomeDir()
		if err != nil {
			return s, err
		}
		path = home + rest
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return s, err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return s, fmt.Errorf("there is no file %s", path)
	case err != nil:
		return s, err
	case !info.Mode().IsRegular():
		return s, fmt.Errorf("%s is not a file", path)
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String(), nil
}

// unquote undoes what terminals and shells do to a dragged or pasted path.
func unquote(s string) string {
	if n := len(s); n >= 2 && (s[0] == '\'' || s[0] == '"') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return strings.ReplaceAll(s, `\ `, " ")
}

// send journals n submissions of a draft; the engine sends them.
func send(doer jobs.Doer, d client.Draft, format string, n int) tea.Cmd {
	return func() tea.Msg {
		list := make([]jobs.Submission, 0, n)
		group := ""
		if n > 1 {
			id, err := uuid.NewV7()
			if err != nil {
				return submittedMsg{model: d.Model, err: err}
			}
			group = id.String()
		}
		for i := range n {
			list = append(list, jobs.Submission{Draft: variation(d, i), Format: format, Group: group})
		}
		ctx, cancel := context.WithTimeout(context.Background(), submitWait)
		defer cancel()
		ids, err := doer.Submit(ctx, list)
		return submittedMsg{model: d.Model, ids: ids, err: err}
	}
}

// variation is the i-th copy of a draft: a whole-number seed counts up, everything else
// is the same.
func variation(d client.Draft, i int) client.Draft {
	d = d.Clone()
	s, ok := d.Values.Text("seed")
	if i == 0 || !ok {
		return d
	}
	n, ok := new(big.Int).SetString(strings.TrimSpace(s), 10)
	if !ok {
		return d
	}
	next := n.Add(n, big.NewInt(int64(i))).String()
	if _, isText := d.Values["seed"].(string); isText {
		d.Values["seed"] = next
	} else {
		d.Values["seed"] = json.Number(next)
	}
	return d
}
