// Package vote lets people judge the results of a run without knowing which is whose: pairs of one
// prompt, drawn uniformly, the sides at random. Each judge has a file beside the run, to which every
// vote is added and synced before it counts; [Results] merges the files of all judges.
//
// A judge sees neutral copies of the files alone (package neutral), and until the reveal nothing of a
// [Session] but its errors about the journal tells of models, formats, jobs or latencies.
//
//	s, err := vote.Open(dir, run, "ana") // dir is where the runs are kept
//	b, ok := s.Ballot()                  // the pair to judge
//	sides, err := s.Media(ctx, b.ID)     // its files, neutral
//	err = s.Vote(b.ID, vote.AnswerA)     // on the disk when it returns
//	result, err := s.Reveal()            // from then on, votes are marked as seen
package vote

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"darkroom/client"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/vote/neutral"
)

// Answer is what a judge says of a pair.
type Answer string

// Answers.
const (
	AnswerA Answer = "a" // A is better
	AnswerB Answer = "b"
	Tie     Answer = "tie"
	Skip    Answer = "skip" // counts for nobody; the pair does not come again
)

func (a Answer) known() bool { return a == AnswerA || a == AnswerB || a == Tie || a == Skip }

// Side is one of the two results of a pair.
type Side string

// Sides.
const (
	A    Side = "a"
	B    Side = "b"
	Pair Side = "" // both: a note on the pair
)

func (s Side) known() bool { return s == A || s == B || s == Pair }

const maxStars = 5

// Errors that a face of the vote tells apart.
var (
	// ErrNothing says that a run has no pair to judge.
	ErrNothing = errors.New("no two groups of this run have a result of the same prompt yet: there is no pair to judge")
	// ErrStale says that the pair is not the one to be judged now: it was judged in another window.
	ErrStale = errors.New("this pair was judged already, perhaps in another window")
	// ErrNoUndo says that there is no vote to take back.
	ErrNoUndo = errors.New("there is no vote to take back")
	// ErrRevealed says that what was voted blind stays as it is after the reveal.
	ErrRevealed = errors.New("what was voted before the reveal stays as it is")
)

// Ballot is a pair to judge.
type Ballot struct {
	ID     string           `json:"id"` // of this showing; says nothing of the pair
	Prompt string           `json:"prompt"`
	Kind   client.AssetKind `json:"kind"`
	// StarsA and StarsB are the ratings so far, 0 for none, and Notes the notes by side.
	StarsA int             `json:"stars_a,omitempty"`
	StarsB int             `json:"stars_b,omitempty"`
	Notes  map[Side]string `json:"notes,omitempty"`
}

// Progress is how far a judge is.
type Progress struct {
	Pairs   uint64 `json:"pairs"` // of the run
	Judged  uint64 `json:"judged"`
	Skipped uint64 `json:"skipped"`
	// Undo says that there is a vote to take back, Revealed that the models were shown.
	Undo     bool `json:"undo"`
	Revealed bool `json:"revealed"`
}

// Over reports whether every pair had its turn.
func (p Progress) Over() bool { return p.Judged+p.Skipped >= p.Pairs }

// showing is a pair as it is shown.
type showing struct {
	id   string
	a, b *item
}

func (s *showing) key() string { return pairKey(s.a.job, s.b.job) }

// opinion is what a judge said of a pair besides the answer.
type opinion struct {
	stars map[string]int // by job
	notes map[string]string
}

// Session is a judge at work. It is safe for concurrent use: the faces that show it may be several.
type Session struct {
	dir  string
	run  *compare.Run
	pool *pool
	now  func() time.Time

	mu      sync.Mutex
	journal *journal
	head    record
	order   *order
	queue   []*showing // taken back, to be judged next
	current *showing   // nil when every pair had its turn
	votes   []record   // that stand, in their order
	voted   map[string]bool
	said    map[string]*opinion // by pair
	shown   bool                // revealed

	media media
}

// media is what was made of the pair that is shown.
type media struct {
	mu    sync.Mutex
	room  *neutral.Room
	of    string
	sides [2]neutral.File
	err   error
}

// Open opens the vote of a judge on a run that is kept in a folder, to go on where it ended: with the
// same pair, the sides as they were. One judge is at work in one process at a time.
func Open(dir string, run *compare.Run, judge string) (*Session, error) {
	var seed [8]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return nil, err
	}
	return begin(dir, run, judge, binary.BigEndian.Uint64(seed[:]))
}

// begin opens a vote; where it is a new one, sides is the seed of its sides.
func begin(dir string, run *compare.Run, judge string, sides uint64) (*Session, error) {
	if err := errors.Join(checkRun(run.ID), CheckJudge(judge)); err != nil {
		return nil, err
	}
	s := &Session{dir: dir, run: run, pool: newPool(run), now: time.Now, voted: map[string]bool{}, said: map[string]*opinion{}}
	if s.pool.n == 0 {
		return nil, ErrNothing
	}
	head := record{Kind: isJudge, At: s.now().UTC(), Run: run.ID, Judge: judge, Order: orderSeed(run), Sides: sides}
	j, h, err := openJournal(dir, head)
	if err != nil {
		return nil, err
	}
	s.journal, s.head = j, h.head
	for _, r := range h.all {
		s.take(r)
	}
	s.order = newOrder(s.head.Order, s.pool.n)
	s.draw()
	return s, nil
}

// Close ends the session and removes the neutral copies.
func (s *Session) Close() error {
	s.media.mu.Lock()
	defer s.media.mu.Unlock()
	err := s.media.room.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(err, s.journal.close())
}

// take takes in a record of the journal.
func (s *Session) take(r record) {
	key := pairKey(r.A, r.B)
	switch r.Kind {
	case isVote:
		s.drop(key)
		s.votes, s.voted[key] = append(s.votes, r), true
	case isUndo:
		s.drop(key)
	case isRating, isNote:
		s.remark(key, r)
	case isReveal:
		s.shown = true
	}
}

func (s *Session) drop(key string) {
	if !s.voted[key] {
		return
	}
	delete(s.voted, key)
	for i := len(s.votes) - 1; i >= 0; i-- {
		if pairKey(s.votes[i].A, s.votes[i].B) == key {
			s.votes = append(s.votes[:i], s.votes[i+1:]...)
			return
		}
	}
}

func (s *Session) remark(key string, r record) {
	o := s.said[key]
	if o == nil {
		o = &opinion{stars: map[string]int{}, notes: map[string]string{}}
		s.said[key] = o
	}
	job := map[Side]string{A: r.A, B: r.B}[r.Side]
	if r.Kind == isRating {
		o.stars[job] = r.Stars
		return
	}
	o.notes[job] = r.Text
}

// draw goes to the next pair that had no turn yet.
func (s *Session) draw() {
	s.current = nil
	if n := len(s.queue); n > 0 {
		s.current, s.queue = s.queue[n-1], s.queue[:n-1]
		s.current.id = rand.Text()
		return
	}
	for {
		k, ok := s.order.next()
		if !ok {
			return
		}
		a, b := s.pool.pair(k)
		show := &showing{id: rand.Text(), a: a, b: b}
		if s.voted[show.key()] {
			continue
		}
		if turned(s.head.Sides, show.key()) {
			show.a, show.b = b, a
		}
		s.current = show
		return
	}
}

// Ballot is the pair to judge now; false when every pair had its turn.
func (s *Session) Ballot() (Ballot, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.current
	if c == nil {
		return Ballot{}, false
	}
	b := Ballot{ID: c.id, Prompt: client.Clean(c.a.prompt.Text), Kind: c.a.file.Kind}
	if o := s.said[c.key()]; o != nil {
		b.StarsA, b.StarsB, b.Notes = o.stars[c.a.job], o.stars[c.b.job], map[Side]string{}
		for side, job := range map[Side]string{A: c.a.job, B: c.b.job, Pair: ""} {
			if o.notes[job] != "" {
				b.Notes[side] = o.notes[job]
			}
		}
	}
	return b, true
}

// Progress tells how far the judge is.
func (s *Session) Progress() Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := Progress{Pairs: s.pool.n, Revealed: s.shown, Undo: s.undoable() == nil}
	for _, v := range s.votes {
		if v.Answer == Skip {
			p.Skipped++
		} else {
			p.Judged++
		}
		if s.pool.of(v.A) == nil || s.pool.of(v.B) == nil { // sent anew since
			p.Pairs++
		}
	}
	return p
}

// write adds a record about the pair that is shown, and takes it in once it is on the disk.
func (s *Session) write(ballot string, r record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.current
	if c == nil || c.id != ballot {
		return ErrStale
	}
	r.At, r.A, r.B = s.now().UTC(), c.a.job, c.b.job
	if r.Kind == isVote {
		r.Seen = s.shown
	}
	if err := r.check(); err != nil {
		return err
	}
	if err := s.journal.add(r); err != nil {
		return err
	}
	s.take(r)
	if r.Kind == isVote {
		s.draw()
	}
	return nil
}

// Vote answers the ballot that is shown. When it returns, the vote is on the disk.
func (s *Session) Vote(ballot string, answer Answer) error {
	if !answer.known() {
		return fmt.Errorf("%q is no answer: it is a, b, tie or skip", client.CleanLine(string(answer)))
	}
	return s.write(ballot, record{Kind: isVote, Answer: answer})
}

// Rate gives a side of the ballot that is shown 1 to 5 stars; 0 takes them away.
func (s *Session) Rate(ballot string, side Side, stars int) error {
	if side != A && side != B || stars < 0 || stars > maxStars {
		return errors.New("a rating is 1 to 5 for A or B, and 0 for none")
	}
	return s.write(ballot, record{Kind: isRating, Side: side, Stars: stars})
}

// Note keeps a note on a side of the ballot that is shown, or on the pair; "" takes it away.
func (s *Session) Note(ballot string, side Side, note string) error {
	if !side.known() {
		return errors.New("a note is on A, on B or on the pair")
	}
	return s.write(ballot, record{Kind: isNote, Side: side, Text: note})
}

// undoable says why the newest vote cannot be taken back.
func (s *Session) undoable() error {
	switch n := len(s.votes); {
	case n == 0:
		return ErrNoUndo
	case s.shown && !s.votes[n-1].Seen:
		return ErrRevealed
	}
	return nil
}

// Undo takes the newest vote or skip back, and shows its pair again. The file keeps both.
func (s *Session) Undo() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.undoable(); err != nil {
		return err
	}
	last := s.votes[len(s.votes)-1]
	if err := s.journal.add(record{Kind: isUndo, At: s.now().UTC(), A: last.A, B: last.B}); err != nil {
		return err
	}
	s.drop(pairKey(last.A, last.B))
	back := &showing{a: s.pool.of(last.A), b: s.pool.of(last.B)}
	if back.a == nil || back.b == nil {
		return nil // a result that was sent anew since
	}
	if s.current != nil {
		s.queue = append(s.queue, s.current)
	}
	s.queue = append(s.queue, back)
	s.draw()
	return nil
}

// Revealed reports whether the judge knows the result; votes from then on are marked as seen.
func (s *Session) Revealed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown
}

// Reveal notes that the judge gets to know the result, and returns it, merged over all judges.
func (s *Session) Reveal() (Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.shown {
		r := record{Kind: isReveal, At: s.now().UTC()}
		if err := s.journal.add(r); err != nil {
			return Result{}, err
		}
		s.shown = true
	}
	return Results(s.dir, s.run)
}

// Media makes neutral copies of the two files of the ballot that is shown, once, and returns them as
// A and B. They are removed when the next ballot's are made, and by Close.
func (s *Session) Media(ctx context.Context, ballot string) (sides [2]neutral.File, err error) {
	s.media.mu.Lock()
	defer s.media.mu.Unlock()
	s.mu.Lock()
	c := s.current
	s.mu.Unlock()
	if c == nil || c.id != ballot {
		return sides, ErrStale
	}
	m := &s.media
	if m.of == ballot {
		return m.sides, m.err
	}
	if m.room == nil {
		if m.room, err = neutral.NewRoom(); err != nil {
			return sides, err
		}
	}
	sides, err = m.room.Pair(ctx, c.a.file.Path, c.b.file.Path)
	if ctx.Err() != nil { // given up, not judged
		return sides, ctx.Err()
	}
	m.of, m.sides, m.err = ballot, sides, err
	return sides, err
}
