package jobs

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs/schedule"
)

// Query selects jobs of the history, newest first unless Sort says otherwise.
//
// Text is one or more words, separated by blanks: each has to occur somewhere in prompt, ids,
// title, error, note, remark or tags, or in the message of the create's or the last error, in any
// order and ignoring case. A word may be part of a longer one; its first 256 bytes count. Text in
// double quotes is looked for as it is. A word of 16 bytes or more that is the whole id of a job,
// of a task or of a request that an event names (in the case that the gateway gave it) finds these
// alone.
type Query struct {
	States   []State // empty for all
	Model    string  // exact, or with * for any text, see HasModel; "" for all
	Modality client.Modality
	Profile  string
	Group    string
	Run      string // id of a run, exact, see Job.Run
	TaskID   string // matches the task id, an alternative id or the job id
	Text     string // see above; "" for all
	Tag      string // exact; "" for all
	Starred  bool   // only those with the tag Star, beside what Tag says
	Observed bool   // only observed ones, see Job.Observed
	Unsaved  bool   // only those with a file that could not be saved, see Job.Unsaved
	Parent   string // id of a job: those that were made from it; "" for all
	// Since and Until bound when a job was made: not before the one, before the other. Zero for any
	// time.
	Since, Until time.Time
	// EndedSince and EndedUntil bound in the same way when it ended, as far as that was seen.
	EndedSince, EndedUntil time.Time
	// TookOver and TookUnder bound how long a job took that has ended, see [Job.Took]: more than the
	// one, less than the other; 0 for any.
	TookOver, TookUnder time.Duration
	// Codes selects jobs by the code of their error, or by the HTTP status of an answer that an
	// event tells of, from 400 on. A * stands for any text, and case does not matter.
	Codes []string
	// Still selects jobs that the engine works on, that are not paused, and of which neither state
	// nor progress has changed since; zero for all.
	Still time.Time
	// Slow and Stuck select by how long tasks usually take, see [Query.Judges]. An [Engine] decides
	// that; a [Store] does not look at them.
	Slow, Stuck bool
	// Rejected says what becomes of rejected jobs, which "" leaves out; see [Query.Keeps].
	Rejected Rejects
	// Not says what is left out.
	Not Not

	// Sort is the order; [Page.Next] leads on in it.
	Sort Sort
	// Before is the cursor of an earlier page (keyset paging), "" for the first page. The id of a job
	// is a cursor, too: of what follows that job.
	Before string
	Limit  int // 0 for 50
}

// Not is what a query leaves out: a job is not selected if any of it holds.
type Not struct {
	States     []State
	Models     []string // as Query.Model
	Modalities []client.Modality
	Tags       []string
	Groups     []string
	Profiles   []string
	Codes      []string // as Query.Codes
	Observed   bool
}

// Rejects says what a query makes of jobs that a person rejected.
type Rejects string

// What a query makes of rejected jobs.
const (
	RejectedOut  Rejects = ""     // they are left out
	RejectedOnly Rejects = "only" // it asks for them alone
	RejectedToo  Rejects = "too"  // they are like others
)

// Keeps is Rejected as a history takes it: whoever names a task or a run asks for what there is.
func (q *Query) Keeps() Rejects {
	if q.Rejected == RejectedOut && (q.TaskID != "" || q.Run != "") {
		return RejectedToo
	}
	return q.Rejected
}

// SortBy is what jobs are sorted by.
type SortBy string

// What jobs are sorted by. The zero value is the order in which they were made.
const (
	SortAge      SortBy = ""
	SortState    SortBy = "state"
	SortModel    SortBy = "model"
	SortKind     SortBy = "kind"
	SortProfile  SortBy = "profile"
	SortProgress SortBy = "progress"
	SortPrompt   SortBy = "prompt"
	SortTook     SortBy = "took"
)

// SortsBy lists what jobs can be sorted by.
func SortsBy() []SortBy {
	return []SortBy{SortAge, SortState, SortModel, SortKind, SortProfile, SortProgress, SortPrompt, SortTook}
}

// Sort is an order of jobs: by one fact, from the least on, or with Down from the greatest on. Jobs
// of which the fact is not known come last, and those with the same one newest first. The age is
// that of the job: the newest is the least.
type Sort struct {
	By   SortBy
	Down bool
	// Back turns all of that round, from the last job to the first: to read pages from the end on.
	Back bool
}

// HasModel reports whether a query selects the jobs of a model. A * in the query's model stands
// for any text; case then does not matter.
func (q *Query) HasModel(model string) bool { return q.Model == "" || fits(q.Model, model) }

// fits reports whether a text is the one that is wanted, in which a * stands for any text; case
// does not matter where there is one.
func fits(want, text string) bool {
	if !strings.Contains(want, "*") {
		return want == text
	}
	parts := strings.Split(strings.ToLower(want), "*")
	first, last := parts[0], parts[len(parts)-1]
	rest, begins := strings.CutPrefix(strings.ToLower(text), first)
	if !begins {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, last)
}

// AnyModel reports whether the query's model is a pattern.
func (q *Query) AnyModel() bool { return strings.Contains(q.Model, "*") }

// Matches reports whether a query selects a job, as far as the job itself tells. What its events
// say (codes, texts, ids of requests), and what [Query.Judges] is about, may be more; the page does
// not matter.
func (q *Query) Matches(j *Job) bool {
	if !q.matchesFacts(j) || !q.matchesIDs(j) || !q.matchesTimes(j) || q.leavesOut(j) {
		return false
	}
	if len(q.Codes) > 0 && !j.hasCode(q.Codes) {
		return false
	}
	if q.Text == "" {
		return true
	}
	texts := j.SearchTexts()
	return HasWords(SearchWords(q.Text), texts[:]...)
}

func (q *Query) matchesFacts(j *Job) bool {
	keeps := q.Keeps()
	return (len(q.States) == 0 || slices.Contains(q.States, j.State)) &&
		(keeps == RejectedToo || (keeps == RejectedOnly) != j.Rejected.IsZero()) &&
		q.HasModel(j.Draft.Model) &&
		(q.Modality == "" || q.Modality == j.Draft.Modality) &&
		(q.Group == "" || q.Group == j.Group) && (q.Run == "" || q.Run == j.Run) &&
		(q.Tag == "" || slices.Contains(j.Tags, q.Tag)) &&
		(!q.Starred || j.Starred()) && (!q.Observed || j.Observed) && (!q.Unsaved || j.Unsaved() > 0)
}

func (q *Query) matchesIDs(j *Job) bool {
	return (q.Profile == "" || q.Profile == j.Profile) &&
		(q.Parent == "" || slices.ContainsFunc(j.Draft.Parents, func(p client.Parent) bool { return p.Job == q.Parent })) &&
		(q.TaskID == "" || q.TaskID == j.ID || q.TaskID == j.TaskID || slices.Contains(j.AltIDs, q.TaskID))
}

func (q *Query) matchesTimes(j *Job) bool {
	took, ended := j.Took()
	return (q.Since.IsZero() || !j.CreatedAt.Before(q.Since)) &&
		(q.Until.IsZero() || j.CreatedAt.Before(q.Until)) &&
		(q.EndedSince.IsZero() || !j.EndedAt.Before(q.EndedSince)) &&
		(q.EndedUntil.IsZero() || !j.EndedAt.IsZero() && j.EndedAt.Before(q.EndedUntil)) &&
		(q.TookOver == 0 || ended && took > q.TookOver) &&
		(q.TookUnder == 0 || ended && took < q.TookUnder) &&
		(q.Still.IsZero() || j.State.Active() && !j.Paused && !j.UpdatedAt.After(q.Still))
}

func (q *Query) leavesOut(j *Job) bool {
	n := &q.Not
	return slices.Contains(n.States, j.State) ||
		slices.ContainsFunc(n.Models, func(m string) bool { return fits(m, j.Draft.Model) }) ||
		slices.Contains(n.Modalities, j.Draft.Modality) ||
		slices.ContainsFunc(n.Tags, func(t string) bool { return slices.Contains(j.Tags, t) }) ||
		slices.Contains(n.Groups, j.Group) ||
		slices.Contains(n.Profiles, j.Profile) ||
		n.Observed && j.Observed ||
		j.hasCode(n.Codes)
}

// hasCode reports whether the job's error has one of the codes.
func (j *Job) hasCode(codes []string) bool {
	return j.Error != nil && FitsCode(codes, j.Error.Code)
}

// FitsCode reports whether a code is one of those that are wanted, see [Query].
func FitsCode(codes []string, code string) bool {
	return slices.ContainsFunc(codes, func(want string) bool {
		return fits(strings.ToLower(want), strings.ToLower(code)) && code != ""
	})
}

// Plain reports whether a query asks for nothing but states, a profile, a page and an order.
func (q *Query) Plain() bool {
	rest := *q
	rest.States, rest.Profile, rest.Before, rest.Limit, rest.Sort = nil, "", "", 0, Sort{}
	return reflect.ValueOf(rest).IsZero()
}

// stuckAfter is how long state and progress of a stuck job have at least not changed.
const stuckAfter = 30 * time.Minute

// stuckPlans is how many times longer than 95 of 100 earlier tasks of the same model and mode a
// stuck job has not changed, where that is known.
const stuckPlans = 2

// SlowBy reports whether a job takes longer than 95 of 100 earlier tasks like it did. The plan is that
// of its model and mode, nil where too little is known: then nothing is slow. Nor is a job that is
// not asked for any more.
func (j *Job) SlowBy(plan *schedule.Plan, now time.Time) bool {
	parked := j.State == Unknown && j.NextPollAt.IsZero()
	return j.State.Polled() && !parked && !j.AcceptedAt.IsZero() && plan.Slow(j.Age(now))
}

// unasked is how long after its time a query may be missing before nobody is taken to ask.
const unasked = 5 * time.Minute

// StuckBy reports whether neither state nor progress of a job has changed for stuckAfter, and, where
// its plan is known, for stuckPlans times as long as 95 of 100 earlier tasks took. A task that
// nobody asks for just now is not stuck: it is not known how it stands.
func (j *Job) StuckBy(plan *schedule.Plan, now time.Time) bool {
	asked := j.NextPollAt.IsZero() || now.Sub(j.NextPollAt) < unasked
	return j.State.Active() && !j.Paused && asked && now.Sub(j.UpdatedAt) >= max(stuckAfter, stuckPlans*plan.P95())
}

// Judges reports whether a query selects jobs by how long tasks usually take: those that are slow,
// see [Job.SlowBy], or stuck, see [Job.StuckBy].
func (q *Query) Judges() bool { return q.Slow || q.Stuck }

// picks reports whether a query that judges selects a job of a plan, beside [Query.Matches].
func (q *Query) picks(j *Job, plan *schedule.Plan, now time.Time) bool {
	return (!q.Slow || j.SlowBy(plan, now)) && (!q.Stuck || j.StuckBy(plan, now))
}

// underWay is a query that judges, limited to the jobs that may be what it is about; false where
// there can be none.
func (q Query) underWay(now time.Time) (Query, bool) {
	may := State.Active
	if q.Slow {
		may = State.Polled
	}
	if q.Stuck {
		q.Still = now.Add(-stuckAfter)
	}
	if len(q.States) == 0 {
		q.States = States()
	}
	q.States = slices.DeleteFunc(slices.Clone(q.States), func(s State) bool { return !may(s) })
	return q, len(q.States) > 0
}

// Took is how long a job took that has ended, from the begin of its create to the first sight of
// its end; false where that is not known.
func (j *Job) Took() (time.Duration, bool) {
	d := j.EndedAt.Sub(j.SubmittedAt)
	if j.EndedAt.IsZero() || j.SubmittedAt.IsZero() || d < 0 {
		return 0, false
	}
	return d, true
}

// defaultPage is the page size of a query without a limit.
const defaultPage = 50

// Page is one page of jobs and the cursor of the next; Next is "" at the end.
type Page struct {
	Jobs []Job  `json:"jobs"`
	Next string `json:"next,omitempty"`
}

// maxSearchWords bounds the words of one search; further ones do not count.
const maxSearchWords = 64

// maxSearchWord bounds a word of a search, in bytes; the rest of it does not count. A trigram
// index compares a long word that repeats itself, as pasted text may, at each place of another
// one: that takes minutes.
const maxSearchWord = 256

// SearchWords returns the words of a search text, see [Query]. A word contained in another of them
// is left out: whatever has the other has it too.
func SearchWords(text string) []string {
	var words, low []string
	for _, w := range splitWords(text) {
		if len(w) > maxSearchWord {
			w = strings.ToValidUTF8(w[:maxSearchWord], "")
		}
		l := strings.ToLower(w)
		if slices.ContainsFunc(low, func(other string) bool { return strings.Contains(other, l) }) {
			continue
		}
		for i := len(low) - 1; i >= 0; i-- {
			if strings.Contains(l, low[i]) {
				words, low = slices.Delete(words, i, i+1), slices.Delete(low, i, i+1)
			}
		}
		if words, low = append(words, w), append(low, l); len(words) == maxSearchWords {
			break
		}
	}
	return words
}

// splitWords splits a text at blanks. A quote at the beginning of a word begins a text that
// reaches to the next quote, or to the end.
func splitWords(s string) (out []string) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if rest, quoted := strings.CutPrefix(s, `"`); quoted {
			text, after, _ := strings.Cut(rest, `"`)
			if strings.TrimSpace(text) != "" {
				out = append(out, text)
			}
			s = after
			continue
		}
		word := strings.Fields(s)[0]
		out, s = append(out, word), s[len(word):]
	}
	return out
}

// SearchTexts are the texts of a job that a search looks through: prompt, ids, title, error, note,
// tags and remark. No match spans two of them. The history adds [Event.Told] and request ids.
func (j *Job) SearchTexts() [7]string {
	errText := ""
	if j.Error != nil {
		errText = strings.TrimSpace(j.Error.Code + " " + j.Error.Message)
	}
	ids := append([]string{j.ID, j.TaskID}, j.AltIDs...)
	return [7]string{
		j.Draft.Prompt, strings.Join(ids, " "), j.Title, errText, j.Note, strings.Join(j.Tags, " "), j.Remark,
	}
}

// HasWords reports whether each of the words occurs in one of the texts, ignoring case.
func HasWords(words []string, texts ...string) bool {
	low := make([]string, len(texts))
	for i, t := range texts {
		low[i] = strings.ToLower(t)
	}
	for _, w := range words {
		w = strings.ToLower(w)
		if !slices.ContainsFunc(low, func(t string) bool { return strings.Contains(t, w) }) {
			return false
		}
	}
	return true
}

// Told is the message of an event about a lost or refused create, or about a task that the gateway
// no longer knows: a search finds the job by it, though the job itself does not keep it. It is ""
// for all other events.
func (e Event) Told() string {
	if e.Kind == EventAmbiguous || e.Kind == EventRefused || e.To == Lost {
		return e.Message
	}
	return ""
}
