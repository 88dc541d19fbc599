package history

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// Limits of an import: no export has longer lines, and one transaction takes in a portion.
const (
	maxImportLine = jobs.MaxRecord + 1 // its end as well
	importJobs    = 200
	importBytes   = 16 << 20
)

// imported is what `history import` prints.
type imported struct {
	Read   int  `json:"read"`
	Added  int  `json:"added"` // or would be, with dry_run
	Known  int  `json:"known"` // were there already
	Doubt  int  `json:"doubt"` // may have been sent since, and are ambiguous
	DryRun bool `json:"dry_run,omitempty"`
	// Unconfigured are those profiles of the added jobs that are not configured here.
	Unconfigured []unconfigured `json:"unconfigured,omitempty"`
}

func newImport(k *kit.Kit) *cobra.Command {
	dry := false
	cmd := &cobra.Command{Use: "import FILE|-", Short: "add the jobs of an export", Args: cobra.ExactArgs(1),
		Long: `Adds the jobs of an export to the history, with everything that is in it of them. Jobs that
are there already stay as they are, so that an import can be run again. Jobs that were
about to be sent are ambiguous afterwards, since they may have been sent since; those that
run are followed from here too, where their profile is configured here. Else they are kept
and not asked for, which is said, with what makes the profile. A line that is not right ends
the import and is named; the jobs before it stay. Import only what you trust: it names files
of this machine.`,
		Example: "  darkroom history import jobs.ndjson --dry-run\n  zstdcat jobs.ndjson.zst | darkroom history import -",
		RunE: func(cmd *cobra.Command, args []string) error {
			in := k.IO.In
			if args[0] != kit.Stdin {
				f, err := kit.OpenNamed("", args[0])
				if err != nil {
					return err
				}
				defer func() { _ = f.Close() }()
				in = f
			}
			c, err := k.Config()
			if err != nil {
				return err
			}
			s, err := k.OpenHistory(cmd.Context())
			if err != nil {
				return err
			}
			m := &importer{store: s, lines: bufio.NewReaderSize(in, 1<<16), limit: maxImportLine, done: imported{DryRun: dry}}
			err = m.run(cmd.Context())
			m.done.Unconfigured = m.profiles.unconfigured(c)
			if !dry {
				app.BackUp(cmd.Context(), s)
			}
			err = errors.Join(err, s.Close())
			if err != nil && m.done.Added > 0 && !dry {
				err = fmt.Errorf("%w; %d jobs before it were added", err, m.done.Added)
				sayUnconfigured(k, m.done)
			}
			if err != nil {
				return err
			}
			return printImported(k, m.done)
		}}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only check the lines and count")
	return cmd
}

func printImported(k *kit.Kit, d imported) error {
	if !k.Out.Table() {
		return k.Out.One(d)
	}
	verb := "added"
	if d.DryRun {
		verb = "to be added"
	}
	k.IO.Printf("%d jobs read, %d %s, %d there already\n", d.Read, d.Added, verb, d.Known)
	if d.Doubt > 0 {
		k.IO.Printf("%d may have been sent since and are ambiguous: `darkroom jobs list --state ambiguous`\n", d.Doubt)
	}
	sayUnconfigured(k, d)
	return nil
}

// importer reads an export and adds it in portions.
type importer struct {
	store jobs.Store
	lines *bufio.Reader
	limit int

	line  int // of what was read last, from 1
	text  []byte
	batch []jobs.Record
	size  int
	done  imported
	// profiles counts the jobs that were added by their profiles.
	profiles profileCounts
}

func (m *importer) run(ctx context.Context) error {
	var head exportHeader
	line, err := m.next()
	if errors.Is(err, io.EOF) {
		return kit.Usage("the input is empty; `darkroom history export` writes what is needed")
	}
	if err == nil {
		err = strictJSON(line, &head)
	}
	switch {
	case err != nil:
		return kit.Usage("line 1: not the header of an export: %w", err)
	case head.Version < 1:
		return kit.Usage("line 1: not the header of an export: darkroom_history is missing")
	case head.Version > exportVersion:
		return kit.Usage("line 1: the export has version %d, this program knows up to version %d: use a newer darkroom", head.Version, exportVersion)
	}
	for {
		line, err := m.next()
		if errors.Is(err, io.EOF) {
			if err := m.flush(ctx); err != nil {
				return err
			}
			return kit.Usage("line %d: the export ends here without its end line: some of it is missing", m.line)
		}
		if err != nil {
			return err
		}
		if bytes.HasPrefix(line, []byte(`{"end":`)) {
			return m.finish(ctx, line)
		}
		if err := m.record(ctx, line); err != nil {
			return err
		}
	}
}

// record takes in one line.
func (m *importer) record(ctx context.Context, line []byte) error {
	var r jobs.Record
	err := strictJSON(line, &r)
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		if e := m.flush(ctx); e != nil {
			return e
		}
		return kit.Usage("line %d: %w", m.line, err)
	}
	m.done.Read++
	m.batch, m.size = append(m.batch, r), m.size+len(line)
	if len(m.batch) >= importJobs || m.size >= importBytes {
		return m.flush(ctx)
	}
	return nil
}

// finish checks that the export was complete.
func (m *importer) finish(ctx context.Context, line []byte) error {
	var end exportEnd
	if err := strictJSON(line, &end); err != nil {
		return kit.Usage("line %d: %w", m.line, err)
	}
	if err := m.flush(ctx); err != nil {
		return err
	}
	if end.Jobs != int64(m.done.Read) {
		return kit.Usage("line %d: %d jobs were written and %d are here: some are missing", m.line, end.Jobs, m.done.Read)
	}
	if line, err := m.next(); !errors.Is(err, io.EOF) {
		if err != nil {
			return err
		}
		return kit.Usage("line %d: something follows the end: %.40q", m.line, line)
	}
	return nil
}

// flush adds the portion. Jobs that are there already are neither changed nor put in doubt.
func (m *importer) flush(ctx context.Context) error {
	fresh := m.batch[:0]
	for _, r := range m.batch {
		_, err := m.store.Get(ctx, r.Job.ID)
		switch {
		case err == nil:
			m.done.Known++
			continue
		case !errors.Is(err, jobs.ErrNotFound):
			return err
		}
		if r.Doubt(time.Now()) {
			m.done.Doubt++
		}
		m.profiles.add(r.Job)
		fresh = append(fresh, r)
	}
	m.batch, m.size = nil, 0
	if m.done.DryRun || len(fresh) == 0 {
		m.done.Added += len(fresh)
		return nil
	}
	n, err := m.store.Import(ctx, fresh)
	if err != nil {
		return fmt.Errorf("lines before %d: %w", m.line+1, err)
	}
	m.done.Added += n
	m.done.Known += len(fresh) - n
	return nil
}

// next reads a line no longer than the limit, without its end. The line is valid until the next
// call.
func (m *importer) next() ([]byte, error) {
	m.line++
	line := m.text[:0]
	defer func() { m.text = line }()
	for {
		part, err := m.lines.ReadSlice('\n')
		if len(line)+len(part) > m.limit {
			return nil, kit.Usage("line %d is longer than %d bytes", m.line, m.limit)
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		case err != nil:
			return nil, err
		default:
			return line[:len(line)-1], nil
		}
	}
}

// strictJSON decodes one value, without unknown keys and with nothing after it.
func strictJSON(line []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New("the JSON breaks off")
		}
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON")
	}
	return nil
}
