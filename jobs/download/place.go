package download

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"darkroom/client"
	"darkroom/client/disk"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/jobs/elide"
)

// maxNames bounds how many files of one name are told apart by a number.
const maxNames = 10000

// place gives the complete part file its name, and writes the sidecar.
func (g *grab) place() (jobs.File, error) {
	stem, ext := g.s.name.render(g.r, g.typ.Ext)
	dir := path.Dir(stem)
	if err := g.root.MkdirAll(dir, 0o700); err != nil {
		return jobs.File{}, diskFault(err)
	}
	name, err := g.rename(stem, ext)
	if err != nil {
		return jobs.File{}, diskFault(err)
	}
	_ = g.root.Remove(g.part + ".json") // useless now
	file := jobs.File{
		Index: g.r.Index, Kind: g.r.Asset.Kind, State: jobs.FileSaved,
		Path: filepath.Join(g.s.o.Dir, filepath.FromSlash(name)), Bytes: g.done, Total: g.done,
		SHA256: g.sum(), MediaType: g.typ.MediaType,
	}
	if !g.s.o.NoSidecar {
		// The file counts, not what the sidecar says about it: the history has that too.
		_ = g.sidecar(name, file)
	}
	for d := dir; ; d = path.Dir(d) { // a folder that is new is an entry of the one above
		if err := disk.SyncDir(g.root.Open(d)); err != nil {
			return jobs.File{}, diskFault(err)
		}
		if d == "." {
			return file, nil
		}
	}
}

// rename moves the part file to the first free name. A file that is there with the same bytes
// (after a crash) is taken for ours. With overwriting, the first name that this run has not given
// counts as free.
func (g *grab) rename(stem, ext string) (string, error) {
	for i := range maxNames {
		name := stem + ext
		if i > 0 {
			name = fmt.Sprintf("%s-%d%s", stem, i, ext)
		}
		err := g.move(g.part+".part", name, g.s.replaces(name))
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		if same(g.root, name, g.done, g.sum()) {
			return name, g.root.Remove(g.part + ".part")
		}
	}
	return "", fmt.Errorf("there are %d files named like %s%s", maxNames, stem, ext)
}

// replaces reports whether a file may replace what has a name, and notes the name as given by this
// run.
func (s *Saver) replaces(name string) bool {
	if !s.o.Overwrite {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	again := s.saved[name]
	s.saved[name] = true
	return !again
}

// move renames; with replace it does not matter what has the name.
func (g *grab) move(from, to string, replace bool) error {
	if replace {
		return g.root.Rename(from, to)
	}
	return moveNew(g.root, from, to)
}

// moveNew renames without overwriting: a link fails where the name is taken. Where there
// are no links the name is reserved first.
func moveNew(root *os.Root, from, to string) error {
	err := root.Link(from, to)
	if err == nil {
		return root.Remove(from)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), root.Rename(from, to)); err != nil {
		return errors.Join(err, root.Remove(to))
	}
	return nil
}

// same reports whether a file has exactly these bytes.
func same(root *os.Root, name string, size int64, sum string) bool {
	f, err := openPlain(root, name)
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // only read
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() || st.Size() != size {
		return false
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return false
	}
	return hex.EncodeToString(h.Sum(nil)) == sum
}

// sidecar is the JSON file beside a saved file, named like it with ".json" added.
type sidecar struct {
	Job         string          `json:"job"`
	Profile     string          `json:"profile"`
	Group       string          `json:"group,omitempty"`
	Run         string          `json:"run,omitempty"`
	Cell        string          `json:"cell,omitempty"`
	Format      string          `json:"format"`
	QueryFormat string          `json:"query_format,omitempty"`
	TaskID      string          `json:"task_id,omitempty"`
	Draft       json.RawMessage `json:"draft"`
	Request     json.RawMessage `json:"request,omitempty"` // base64 elided
	Answer      json.RawMessage `json:"answer,omitempty"`  // base64 elided
	CreatedAt   time.Time       `json:"created_at"`
	SubmittedAt time.Time       `json:"submitted_at,omitzero"`
	AcceptedAt  time.Time       `json:"accepted_at,omitzero"`
	EndedAt     time.Time       `json:"ended_at,omitzero"`
	CreateMS    int64           `json:"create_ms"`
	Polls       int             `json:"polls"`
	File        sidecarFile     `json:"file"`
}

// sidecarFile is what a sidecar says about its file.
type sidecarFile struct {
	Name      string           `json:"name"`
	Index     int              `json:"index"`
	Kind      client.AssetKind `json:"kind"`
	Bytes     int64            `json:"bytes"`
	SHA256    string           `json:"sha256"`
	MediaType string           `json:"media_type"`
}

func (g *grab) sidecar(name string, f jobs.File) error {
	j := &g.r.Job
	draft, err := json.Marshal(j.Draft)
	if err != nil {
		return err
	}
	sc := sidecar{
		Job: j.ID, Profile: j.Profile, Group: j.Group, Run: j.Run, Cell: j.Cell, Format: j.Format, QueryFormat: j.QueryFormat, TaskID: j.TaskID,
		Draft: elide.JSON(draft), Request: rawJSON(g.r.Request), Answer: rawJSON(g.r.Answer),
		CreatedAt: j.CreatedAt, SubmittedAt: j.SubmittedAt, AcceptedAt: j.AcceptedAt, EndedAt: j.EndedAt,
		CreateMS: j.CreateTook.Milliseconds(), Polls: j.Polls,
		File: sidecarFile{Name: path.Base(name), Index: f.Index, Kind: f.Kind, Bytes: f.Bytes, SHA256: f.SHA256, MediaType: f.MediaType},
	}
	b, err := json.MarshalIndent(sc, "", "  ")
	if err != nil {
		return err
	}
	tmp := g.part + ".side"
	out, err := createNew(g.root, tmp)
	if err != nil {
		return err
	}
	_, werr := out.Write(append(text.CleanJSON(b), '\n'))
	if err := errors.Join(werr, out.Sync(), out.Close()); err != nil {
		return errors.Join(err, g.root.Remove(tmp))
	}
	// The file's name was free or is to be overwritten, so what lies here told of another.
	if err = g.move(tmp, name+".json", g.s.o.Overwrite); err != nil {
		return errors.Join(err, g.root.Remove(tmp))
	}
	return nil
}

// rawJSON returns a body as it stands, or as a string if it is not JSON.
func rawJSON(body []byte) json.RawMessage {
	if len(body) == 0 {
		return nil
	}
	body = elide.JSON(body)
	if json.Valid(body) {
		return body
	}
	b, err := json.Marshal(client.Clean(string(body)))
	if err != nil {
		return nil
	}
	return b
}
