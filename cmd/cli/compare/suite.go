package compare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/plan"
	"darkroom/jobs/compare/suite"
)

// suiteFile is a suite that a person named, with the folder that its files are relative to.
type suiteFile struct {
	suite.Suite
	name   string // as it was named
	folder string // absolute, "" for standard input
}

// readSuite reads a suite from a file or standard input.
func readSuite(ctx context.Context, k *kit.Kit, name string) (suiteFile, error) {
	out := suiteFile{name: name}
	text, err := k.IO.Read(ctx, "", name, suite.MaxBytes)
	if err != nil {
		return out, err
	}
	if name != kit.Stdin {
		path, err := filepath.Abs(name)
		if err != nil {
			return out, err
		}
		out.folder = filepath.Dir(path)
	}
	out.Suite, err = suite.Parse(kit.ShownFile("", name), text)
	return out, kit.UsageOf(err)
}

// gateway shows requests without sending them.
type gateway struct{ *app.Gateway }

func (g gateway) Preview(d client.Draft, format string) (client.Preview, error) {
	return g.Client.Preview(d, format)
}

// planned makes the run of a suite, without sending anything. A run above its limit comes with a
// [*plan.TooMany].
func planned(ctx context.Context, k *kit.Kit, gw *app.Gateway, s suiteFile, seed uint64) (compare.Run, plan.Forecast, error) {
	folders, err := k.Folders()
	if err != nil {
		return compare.Run{}, plan.Forecast{}, err
	}
	wildcards, err := folders.Wildcards()
	if err != nil {
		return compare.Run{}, plan.Forecast{}, fmt.Errorf("the wildcard files cannot be read: %w", err)
	}
	defer func() { _ = wildcards.Close() }()
	id, err := uuid.NewV7()
	if err != nil {
		return compare.Run{}, plan.Forecast{}, err
	}
	usual, done := past(ctx, k, gw.Config.Profile.Name)
	defer done()
	run, f, err := plan.Make(plan.Input{
		Suite: s.Suite, Catalog: gw.Catalog, Gateway: gateway{gw}, Reference: s.reference, Digest: digest, Wildcards: wildcards,
		ID: id.String(), Folder: s.folder, Profile: gw.Config.Profile.Name, Host: gw.Host(), Version: k.Version, Seed: seed, Now: time.Now(), Usual: usual,
	})
	if _, many := errors.AsType[*plan.TooMany](err); many {
		return run, f, kit.Usage("%w; --limit raises it", err)
	}
	return run, f, kit.UsageOf(err)
}

// reference is the value to send for a file that the suite names.
func (s *suiteFile) reference(path string) (string, error) {
	if strings.HasPrefix(strings.ToLower(path), "file:") {
		local, ok := client.FilePath(path)
		if !ok {
			return "", fmt.Errorf("%s is no address of a file on this machine", client.CleanLine(path))
		}
		return client.FileURL(filepath.Clean(local)), nil
	}
	switch {
	case filepath.IsAbs(path):
		return client.FileURL(filepath.Clean(path)), nil
	case s.folder == "":
		return "", fmt.Errorf("%s: a suite on standard input has no folder that its files are relative to", client.CleanLine(path))
	}
	return client.FileURL(filepath.Join(s.folder, path)), nil
}

// digest is the SHA-256 of a file's bytes.
func digest(path string) (string, error) {
	if st, err := os.Stat(path); err != nil {
		return "", kit.FileError("", path, err)
	} else if !st.Mode().IsRegular() { // opening a pipe would wait
		return "", kit.Usage("%s: it is not a file", client.CleanLine(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return "", kit.FileError("", path, err)
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, client.MaxFile+1))
	switch {
	case err != nil:
		return "", kit.FileError("", path, err)
	case n > client.MaxFile:
		return "", kit.Usage("%s: it is larger than any file that is sent", client.CleanLine(path))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// past is how long earlier tasks took, by the history; nil without one.
func past(ctx context.Context, k *kit.Kit, profile string) (usual func(*compare.Cell) (time.Duration, int), done func()) {
	if k.NoHistory() {
		return nil, func() {}
	}
	st, err := k.ReadHistory(ctx)
	if err != nil {
		return nil, func() {} // whoever sends says it
	}
	return plan.FromPast(func(model, mode string) []time.Duration {
		all, err := st.Past(ctx, jobs.PastQuery{Profile: profile, Model: model, Mode: mode})
		if err != nil {
			return nil
		}
		return all
	}), func() { _ = st.Close() }
}

// outside are the files that a run would send from outside its suite's folder.
func (s *suiteFile) outside(run *compare.Run) []string {
	rows := make([]expand.Row, 0, len(run.Cells))
	for i := range run.Cells {
		if run.Cells[i].Cannot == "" {
			rows = append(rows, expand.Row{Draft: run.Cells[i].Draft})
		}
	}
	table := ""
	if s.folder != "" {
		table = filepath.Join(s.folder, filepath.Base(s.name))
	}
	return batch.Outside(table, client.Draft{}, rows)
}
