package jobs

import (
	"slices"
	"strings"

	"darkroom/client"
)

// Query selects jobs of the history, newest first.
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
	TaskID   string // matches the task id, an alternative id or the job id
	Text     string // see above; "" for all
	Tag      string // exact; "" for all
	Starred  bool   // only those with the tag Star, beside what Tag says
	Parent   string // id of a job: those that were made from it; "" for all
	// Before is the cursor of an earlier page (keyset paging), "" for the newest.
	Before string
	Limit  int // 0 for 50
}

// HasModel reports whether a query selects the jobs of a model. A * in the query's model stands
// for any text; case then does not matter.
func (q *Query) HasModel(model string) bool {
	if !q.AnyModel() {
		return q.Model == "" || q.Model == model
	}
	parts := strings.Split(strings.ToLower(q.Model), "*")
	first, last := parts[0], parts[len(parts)-1]
	rest, begins := strings.CutPrefix(strings.ToLower(model), first)
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
