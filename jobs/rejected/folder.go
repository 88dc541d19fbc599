package rejected

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"darkroom/jobs"
)

// folder is the folder of the downloads. Nothing outside of it is reached, not by a link either.
type folder struct {
	dir  string
	root *os.Root
}

func (f *folder) open() (*os.Root, error) {
	if f.root != nil {
		return f.root, nil
	}
	root, err := os.OpenRoot(f.dir)
	f.root = root
	return root, err
}

func (f *folder) close() {
	if f.root != nil {
		_ = f.root.Close()
	}
}

// name is a path as the folder has it; false for one outside.
func (f *folder) name(path string) (string, bool) {
	rel, err := filepath.Rel(f.dir, path)
	return rel, err == nil && filepath.IsAbs(path) && filepath.IsLocal(rel) && rel != "."
}

// why says why a file stays; "" if it is missing, or lies here just as it was saved.
func (f *folder) why(ctx context.Context, file jobs.File) string {
	name, in := f.name(file.Path)
	if !in {
		return "it lies outside of the folder of the downloads"
	}
	root, err := f.open()
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		return "it cannot be reached"
	}
	st, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil || !st.Mode().IsRegular():
		return "it is not a plain file any more"
	case st.Size() != file.Bytes || sumOf(ctx, root, name) != file.SHA256:
		return "it was changed since it was saved"
	}
	return ""
}

// remove removes a file with its sidecar. One that is missing is no error.
func (f *folder) remove(job, path string) error {
	name, in := f.name(path)
	if !in {
		return fs.ErrPermission
	}
	root, err := f.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if side := name + ".json"; tellsOf(root, side, job, filepath.Base(name)) {
		_ = root.Remove(side) // it only tells of a file that is gone
	}
	return nil
}

// maxSidecar bounds what is read of a sidecar, which has the bodies of a job without their files.
const maxSidecar = 32 << 20

// tellsOf reports whether a file is the sidecar of a job's file.
func tellsOf(root *os.Root, name, job, file string) bool {
	st, err := root.Lstat(name)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxSidecar {
		return false
	}
	b, err := root.ReadFile(name)
	if err != nil {
		return false
	}
	var side struct {
		Job  string `json:"job"`
		File struct {
			Name string `json:"name"`
		} `json:"file"`
	}
	return json.Unmarshal(b, &side) == nil && side.Job == job && side.File.Name == file
}

// sumOf is the SHA-256 of a file, "" if it cannot be read.
func sumOf(ctx context.Context, root *os.Root, name string) string {
	in, err := root.Open(name)
	if err != nil {
		return ""
	}
	defer in.Close() //nolint:errcheck // only read
	h := sha256.New()
	if _, err := io.Copy(h, untilDone{ctx, in}); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// untilDone reads until a context ends.
type untilDone struct {
	ctx context.Context
	in  io.Reader
}

func (r untilDone) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(p)
}
