package jobs

import (
	"slices"
	"strings"
)

// maxSearchWords bounds the words of one search; those beyond it do not count.
const maxSearchWords = 64

// maxSearchWord bounds a word of a search in bytes; what is beyond it does not count. An index
// of trigrams compares a long word that repeats itself, as a text that was pasted may, at each
// place of another one: that takes minutes.
const maxSearchWord = 256

// SearchWords are the words of the text of a search, see [Query]. A word that stands in
// another one of them is left out: what has the other has it too.
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

// splitWords takes a text apart at blanks. A quote at the beginning of a word begins a text
// that reaches to the next one, or to the end.
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

// SearchTexts are the texts of a job that a search looks through: prompt, ids, title, error,
// note, tags and remark. Nothing is found across two of them. The history adds what
// [Event.Told] tells, and request ids.
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

// HasWords reports whether each of some words stands in one of the texts, in whatever case.
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

// Told is what an event says of a create that was lost or refused, or of a task that the
// gateway knows no more: a search finds the job by it, though the job itself does not keep
// it. It is "" for all others.
func (e Event) Told() string {
	if e.Kind == EventAmbiguous || e.Kind == EventRefused || e.To == Lost {
		return e.Message
	}
	return ""
}
