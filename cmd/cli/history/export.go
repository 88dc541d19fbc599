package history

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client/disk"
	"darkroom/client/human"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// exportVersion is the version of the format: a header line, one jobs.Record a line, and an end
// line with their number.
const exportVersion = 1

// exportPage is how many records are read at a time.
const exportPage = 200

// exportHeader is the first line of an export.
type exportHeader struct {
	Version int       `json:"darkroom_history"`
	Program string    `json:"program"`
	Made    time.Time `json:"made"`
	Jobs    int64     `json:"jobs"` // when it began
}

// exportEnd is the last line of an export: without it, some of it is missing.
type exportEnd struct {
	End  bool  `json:"end"`
	Jobs int64 `json:"jobs"`
}

// exported is what `history export FILE` prints.
type exported struct {
	Path  string `json:"path"`
	Jobs  int64  `json:"jobs"`
	Bytes int64  `json:"bytes"`
}

func newExport(k *kit.Kit) *cobra.Command {
	force := false
	cmd := &cobra.Command{Use: "export [FILE]", Short: "write all jobs as lines of JSON", Args: cobra.MaximumNArgs(1),
		Long: `Writes all jobs with everything that is kept of them as lines of JSON (NDJSON), to a file or
to standard output: a line with the version and the number of jobs, a line for each job,
and a line that ends it. Results on the disk are named, not contained. Consoles may work
meanwhile. The file is whole or not there at all, and for its owner only: it holds prompts.`,
		Example: "  darkroom history export jobs.ndjson\n  darkroom history export | zstd > jobs.ndjson.zst",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := haveHistory(k); err != nil {
				return err
			}
			s, err := k.ReadHistory(cmd.Context())
			if err != nil {
				return err
			}
			defer func() { _ = s.Close() }()           // only read from
			own, _ := app.OpenInstallation(k.IO.Paths) //nolint:errcheck // without it results are downloaded anew
			if len(args) == 0 || args[0] == "-" {
				n, err := exportTo(cmd.Context(), k.IO.Out, s, own, k.Version, k.IO.Tty != nil, new(progress))
				if err == nil {
					k.IO.Notef("%d jobs\n", n)
				}
				return err
			}
			at := new(progress)
			status := k.IO.Status(at.text)
			done, err := exportFile(cmd.Context(), args[0], s, own, k.Version, force, at)
			status.Stop()
			if err != nil {
				return err
			}
			if !k.Out.Table() {
				return k.Out.One(done)
			}
			k.IO.Printf("%s  %d jobs, %s\n", done.Path, done.Jobs, human.Bytes(done.Bytes))
			return nil
		}}
	cmd.Flags().BoolVar(&force, "force", false, "replace the file when it is there")
	return cmd
}

// exportFile writes to a temporary file, which takes the name at the end.
func exportFile(ctx context.Context, path string, s jobs.Store, own *jobs.Installation, version string, force bool, at *progress) (done exported, err error) {
	if done.Path, err = filepath.Abs(path); err != nil {
		return done, err
	}
	if _, err := os.Stat(done.Path); err == nil && !force {
		return done, kit.Usage("%s already exists; --force replaces it", done.Path)
	}
	err = disk.Replace(done.Path, func(f *os.File) (err error) {
		if done.Jobs, err = exportTo(ctx, f, s, own, version, false, at); err != nil {
			return err
		}
		st, err := f.Stat()
		if err == nil {
			done.Bytes = st.Size()
		}
		return err
	})
	if err != nil {
		err = fmt.Errorf("export: %w", err)
	}
	return done, err
}

// counter is a history that knows how many jobs it has.
type counter interface {
	Count(ctx context.Context) (int64, error)
}

// screenLines passes lines of JSON on in a form that is safe for a terminal: what would control it
// is escaped, and means the same. The encoder writes a line at a time.
type screenLines struct{ w io.Writer }

// Write implements io.Writer.
func (s screenLines) Write(b []byte) (int, error) {
	if _, err := s.w.Write(kit.Visible(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// exportTo writes all records, made safe for a terminal or as they are; own signs those from before
// there were proofs. What is submitted meanwhile may be among them.
func exportTo(ctx context.Context, w io.Writer, s jobs.Store, own *jobs.Installation, version string, terminal bool, at *progress) (n int64, err error) {
	head := exportHeader{Version: exportVersion, Program: "darkroom " + version, Made: time.Now().UTC().Truncate(time.Second)}
	if c, ok := s.(counter); ok {
		if head.Jobs, err = c.Count(ctx); err != nil {
			return 0, err
		}
	}
	at.of.Store(head.Jobs)
	buf := bufio.NewWriterSize(w, 1<<20)
	enc := json.NewEncoder(buf)
	if terminal {
		enc = json.NewEncoder(screenLines{buf})
	}
	enc.SetEscapeHTML(false)
	if err := enc.Encode(head); err != nil {
		return 0, err
	}
	pages, stop := ahead(ctx, s)
	defer stop()
	for page := range pages {
		if page.err != nil {
			return n, page.err
		}
		for i := range page.records {
			own.Adopt(&page.records[i].Job)
			if err := enc.Encode(&page.records[i]); err != nil {
				return n, err
			}
		}
		n += int64(len(page.records))
		at.done.Store(n)
	}
	if err := ctx.Err(); err != nil { // nothing that ended early looks whole
		return n, err
	}
	if err := enc.Encode(exportEnd{End: true, Jobs: n}); err != nil {
		return n, err
	}
	return n, buf.Flush()
}

// progress is how far an export is.
type progress struct{ done, of atomic.Int64 }

func (p *progress) text() string {
	if p.of.Load() == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s jobs", human.Count(int(p.done.Load())), human.Count(int(p.of.Load())))
}
