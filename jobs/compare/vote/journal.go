package vote

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"darkroom/client"
	"darkroom/client/disk"
	"darkroom/client/text"
	"darkroom/jobs/compare"
)

// Bounds of a judge's file, which somebody else may have written.
const (
	maxJournal = 16 << 20 // bytes
	maxLine    = 8 << 10
	maxNote    = 1000 // bytes of a note
	maxJudge   = 40   // characters of a judge's name
	maxID      = 80   // bytes of a job's id
)

const suffix = ".ndjson"

// kind is what a record tells.
type kind string

const (
	isJudge  kind = "judge" // the first one: whose file it is
	isVote   kind = "vote"
	isUndo   kind = "undo" // of the vote for a pair
	isRating kind = "rating"
	isNote   kind = "note"
	isReveal kind = "reveal" // what comes after it was not blind
)

// record is a line of a judge's file. Models and formats are not in it: the run tells them.
type record struct {
	Kind kind      `json:"kind"`
	At   time.Time `json:"at,omitzero"`

	Run   string `json:"run,omitempty"`
	Judge string `json:"judge,omitempty"`
	Order uint64 `json:"order,omitempty"` // seed of the order of pairs
	Sides uint64 `json:"sides,omitempty"` // and of their sides

	A      string `json:"a,omitempty"` // the job whose result stood as A
	B      string `json:"b,omitempty"`
	Answer Answer `json:"answer,omitempty"`
	Seen   bool   `json:"seen,omitempty"` // given after a reveal
	Side   Side   `json:"side,omitempty"`
	Stars  int    `json:"stars,omitempty"`
	Text   string `json:"text,omitempty"`
}

// check cleans a record, and says what is wrong with it.
func (r *record) check() error {
	r.Text = text.Head(client.CleanLine(r.Text), maxNote)
	if r.Kind == isReveal {
		return nil
	}
	if r.Kind == isJudge {
		if err := CheckJudge(r.Judge); err != nil {
			return err
		}
		return checkRun(r.Run)
	}
	if r.A == "" || r.B == "" || r.A == r.B || len(r.A) > maxID || len(r.B) > maxID {
		return errors.New("it names no two jobs")
	}
	switch {
	case r.Kind == isVote && r.Answer.known(), r.Kind == isUndo:
	case r.Kind == isRating && (r.Side == A || r.Side == B) && r.Stars >= 0 && r.Stars <= maxStars:
	case r.Kind == isNote && r.Side.known():
	default:
		return errors.New("it says nothing that is known here")
	}
	return nil
}

// CheckJudge says what is wrong with the name of a judge, which is also that of a file: letters,
// digits, - and _.
func CheckJudge(name string) error {
	n := 0
	for _, r := range name {
		if n++; !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' || n > maxJudge {
			n = 0
			break
		}
	}
	if n == 0 {
		return fmt.Errorf("%q is not a name for a judge: it has letters, digits, - and _, at most %d", client.CleanLine(text.Cap(name, maxID)), maxJudge)
	}
	return nil
}

// Self is the name of the judge that the user is unless another one is named, from the environment.
func Self(env func(string) string) string {
	name := strings.Map(func(r rune) rune {
		if CheckJudge(string(r)) != nil {
			return -1
		}
		return r
	}, text.Head(cmp.Or(env("USER"), env("LOGNAME")), maxJudge))
	return cmp.Or(name, "me")
}

func checkRun(id string) error {
	if id == "" || len(id) > maxID || id != filepath.Base(id) || strings.HasPrefix(id, ".") || client.CleanLine(id) != id {
		return errors.New("the run has no id that could name a folder")
	}
	return nil
}

// Folder is where the votes on a run lie: a file for each judge.
func Folder(dir, run string) string { return filepath.Join(dir, run+".votes") }

// File is where the votes of a judge on a run lie. Copied to another machine it is what [Import] takes.
func File(dir, run, judge string) string { return filepath.Join(Folder(dir, run), judge+suffix) }

// history is what a file of votes says.
type history struct {
	head record
	all  []record // without the head
	bad  int      // lines that could not be read
	torn bool     // the last line has no end
}

// parse reads a file of votes. Lines that are damaged are counted and left out; a file that does not
// say whose it is, is none.
func parse(b []byte) (history, error) {
	var h history
	if len(b) > maxJournal {
		return h, fmt.Errorf("it has more than %d MiB", maxJournal>>20)
	}
	h.torn = len(b) > 0 && b[len(b)-1] != '\n'
	for line := range bytes.Lines(b) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		var r record
		if len(line) > maxLine || json.Unmarshal(line, &r) != nil || r.check() != nil {
			h.bad++
			continue
		}
		switch {
		case r.Kind == isJudge && h.head.Kind == "" && len(h.all) == 0:
			h.head = r
		case r.Kind == isJudge, h.head.Kind == "":
			h.bad++
		default:
			h.all = append(h.all, r)
		}
	}
	if h.head.Kind == "" {
		return h, errors.New("it is not a file of votes: it does not say of which judge and run")
	}
	return h, nil
}

// readFile reads the votes of a file.
func readFile(path string) (history, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|disk.PlainOnly, 0) // #nosec G304 -- the person's own
	if err != nil {
		return history{}, err
	}
	defer func() { _ = f.Close() }()
	h, err := readVotes(f)
	if err != nil {
		return h, fmt.Errorf("%s: %w", client.CleanLine(path), err)
	}
	return h, nil
}

func readVotes(f *os.File) (history, error) {
	b, err := readBounded(f)
	if err != nil {
		return history{}, err
	}
	return parse(b)
}

func readBounded(f *os.File) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, errors.New("it is not a file")
	}
	return io.ReadAll(io.LimitReader(f, maxJournal+1))
}

// journal is the file of a judge, open to be added to. Nothing in it is ever written anew.
type journal struct {
	file *os.File
	size int64
	torn bool
}

// openJournal opens the file of a judge, or begins it with a head, and keeps other processes from it.
func openJournal(dir string, head record) (_ *journal, h history, err error) {
	folder := Folder(dir, head.Run)
	if err = os.MkdirAll(folder, 0o700); err != nil {
		return nil, h, err
	}
	path := File(dir, head.Run, head.Judge)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|disk.PlainOnly, 0o600)
	if err != nil {
		return nil, h, err
	}
	j := &journal{file: f}
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	switch err = disk.Lock(f, true); {
	case errors.Is(err, disk.ErrLocked):
		return nil, h, fmt.Errorf("%s is judging this run in another window or process: end it there, or judge as somebody else", head.Judge)
	case err != nil && !errors.Is(err, errors.ErrUnsupported):
		return nil, h, err
	}
	b, err := readBounded(f)
	if err != nil {
		return nil, h, fmt.Errorf("%s: %w", client.CleanLine(path), err)
	}
	j.size = int64(len(b))
	if begun := bytes.IndexByte(b, '\n') >= 0; !begun { // new, or torn in its first line, before any vote
		j.torn = len(b) > 0
		if err = errors.Join(j.add(head), disk.SyncDir(os.Open(folder))); err != nil {
			return nil, h, err
		}
		return j, history{head: head}, nil
	}
	if h, err = parse(b); err == nil && (h.head.Run != head.Run || h.head.Judge != head.Judge) {
		err = errors.New("it is of another run or judge than its name says")
	}
	if err != nil {
		return nil, h, fmt.Errorf("%s: %w", client.CleanLine(path), err)
	}
	j.torn = h.torn
	return j, h, nil
}

// add appends a record, and returns when it is on the disk.
func (j *journal) add(r record) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	if j.torn { // what stands before it is not part of it
		b = append([]byte{'\n'}, b...)
	}
	if j.size+int64(len(b)) > maxJournal {
		return fmt.Errorf("the file of votes has %d MiB, and takes no more", maxJournal>>20)
	}
	n, err := j.file.Write(b)
	j.size += int64(n)
	j.torn = n > 0 && n < len(b)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("the vote is not kept: %w", err)
	}
	return nil
}

func (j *journal) close() error { return j.file.Close() }

// Import takes over files of votes on a run that other judges have sent, and returns the judges. A
// file that goes on from what is here replaces it; one that says something else is refused.
func Import(dir string, run *compare.Run, files ...string) ([]string, error) {
	if err := checkRun(run.ID); err != nil {
		return nil, err
	}
	var judges []string
	for _, path := range files {
		judge, err := importOne(dir, run, path)
		if err != nil {
			return judges, err
		}
		judges = append(judges, judge)
	}
	return judges, nil
}

func importOne(dir string, run *compare.Run, path string) (string, error) {
	h, err := readFile(path)
	if err != nil {
		return "", err
	}
	if h.head.Run != run.ID {
		return "", fmt.Errorf("%s: these are votes on another run, %s", client.CleanLine(path), h.head.Run)
	}
	to := File(dir, run.ID, h.head.Judge)
	mine, err := h.encoded()
	if err != nil {
		return "", err
	}
	switch there, err := lockedVotes(to); {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return "", err
	case bytes.HasPrefix(there, mine):
		return h.head.Judge, nil // nothing new in it
	case !bytes.HasPrefix(mine, there):
		return "", fmt.Errorf("%s: there are other votes of %s on this run already", client.CleanLine(path), h.head.Judge)
	}
	if err := os.MkdirAll(Folder(dir, run.ID), 0o700); err != nil {
		return "", err
	}
	return h.head.Judge, disk.Replace(to, func(f *os.File) error {
		_, err := f.Write(mine)
		return err
	})
}

// encoded is what could be read of a file, as it is written.
func (h *history) encoded() ([]byte, error) {
	var out bytes.Buffer
	for _, r := range append([]record{h.head}, h.all...) {
		b, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		out.Write(append(b, '\n'))
	}
	return out.Bytes(), nil
}

// lockedVotes reads a file of votes that nobody is adding to.
func lockedVotes(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDWR|disk.PlainOnly, 0) // #nosec G304 -- of our own folder
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if err := disk.Lock(f, true); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("%s: %w", client.CleanLine(path), err)
	}
	h, err := readVotes(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", client.CleanLine(path), err)
	}
	return h.encoded()
}

// Looked notes that a judge was shown the result elsewhere, as [Session.Reveal] does: later votes do not
// count. Of somebody who has not voted on the run nothing is noted.
func Looked(dir string, run *compare.Run, judge string) error {
	if err := errors.Join(checkRun(run.ID), CheckJudge(judge)); err != nil {
		return err
	}
	if _, err := os.Lstat(File(dir, run.ID, judge)); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	j, h, err := openJournal(dir, record{Kind: isJudge, Run: run.ID, Judge: judge})
	if err != nil {
		return err
	}
	for _, r := range h.all {
		if r.Kind == isReveal {
			return j.close()
		}
	}
	return errors.Join(j.add(record{Kind: isReveal, At: time.Now().UTC()}), j.close())
}
