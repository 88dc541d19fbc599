// Package baseline compares a run with one that a person has blessed, and names what got worse. Only
// cells of equal hash are compared: they ask the gateway for the same. It is pure.
package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"darkroom/client"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/suite"
)

// version of the file; one that this program does not know is refused.
const version = 1

// Baseline is a run that a person has blessed, as a file keeps it.
type Baseline struct {
	Version   int         `json:"version"`
	BlessedAt time.Time   `json:"blessed_at"`
	Remark    string      `json:"remark,omitempty"`
	Run       compare.Run `json:"run"`
}

// Bless makes a baseline of a run. One with trials that are still to come is refused: what is missing
// could not get worse. Drafts, files and messages are left out, since a baseline may go to where a
// project is kept.
func Bless(r *compare.Run, now time.Time, remark string) (Baseline, error) {
	if t := r.Tally(); t.Done+t.Failed < t.Planned {
		return Baseline{}, fmt.Errorf("%d of %d trials are still to come: resume the run first", t.Planned-t.Done-t.Failed, t.Planned)
	}
	b := Baseline{Version: version, BlessedAt: now, Remark: client.CleanLine(remark), Run: *r}
	b.Run.Cells = make([]compare.Cell, len(r.Cells))
	for i, c := range r.Cells {
		c.Draft = client.Draft{Modality: c.Draft.Modality, Model: c.Model}
		b.Run.Cells[i] = c
	}
	b.Run.Trials = nil
	for _, t := range r.Counted() {
		x := *t
		x.Files, x.Warnings, x.TaskID, x.Message = nil, nil, "", ""
		b.Run.Trials = append(b.Run.Trials, x)
	}
	return b, nil
}

// Bounds of a file, which may be a stranger's: a few bytes of it become many in memory.
const (
	maxBytes   = 256 << 20
	maxCells   = suite.MaxCells
	maxTrials  = suite.MaxTrials
	maxObjects = 4_000_000
)

// Encode writes the file.
func (b *Baseline) Encode(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(b)
}

// Decode reads a file, which may be somebody else's: its texts come out clean.
func Decode(r io.Reader) (Baseline, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return Baseline{}, err
	}
	if len(text) > maxBytes {
		return Baseline{}, fmt.Errorf("a baseline has at most %d MB", maxBytes>>20)
	}
	var b Baseline
	if err := bounded(text); err != nil {
		return Baseline{}, err
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&b); err != nil {
		return Baseline{}, fmt.Errorf("this is not a baseline: %w", err)
	}
	switch {
	case b.Version == 0 || len(b.Run.Cells) == 0:
		return Baseline{}, errors.New("this is not a baseline: it has no cells; darkroom compare bless makes one")
	case b.Version != version:
		return Baseline{}, fmt.Errorf("this baseline is of version %d, and this program reads version %d", b.Version, version)
	}
	b.clean()
	return b, nil
}

// bounded refuses a file with more in it than a run has, before it is read.
func bounded(file []byte) error {
	var parts struct {
		Run struct {
			Cells  []json.RawMessage `json:"cells"`
			Trials []json.RawMessage `json:"trials"`
		} `json:"run"`
	}
	if err := json.NewDecoder(bytes.NewReader(file)).Decode(&parts); err != nil {
		return fmt.Errorf("this is not a baseline: %w", err)
	}
	switch cells, trials := len(parts.Run.Cells), len(parts.Run.Trials); {
	case cells > maxCells:
		return fmt.Errorf("this baseline has %d cells: at most %d are read", cells, maxCells)
	case trials > maxTrials:
		return fmt.Errorf("this baseline has %d trials: at most %d are read", trials, maxTrials)
	case bytes.Count(file, []byte{'{'}) > maxObjects:
		return errors.New("this baseline says more of its trials than is read")
	}
	return nil
}

func (b *Baseline) clean() {
	line := func(texts ...*string) {
		for _, t := range texts {
			*t = client.CleanLine(*t)
		}
	}
	r := &b.Run
	line(&b.Remark, &r.ID, &r.Name, &r.Profile, &r.Host, &r.Version)
	for i := range r.Cells {
		c := &r.Cells[i]
		c.Number = i + 1
		line(&c.Hash, &c.Prompt.ID, &c.Model, &c.ModelName, &c.Mode, &c.Format, &c.Cannot)
		for k := range c.Settings {
			line(&c.Settings[k].Field, &c.Settings[k].Value)
		}
	}
	for i := range r.Trials {
		t := &r.Trials[i]
		line(&t.Code, &t.Message)
		for k := range t.Checks {
			line(&t.Checks[k].Name, &t.Checks[k].Text)
		}
		for k := range t.Facts {
			line(&t.Facts[k].Field, &t.Facts[k].Delivered.Text, &t.Facts[k].Asked.Text, &t.Facts[k].Claimed.Text)
		}
	}
}
