// Package stat says what the trials of a run show, and what they do not: how often each group
// succeeded, how long it took, and which of two groups was better at either, in sentences that a
// tester can quote. It is pure, and its numbers are the same for the same run.
//
// What is compared is always the same on both sides: a pair of groups is judged by the blocks (one
// prompt, and all else that the groups do not differ in) that both have trials of. Latencies are
// intervals: "faster" is said only when it holds whatever the true values within them were.
//
// No module does this: gonum v0.17.0 has none of the tests, and that of golang.org/x/perf/benchmath knows
// no blocks. What is needed is short, and each number is tested against published ones.
package stat

import (
	"time"

	"darkroom/jobs/compare"
)

// By says which cells are one group.
type By string

// Groupings. A group of ByModel holds all formats and settings of a model; these are then blocks,
// as prompts are.
const (
	ByAll      By = ""         // model, format and settings, see [compare.Cell.Group]
	ByModel    By = "model"    // model and model_name
	ByFormat   By = "format"   // model and format: the route matrix
	BySettings By = "settings" // model and settings
)

// Options say what is summarised.
type Options struct {
	By By
	// Alpha is the promised rate of runs in which any pair that does not differ in a metric is
	// called better or worse; 0 for 0.05.
	Alpha float64
}

// level is of all intervals.
const level = 0.95

// Metric is what groups are compared by.
type Metric string

// Metrics. Download is not part of Total.
const (
	Success  Metric = "success"
	Create   Metric = "create"
	Queue    Metric = "queue"
	Run      Metric = "run"
	Total    Metric = "total"
	Download Metric = "download"
)

// Latencies are the metrics that are times, in the order in which they are shown.
func Latencies() []Metric { return []Metric{Total, Create, Queue, Run, Download} }

// Verdict is what a comparison comes to, for its first side.
type Verdict string

// Verdicts. TooFew is one that was certain beforehand: not even if every trial of one side had beaten
// every one of the other would the numbers have shown it.
const (
	Better       Verdict = "better"
	Worse        Verdict = "worse"
	NoDifference Verdict = "no difference shown"
	TooFew       Verdict = "too few"
)

// Summary is a run in numbers.
type Summary struct {
	By    By      `json:"by,omitempty"`
	Alpha float64 `json:"alpha"`
	// Groups are in the order of their names, Prompts by group and prompt.
	Groups  []Group `json:"groups"`
	Prompts []Group `json:"prompts"`
	// Pairs are the comparisons of all pairs of groups, by A, B and metric; A is before B.
	Pairs []Comparison `json:"pairs"`
	// Notes are what a reader of the numbers must know, in plain words.
	Notes []string `json:"notes,omitempty"`
}

// Group is one group in numbers, or what it made of one prompt.
type Group struct {
	Name   string `json:"group"`
	Prompt string `json:"prompt,omitempty"` // its id

	Cells  int `json:"cells"`  // that can run
	Cannot int `json:"cannot"` // that cannot, and are not counted
	// Success is of the trials that have an end: Success.N is the n of the group.
	Success Share `json:"success"`
	Pass    Pass  `json:"pass"`
	// Errors counts the failures by code, the most frequent first. TimedOut are among them.
	Errors   []Code `json:"errors,omitempty"`
	TimedOut int    `json:"timed_out"`
	// Open are trials without an end yet. Unclear are those of which nobody can say what came of
	// them, and those that a person dropped. Neither is counted.
	Open    int `json:"open"`
	Unclear int `json:"unclear"`
	// Resent counts slots that were sent again after a failure. Their first attempt counts.
	Resent int `json:"resent"`

	// Times are by metric, and of one metric by the clock they are of; what nobody saw is not there.
	Times []Times `json:"times,omitempty"`
}

// Code is an error code and how often it came.
type Code struct {
	Code  string `json:"code"`
	Count int    `json:"count"`
}

// Share is a part of a whole with its 95 % interval after Wilson.
type Share struct {
	Count int     `json:"count"`
	N     int     `json:"n"`
	Value float64 `json:"value"` // 0 of none
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Pass is the share of cells of which all N repeats succeeded, see [PassAll].
type Pass struct {
	N     int     `json:"n"`     // repeats
	Cells int     `json:"cells"` // with that many trials that count
	Value float64 `json:"value"`
}

// Times is how long the trials of a group took, in one metric by one clock: of those that completed,
// and of those that timed out, which took at least so long (censored). Failures are not among them.
type Times struct {
	Metric   Metric         `json:"metric"`
	Source   compare.Source `json:"source"`
	N        int            `json:"n"`
	Censored int            `json:"censored"`
	// Within is how far the bounds of a latency lie apart, on average: by polls their pause, by stamps of
	// whole seconds two seconds.
	Within time.Duration `json:"within_ns"`
	Median Estimate      `json:"median"`
	// P95 is there from 20 trials on. It has no interval but what is not known of the trial that it is.
	P95 *Estimate `json:"p95,omitempty"`
}

// Estimate is one value with an interval. Intervals span what polls leave open, too.
type Estimate struct {
	Value time.Duration `json:"value_ns"`
	// MoreThan: Value is of a trial that timed out; the truth is more than it.
	MoreThan bool          `json:"more_than,omitempty"`
	Least    time.Duration `json:"least_ns"`
	Most     time.Duration `json:"most_ns"`
	Open     bool          `json:"open,omitempty"` // nothing is known of the upper end; Most says nothing
	// Coverage is how often such an interval holds the true median, at least: 0.95 or more where the
	// trials are enough for that, the most that they give (their least and greatest) where not.
	Coverage float64 `json:"coverage,omitempty"`
}

// Comparison is one pair of groups in one metric.
type Comparison struct {
	A      string         `json:"a"`
	B      string         `json:"b"`
	Metric Metric         `json:"metric"`
	Source compare.Source `json:"source,omitempty"` // of latencies
	// Verdict is of A: better than B, worse, or neither.
	Verdict  Verdict `json:"verdict"`
	Sentence string  `json:"sentence"`

	// SideA and SideB are what was compared: the blocks that both have.
	SideA Side `json:"side_a"`
	SideB Side `json:"side_b"`
	// Blocks counts the prompts (and all else that the groups do not differ in) that both have; Within
	// says that trials were compared only within these.
	Blocks int  `json:"blocks"`
	Within bool `json:"within"`
	// Each says what a block is: a "prompt", or a "cell" where groups hold several formats or settings.
	Each string `json:"each"`

	Test  string  `json:"test"`  // "Mann-Whitney", "Fisher"
	P     float64 `json:"p"`     // of this pair alone, two-sided; 1 where there is nothing to test
	Holm  float64 `json:"holm"`  // for all pairs
	Tests int     `json:"tests"` // pairs with something to test in this metric
	// Needed is the number of repeats of each block that each side needs at least, for TooFew.
	Needed int `json:"needed,omitempty"`
	// Coarse: by the middles of the intervals there is a difference; within them there need be none.
	Coarse bool `json:"coarse,omitempty"`

	// Superior is how often a trial of A was faster than one of B, as a range over all that the
	// intervals allow; of latencies.
	Superior *Range `json:"superior,omitempty"`
	// Shift is how much longer B took than A, with a 95 % interval for this pair alone, after
	// Hodges and Lehmann; nil where the trials are too few for one.
	Shift *Shift `json:"shift,omitempty"`
}

// Side is one side of a comparison.
type Side struct {
	N        int       `json:"n"`
	Censored int       `json:"censored,omitempty"`
	Median   *Estimate `json:"median,omitempty"` // of latencies
	Share    *Share    `json:"share,omitempty"`  // of success
}

// Range is a share from 0 to 1 as far as it is known.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Shift is a difference of two latencies; below zero, B was the faster one.
type Shift struct {
	Least time.Duration `json:"least_ns"`
	Most  time.Duration `json:"most_ns"`
	// LeastOpen and MostOpen: trials timed out, and nothing is known of this end.
	LeastOpen bool `json:"least_open,omitempty"`
	MostOpen  bool `json:"most_open,omitempty"`
}
