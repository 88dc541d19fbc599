package vote

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"darkroom/client/human"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/stat"
)

// Bounds of what is merged.
const (
	maxJudges = 200
	maxVotes  = 200_000
)

// Result is what the judges of a run say, all together.
type Result struct {
	Run    string  `json:"run"`
	Judges []Judge `json:"judges"`
	// Ranking is of all blind votes; a tie is half a win for each.
	Ranking stat.Ranking `json:"ranking"`
	// Unjudged are groups with results that no vote is about.
	Unjudged []string `json:"unjudged,omitempty"`
	// Pairs are the votes by two groups, in the order of the ranking.
	Pairs []Tally `json:"pairs"`
	// Agreement is that on pairs of results that several judges voted on.
	Agreement stat.Agreement `json:"agreement"`
	// SideA is how often A won, of the votes that are no tie: by chance, half of them.
	SideA   stat.Share `json:"side_a"`
	Ratings []Rating   `json:"ratings,omitempty"` // by group
	Remarks []Remark   `json:"remarks,omitempty"`
	// Warnings are what a reader must know, in plain words.
	Warnings []string `json:"warnings,omitempty"`
}

// Judge is one judge in numbers.
type Judge struct {
	Name  string     `json:"name"`
	Votes int        `json:"votes"` // that count: blind ones, ties among them
	Ties  int        `json:"ties"`
	Skips int        `json:"skips"`
	Seen  int        `json:"seen"`   // votes given after the reveal, which do not count
	SideA stat.Share `json:"side_a"` // how often A won
}

// Tally is how two groups did against one another.
type Tally struct {
	A     string `json:"a"`
	B     string `json:"b"`
	WinsA int    `json:"wins_a"`
	Ties  int    `json:"ties"`
	WinsB int    `json:"wins_b"`
}

// Rating is the stars of a group.
type Rating struct {
	Group string  `json:"group"`
	N     int     `json:"n"`
	Mean  float64 `json:"mean"`
}

// Remark is a note of a judge.
type Remark struct {
	Judge string `json:"judge"`
	Group string `json:"group,omitempty"` // "" for one on a pair
	Pair  string `json:"pair,omitempty"`  // of groups
	Text  string `json:"text"`
}

// Results merges the votes of all judges of a run that is kept in a folder. A run without votes has
// none.
func Results(dir string, run *compare.Run) (Result, error) {
	out := Result{Run: run.ID}
	if err := checkRun(run.ID); err != nil {
		return out, err
	}
	entries, err := os.ReadDir(Folder(dir, run.ID))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return out, err
	}
	m := newMerger(run)
	for _, e := range entries {
		judge, ok := strings.CutSuffix(e.Name(), suffix)
		if !ok || CheckJudge(judge) != nil {
			continue
		}
		if len(m.out.Judges) == maxJudges || len(m.pairings) > maxVotes {
			m.warn("Only the votes of the first %s are counted: at most %d judges are, and some %d votes.", human.Plural(len(m.out.Judges), "judge"), maxJudges, maxVotes)
			break
		}
		h, err := readFile(filepath.Join(Folder(dir, run.ID), e.Name()))
		switch {
		case err != nil:
			m.warn("The votes of %s cannot be read: %v.", judge, err)
		case h.head.Run != run.ID || h.head.Judge != judge:
			m.warn("The votes in %s are of another run or judge.", e.Name())
		default:
			m.judge(h)
		}
	}
	return m.result(), nil
}

// merger merges the votes of judges.
type merger struct {
	run      *compare.Run
	groups   map[string]string // by job
	pool     *pool
	out      Result
	pairings []stat.Pairing
	said     []stat.Judgement
	stars    map[string][]int // by group
	a, sides int              // wins of side A, and votes that are no tie
	lost     int
}

func newMerger(run *compare.Run) *merger {
	m := &merger{run: run, groups: map[string]string{}, pool: newPool(run), stars: map[string][]int{}}
	m.out.Run = run.ID
	formats := run.Formats()
	for i := range run.Trials {
		t := &run.Trials[i]
		if c := run.Cell(t.Slot.Cell); c != nil {
			m.groups[t.JobID] = c.Group(formats)
		}
	}
	return m
}

func (m *merger) warn(format string, args ...any) {
	m.out.Warnings = append(m.out.Warnings, fmt.Sprintf(format, args...))
}

// judge takes in the file of one.
func (m *merger) judge(h history) {
	s := &Session{voted: map[string]bool{}, said: map[string]*opinion{}}
	for _, r := range h.all {
		if r.Kind == isVote {
			r.Seen = r.Seen || s.shown
		}
		s.take(r)
	}
	j := Judge{Name: h.head.Judge}
	won, decided := 0, 0
	for _, v := range s.votes {
		a, b := m.groups[v.A], m.groups[v.B]
		switch {
		case v.Answer == Skip:
			j.Skips++
			continue
		case v.Seen:
			j.Seen++
			continue
		case a == "" || b == "" || a == b:
			m.lost++
			continue
		}
		j.Votes++
		score := map[Answer]float64{AnswerA: 1, Tie: 0.5}[v.Answer]
		m.pairings = append(m.pairings, stat.Pairing{A: a, B: b, Score: score, Judge: j.Name})
		m.said = append(m.said, stat.Judgement{Item: pairKey(v.A, v.B), Judge: j.Name, Choice: choice(a, b, v.Answer)})
		switch v.Answer {
		case Tie:
			j.Ties++
			continue
		case AnswerA:
			won++
		}
		decided++
	}
	j.SideA = stat.Wilson(won, decided)
	m.a, m.sides = m.a+won, m.sides+decided
	if d := 2*won - decided; d*d > 9*decided { // three standard deviations: by chance, with one judge in 400
		m.warn("%s preferred side %s in %d of %d votes. Sides are random: the side may have swayed them.", j.Name,
			map[bool]string{true: "A", false: "B"}[d > 0], max(won, decided-won), decided)
	}
	if j.Seen > 0 {
		m.warn("%s of %s came after the reveal and %s not count.", human.Plural(j.Seen, "vote"), j.Name, map[bool]string{true: "does", false: "do"}[j.Seen == 1])
	}
	if h.bad > 0 {
		m.warn("%s in the file of %s cannot be read and are left out.", human.Plural(h.bad, "line"), j.Name)
	}
	m.out.Judges = append(m.out.Judges, j)
	m.opinions(j.Name, s.said)
}

// choice is an answer as all judges of a pair mean it, whatever stood as A for them.
func choice(a, b string, answer Answer) string {
	switch {
	case answer == Tie:
		return "tie"
	case (answer == AnswerA) == (a < b):
		return "first"
	}
	return "second"
}

// opinions takes in ratings and notes.
func (m *merger) opinions(judge string, said map[string]*opinion) {
	var keys []string
	for key := range said {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		one, two, _ := strings.Cut(key, " ")
		for _, job := range []string{one, two, ""} {
			group := m.groups[job]
			if n := said[key].stars[job]; n > 0 && group != "" {
				m.stars[group] = append(m.stars[group], n)
			}
			note := said[key].notes[job]
			switch {
			case note == "":
			case job == "":
				m.out.Remarks = append(m.out.Remarks, Remark{Judge: judge, Pair: m.groups[one] + " / " + m.groups[two], Text: note})
			case group != "":
				m.out.Remarks = append(m.out.Remarks, Remark{Judge: judge, Group: group, Text: note})
			}
		}
	}
}

// result works out what all judges say.
func (m *merger) result() Result {
	out := &m.out
	out.Agreement, out.SideA = stat.Agree(m.said), stat.Wilson(m.a, m.sides)
	ranking, err := stat.BradleyTerry(m.pairings, orderSeed(m.run))
	if err != nil { // of too many groups: a report has all else
		m.warn("There is no ranking: %v.", err)
		return *out
	}
	out.Ranking = ranking
	place := map[string]int{}
	for i, x := range ranking.Items {
		place[x.Name] = i
	}
	for _, g := range m.pool.groups() {
		if _, ok := place[g]; !ok {
			out.Unjudged = append(out.Unjudged, g)
		}
	}
	out.Pairs = tallies(m.pairings, place)
	for i := range ranking.Items {
		g := ranking.Items[i].Name
		if all := m.stars[g]; len(all) > 0 {
			sum := 0
			for _, n := range all {
				sum += n
			}
			out.Ratings = append(out.Ratings, Rating{Group: g, N: len(all), Mean: float64(sum) / float64(len(all))})
		}
	}
	if m.lost > 0 {
		m.warn("%s about results that this run no longer has are left out.", human.Plural(m.lost, "vote"))
	}
	return *out
}

// tallies counts the votes by two groups, the higher place first.
func tallies(all []stat.Pairing, place map[string]int) []Tally {
	n := len(place)
	by := map[int]*Tally{}
	for _, p := range all {
		if place[p.A] > place[p.B] {
			p = stat.Pairing{A: p.B, B: p.A, Score: 1 - p.Score}
		}
		at := place[p.A]*n + place[p.B]
		t := by[at]
		if t == nil {
			t = &Tally{A: p.A, B: p.B}
			by[at] = t
		}
		switch p.Score {
		case 1:
			t.WinsA++
		case 0:
			t.WinsB++
		default:
			t.Ties++
		}
	}
	var order []int
	for at := range by {
		order = append(order, at)
	}
	slices.Sort(order)
	out := make([]Tally, 0, len(order))
	for _, at := range order {
		out = append(out, *by[at])
	}
	return out
}

// Words is the result in sentences that can be quoted, the warnings among them, but for the numbers of the
// ranking.
func (r *Result) Words() []string {
	if len(r.Ranking.Items) == 0 {
		return append([]string{"Nobody has voted blind yet."}, r.Warnings...)
	}
	out := []string{fmt.Sprintf("%s by %s.", human.Plural(r.Ranking.Pairings, "vote"), human.Plural(r.Ranking.Judges, "judge"))}
	out = append(out, r.Ranking.Notes...)
	if len(r.Unjudged) > 0 {
		out = append(out, "Not judged yet: "+strings.Join(r.Unjudged, ", ")+".")
	}
	switch a := r.Agreement; {
	case a.Items == 0 && r.Ranking.Judges > 1:
		out = append(out, "No pair was judged by two judges: nothing is known of their agreement.")
	case a.Items > 0:
		text := fmt.Sprintf("On %s that several judged, judges agree in %.0f %% of cases", human.Plural(a.Items, "pair"), 100*a.Plain)
		if a.Test != "" {
			text += fmt.Sprintf(" (%s %.2f, where 0 is chance and 1 is full agreement)", a.Test, a.Kappa)
		}
		out = append(out, text+".")
	}
	if r.SideA.N > 0 {
		out = append(out, fmt.Sprintf("Side A won %d of %d votes that are no tie; by chance, half.", r.SideA.Count, r.SideA.N))
	}
	return append(out, r.Warnings...)
}
