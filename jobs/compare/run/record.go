package run

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"darkroom/jobs"
	"darkroom/jobs/compare"
)

// version is that of the records. A record of another one is not read.
const version = 1

// kind says what a record tells.
type kind string

// Kinds of records. Those of the plan come first, and planned ends them.
const (
	kindRun     kind = "run" // the head: the run without its cells, order and trials
	kindSuite   kind = "suite"
	kindFiles   kind = "files" // that the cells name, as they were when the run was planned
	kindCell    kind = "cell"
	kindOrder   kind = "order"
	kindPlanned kind = "planned"

	kindSend   kind = "send"   // a slot is about to be sent
	kindJob    kind = "job"    // the history has its job
	kindTrial  kind = "trial"  // what came of it
	kindFact   kind = "fact"   // a property, which most trials share with others: each is written once
	kindJudged kind = "judged" // the facts and the checks of a trial, of which nothing more is to come
	kindStop   kind = "stop"   // a person wants nothing more to be sent
	kindResume kind = "resume" // a person wants it to go on
	kindEnd    kind = "end"    // nothing more is to come
	kindTally  kind = "tally"  // what there is so far, for lists
)

// record is one line of a journal. Which fields it has depends on its kind.
type record struct {
	Version int       `json:"v"`
	Kind    kind      `json:"kind"`
	Slot    string    `json:"slot,omitempty"`
	Attempt int       `json:"attempt,omitempty"`
	Job     string    `json:"job,omitempty"`
	At      time.Time `json:"at,omitzero"`

	Run   *compare.Run  `json:"run,omitempty"`
	Suite string        `json:"suite,omitempty"`
	Files []planned     `json:"files,omitempty"`
	Cell  *compare.Cell `json:"cell,omitempty"`
	Order []string      `json:"order,omitempty"`
	Cells int           `json:"cells,omitempty"` // of the plan, to be sure that it is whole
	Slots int           `json:"slots,omitempty"`

	Seed    string           `json:"seed,omitempty"`
	Outcome *compare.Outcome `json:"outcome,omitempty"` // without facts and checks
	Saved   []saved          `json:"saved,omitempty"`   // beside the outcome's files, in their order

	Fact  *compare.Property `json:"fact,omitempty"`
	Facts []int             `json:"facts,omitempty"` // of a trial, by the number of the fact's record, from 1

	Status     compare.Status          `json:"status,omitempty"`
	Checks     []compare.Check         `json:"checks,omitempty"`
	CellChecks map[int][]compare.Check `json:"cell_checks,omitempty"`

	Tally *compare.Tally `json:"tally,omitempty"`
}

// planned is a local file that a draft of the plan names.
type planned struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256,omitempty"`
	// Why says why it could not be read then.
	Why string `json:"why,omitempty"`
}

// saved is what proves that this installation saved a file, see [jobs.Installation].
type saved struct {
	Index int    `json:"index"`
	Proof string `json:"proof,omitempty"`
}

// key is a trial's place in a run.
type key struct {
	slot    compare.Slot
	attempt int
}

// orderChunk is how many slots one record of the order has.
const orderChunk = 1000

// planRecords are the records of a plan.
func planRecords(r *compare.Run, files []planned) []record {
	head := *r
	head.Suite, head.Cells, head.Order, head.Trials, head.Checks, head.CellChecks = "", nil, nil, nil, nil, nil
	out := []record{
		{Kind: kindRun, At: r.CreatedAt, Run: &head, Cells: len(r.Cells), Slots: len(r.Order)},
		{Kind: kindSuite, Suite: r.Suite},
	}
	if len(files) > 0 {
		out = append(out, record{Kind: kindFiles, Files: files})
	}
	for i := range r.Cells {
		out = append(out, record{Kind: kindCell, Cell: &r.Cells[i]})
	}
	for from := 0; from < len(r.Order); from += orderChunk {
		chunk := r.Order[from:min(from+orderChunk, len(r.Order))]
		texts := make([]string, len(chunk))
		for i, s := range chunk {
			texts[i] = s.String()
		}
		out = append(out, record{Kind: kindOrder, Order: texts})
	}
	return append(out, record{Kind: kindPlanned, Cells: len(r.Cells), Slots: len(r.Order)}, tallyRecord(r))
}

// tallyRecord says how a run stands; every write to a journal ends with it.
func tallyRecord(r *compare.Run) record {
	t := r.Tally()
	return record{Kind: kindTally, Tally: &t, Status: r.Status, At: r.EndedAt}
}

// encode writes records as lines.
func encode(records []record) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i := range records {
		records[i].Version = version
		if err := e.Encode(&records[i]); err != nil {
			return nil, fmt.Errorf("writing a record of kind %s: %w", records[i].Kind, err)
		}
	}
	return b.Bytes(), nil
}

// trialRecord is what came of a trial, but for its facts and checks.
func trialRecord(t *compare.Trial, o *compare.Outcome, proofs []saved) record {
	b := bare(o)
	return record{Kind: kindTrial, Slot: t.Slot.String(), Attempt: t.Attempt, Job: t.JobID, Outcome: &b, Saved: proofs}
}

// bare is an outcome without what a judge says of it.
func bare(o *compare.Outcome) compare.Outcome {
	b := *o
	b.Facts, b.Checks = nil, nil
	return b
}

// judgedRecords are the last word about a trial: facts that are new, and which ones it has.
func (l *ledger) judgedRecords(t *compare.Trial, o *compare.Outcome) []record {
	var out []record
	judged := record{Kind: kindJudged, Slot: t.Slot.String(), Attempt: t.Attempt, Checks: o.Checks}
	if l.factAt == nil {
		l.factAt = make(map[compare.Property]int, len(l.facts))
		for i := range l.facts {
			l.factAt[l.facts[i]] = i + 1
		}
	}
	fresh := map[compare.Property]int{}
	for _, p := range o.Facts {
		for _, f := range []*compare.Fact{&p.Asked, &p.Claimed, &p.Delivered} {
			if math.IsNaN(f.Number) || math.IsInf(f.Number, 0) { // which JSON does not have
				f.Number = 0
			}
		}
		n := cmp.Or(l.factAt[p], fresh[p])
		if n == 0 {
			n = len(l.facts) + len(fresh) + 1
			fresh[p] = n
			out = append(out, record{Kind: kindFact, Fact: &p})
		}
		judged.Facts = append(judged.Facts, n)
	}
	return append(out, judged)
}

// asJob is the job of a trial, as far as is needed to find out whether its files were saved here.
func asJob(t *compare.Trial, proofs []saved) jobs.Job {
	j := jobs.Job{ID: t.JobID, Files: make([]jobs.File, len(t.Files))}
	for i := range t.Files {
		j.Files[i] = jobs.File{State: jobs.FileSaved, Path: t.Files[i].Path, Index: -1}
		if i < len(proofs) {
			j.Files[i].Index, j.Files[i].Proof = proofs[i].Index, proofs[i].Proof
		}
	}
	j.Strange() // what only the history of this machine can hold proves nothing here
	return j
}
