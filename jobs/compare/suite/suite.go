// Package suite says what a tester's run compares: prompts x models x formats x settings, how often,
// with which seeds, and what is expected. A suite is a YAML file that a person writes or the Compare
// screen makes of drafts. It is read strictly; what a model makes of it is worked out in package plan.
package suite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"darkroom/client"
	"darkroom/client/expand"
)

// Bounds of a suite.
const (
	MaxCells     = 10_000
	MaxTrials    = 50_000 // warm-ups too
	DefaultLimit = 500    // of trials, unless the suite or a person raises it
	MaxRepeats   = 50
	MaxWarmups   = 10

	maxConcurrency = 64
	maxName        = 80 // characters
)

// What a suite has where it does not say.
const (
	DefaultConcurrency = 4
	DefaultTimeout     = time.Hour
	maxTimeout         = 24 * time.Hour
)

// Seed policies. A policy that is none of these is a number, which all trials get.
const (
	SeedEach = "each" // one for each repeat, the same in all cells, so that models are compared on equal seeds
	SeedSame = "same" // one for the whole run
	SeedNone = "none" // none is sent
)

// Formats that are chosen for each model.
const (
	FormatsAuto = "auto" // the model's own
	FormatsAll  = "all"  // every one that reaches it
)

// Suite is what is compared.
type Suite struct {
	Name    string
	About   string
	Kind    client.Modality
	Prompts []Prompt
	// Vars are values of the variables of the prompts, templates themselves.
	Vars map[string]string
	Mode string
	// Values are the same in every cell, under any name that the catalog knows. References may be
	// paths relative to the file of the suite.
	Values client.Values
	Models []Model
	// Formats are names of formats, or one of FormatsAuto and FormatsAll alone.
	Formats []string
	Axes    []Axis
	Exclude []Match

	Repeats int
	Warmups int    // for each cell
	Seed    string // a policy, or a number
	// Concurrency bounds the trials in flight at the host, Timeout each of them; Limit is the most
	// trials that may be planned.
	Concurrency int
	Timeout     time.Duration
	Limit       int

	Expect    []string // assertions of package check, as they are written
	Tolerance []Tolerance
	Score     *Score

	from *origin // nil for one that was not parsed
}

// Prompt is one template with its name, and the values that go with it alone, as its first image.
type Prompt struct {
	ID     string // "" for one that is named by its number
	Text   string // a template of package expand
	Values client.Values
}

// Model is one that is compared, or a pattern that stands for many.
type Model struct {
	Model     string // may have * for any characters
	ModelName string // may have * too, then it stands for all of the catalog's that fit
	// Mode and Values are for this model alone, where it needs others than the rest of the suite.
	Mode   string
	Values client.Values
	Skip   bool // it is left out, whatever else names it
}

// Axis is a field that varies. The cells have every combination of the axes' values.
type Axis struct {
	Field  string // any name that the catalog knows; "mode" too
	Values []Value
}

// Value is one value of an axis.
type Value struct {
	Value any  // as in [client.Values]; nil leaves the field unset
	Skip  bool // it is left out
}

// Match chooses cells to be left out: those that meet all of its conditions.
type Match []Condition

// Condition holds for cells that have one of the values. What it is about is "prompt" (by id),
// "model", "model_name", "format" or the field of an axis. Texts may have * for any characters.
type Condition struct {
	About  string
	Values []string // "" is an axis that leaves its field unset
}

// Tolerance is how far a property may be from what was asked for.
type Tolerance struct {
	Field   string
	Amount  float64 // in seconds, pixels, frames a second or Hz
	Percent bool    // Amount is of what was asked for
}

// Score is an external scorer: a program that is given a file and answers with JSON.
type Score struct {
	Name    string
	Command []string
}

// origin is the file that a suite was read from.
type origin struct {
	name, text string
	canonical  []byte
	places     map[string]place
}

type place struct{ line, column int }

// New returns a suite with what a file has that says no more than its name and kind.
func New(name string, kind client.Modality) Suite {
	return Suite{Name: name, Kind: kind, Formats: []string{FormatsAuto}, Repeats: 1, Seed: SeedEach,
		Concurrency: DefaultConcurrency, Timeout: DefaultTimeout, Limit: DefaultLimit}
}

// Text is the YAML of the suite: the file that it was read from, byte for byte, unless the suite was
// changed since.
func (s Suite) Text() string {
	now := s.YAML()
	if s.from != nil && bytes.Equal(now, s.from.canonical) {
		return s.from.text
	}
	return string(now)
}

// Hash is of what the suite says, hex: comments and notation do not count.
func (s Suite) Hash() string {
	sum := sha256.Sum256(s.YAML())
	return hex.EncodeToString(sum[:])
}

// Errorf makes an error, an [*expand.Error], at the place of a key in the suite's file: "models.1",
// "axes.duration". Without a file, or for a key that is not there, it names the key instead.
func (s Suite) Errorf(key, format string, args ...any) error {
	e := &expand.Error{Name: s.Name, Message: client.CleanLine(fmt.Sprintf(format, args...))}
	if s.from != nil {
		e.Name = s.from.name
		if p, ok := s.from.places[key]; ok {
			e.Line, e.Column = p.line, p.column
			return e
		}
	}
	e.Message = key + ": " + e.Message
	return e
}

// PromptID is the name of the prompt at an index: its own, or "p1" for the first one.
func (s Suite) PromptID(i int) string {
	if id := s.Prompts[i].ID; id != "" {
		return id
	}
	return fmt.Sprintf("p%d", i+1)
}
