package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/jobs/compare"
)

// LineError is a record that cannot be read.
type LineError struct {
	Line int // from 1
	Err  error
}

// Error names the line.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap is what is wrong with it.
func (e *LineError) Unwrap() error { return e.Err }

// errCut is what is left of a journal whose plan is not whole. No crash leaves that: the file has its
// name only when the plan is on the disk.
var errCut = errors.New("its plan is not whole")

// errDamaged: only the last line of a journal may be one that was not written to its end.
var errDamaged = errors.New("it is damaged: only the last line may have been cut off by a crash")

// batch is how many lines are decoded before they are taken in.
const batch = 4096

// parse reads a journal, cleaned, and how many of its bytes are whole lines. What follows the last end
// of a line was cut off, and does not count.
func parse(all []byte) (*ledger, int, error) {
	good := bytes.LastIndexByte(all, '\n') + 1
	l, rest, lines := newLedger(), all[:good], make([][]byte, 0, batch)
	for done := 0; len(rest) > 0; done += len(lines) {
		lines = lines[:0]
		for len(rest) > 0 && len(lines) < batch {
			end := bytes.IndexByte(rest, '\n')
			lines, rest = append(lines, rest[:end]), rest[end+1:]
		}
		records, err := decode(lines)
		for i := range records {
			if err := l.apply(&records[i]); err != nil {
				return nil, 0, &LineError{done + i + 1, err}
			}
		}
		if err != nil {
			return nil, 0, &LineError{done + len(records) + 1, fmt.Errorf("%w (%s)", errDamaged, client.CleanLine(err.Error()))}
		}
	}
	if !l.whole {
		return nil, 0, errCut
	}
	clean(&l.run)
	return l, good, nil
}

// decode reads lines, several at a time: with ten thousand cells that is most of the work. An error is
// about the line after the records.
func decode(lines [][]byte) ([]record, error) {
	out, errs := make([]record, len(lines)), make([]error, len(lines))
	workers := min(runtime.GOMAXPROCS(0), 1+len(lines)/500)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(lines); i += workers {
				errs[i] = json.Unmarshal(lines[i], &out[i])
			}
		})
	}
	wg.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return out[:i], errs[i]
	}
	return out, nil
}

// maxText bounds a text of a run that is shown, in bytes.
const maxText = 4096

func line(s *string) { *s = text.Cap(client.CleanLine(*s), maxText) }

// clean makes the texts of a run fit to be shown. The drafts and the suite stay as they are, to the
// byte: whoever shows them cleans them.
func clean(r *compare.Run) {
	for _, s := range []*string{&r.Name, &r.Profile, &r.Host, &r.Version, &r.SuiteHash, &r.Folder} {
		line(s)
	}
	for i := range r.Cells {
		c := &r.Cells[i]
		for _, s := range []*string{&c.Hash, &c.Prompt.ID, &c.Model, &c.ModelName, &c.Mode, &c.Format, &c.Seeds, &c.Cannot} {
			line(s)
		}
		c.Prompt.Text = client.Clean(c.Prompt.Text)
		for k := range c.Settings {
			line(&c.Settings[k].Field)
			line(&c.Settings[k].Value)
		}
		for k := range c.Notes {
			line(&c.Notes[k])
		}
	}
	for i := range r.Trials {
		line(&r.Trials[i].Seed)
		cleanOutcome(&r.Trials[i].Outcome)
	}
	cleanChecks(r.Checks)
	for _, list := range r.CellChecks {
		cleanChecks(list)
	}
}

func cleanOutcome(o *compare.Outcome) {
	for _, s := range []*string{(*string)(&o.State), &o.TaskID, &o.Code, &o.Message} {
		line(s)
	}
	for i := range o.Warnings {
		line(&o.Warnings[i])
	}
	for i := range o.Files {
		f := &o.Files[i]
		for _, s := range []*string{&f.Path, (*string)(&f.Kind), &f.MediaType, &f.SHA256} {
			line(s)
		}
		f.Here = false
	}
	for i := range o.Facts {
		p := &o.Facts[i]
		for _, s := range []*string{&p.Field, &p.Unit, &p.Asked.Text, &p.Claimed.Text, &p.Delivered.Text, &p.Tolerance, (*string)(&p.Verdict), (*string)(&p.ClaimVerdict)} {
			line(s)
		}
	}
	cleanChecks(o.Checks)
}

func cleanChecks(list []compare.Check) {
	for i := range list {
		c := &list[i]
		for _, s := range []*string{&c.Name, (*string)(&c.Verdict), &c.Text} {
			line(s)
		}
	}
}
