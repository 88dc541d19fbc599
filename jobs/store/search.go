package store

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"darkroom/jobs"
)

// many says from how many hits on a text is not found as a whole.
type many struct {
	hits  int // jobs that are read and sorted
	late  int // late jobs that are asked one by one
	terms int // of places where one or two characters stand
}

// usualMany are as many as take some milliseconds to go through.
func usualMany() many { return many{hits: 200, late: 2000, terms: 20000} }

// clause is a condition of a list with its arguments.
type clause struct {
	cond string
	args []any
}

// textSearch is how the words of a text are looked for: one lead or several, and conditions of
// what these find.
type textSearch struct {
	phrase string   // of words that are walked through in the index; "" for a short one
	walk   bool     // many jobs have it
	lead   clause   // says of a job that it has the leading words
	one    []clause // say the same, where few jobs are asked
	also   []clause // say of a job that it has the other words
}

// lookFor decides how to find the jobs that have each word of a text. Some of the words lead: those
// that are the whole id of a job, a task or a request; else a short one that few jobs have; else
// all that the trigram index can be asked for, which takes three characters.
func (t *tx) lookFor(text string, m many) (f textSearch, err error) {
	var long, short []word
	var ids []clause
	for _, s := range jobs.SearchWords(text) {
		if utf8.RuneCountInString(s) < 3 {
			w, err := t.short(s, m)
			if err != nil {
				return f, err
			}
			short = append(short, w)
			continue
		}
		found, err := t.byID(s)
		if err != nil {
			return f, err
		}
		if len(found) == 0 {
			long = append(long, word{text: s})
			continue
		}
		list, err := jsonList(found)
		if err != nil {
			return f, err
		}
		ids = append(ids, clause{theseIDs, []any{list}})
	}
	slices.SortStableFunc(short, func(a, b word) int { return cmp.Compare(a.places, b.places) })
	switch {
	case len(ids) > 0:
		f.lead, f.also = ids[0], slices.Concat(ids[1:], inJob(long), inJob(short))
	case len(short) > 0 && (len(long) == 0 || short[0].places < m.terms/10):
		first := short[:1]
		f.lead, f.one = first[0].clause(), inJob(first)
		f.walk = first[0].places >= m.hits && !first[0].often
		f.also = slices.Concat(inJob(long), inJob(short[1:]))
	case len(long) > 0:
		err = t.lookForPhrase(&f, long, m)
		for _, w := range short {
			f.also = append(f.also, w.clause())
		}
	}
	return f, err
}

// weighed bounds the words whose rarity is estimated.
const weighed = 8

// lookForPhrase has the rarest of some words lead, where so few jobs have it that each can be
// looked at; otherwise all words lead together, and the index skips from match to match.
func (t *tx) lookForPhrase(f *textSearch, long []word, m many) error {
	slices.SortStableFunc(long, func(a, b word) int { return cmp.Compare(len(b.text), len(a.text)) })
	lead := long
	for i := range long[:min(len(long), weighed)] {
		w := &long[i]
		if err := t.weigh(w, m); err != nil {
			return err
		}
		if w.places < m.terms/10 && (len(lead) == len(long) || w.places < lead[0].places) {
			lead = long[i : i+1]
		}
		if w.places < m.hits {
			break
		}
	}
	f.one = inJob(lead)
	if len(lead) == 1 {
		f.phrase, f.walk = lead[0].phrase(), lead[0].places >= m.hits
		for i := range long {
			if &long[i] != &lead[0] {
				f.also = append(f.also, long[i].inJob())
			}
		}
	} else {
		phrases := make([]string, len(long))
		for i, w := range long {
			phrases[i] = w.phrase()
		}
		f.phrase = strings.Join(phrases, " AND ")
		n, _, err := t.count(f.phrase, m)
		if err != nil {
			return err
		}
		f.walk = n >= m.hits
	}
	f.lead = clause{`j.n IN (SELECT rowid FROM jobs_fts(?))`, []any{f.phrase}}
	return nil
}

// count counts the jobs that the index has for a phrase, as far as it matters, and says which
// is the last row of these; the index goes forward faster than back.
func (t *tx) count(phrase string, m many) (n, last int, err error) {
	err = t.row(`SELECT count(*), coalesce(max(rowid), 0) FROM (SELECT rowid FROM jobs_fts(?) LIMIT ?)`,
		phrase, m.hits).Scan(&n, &last)
	return n, last, err
}

// weigh estimates how many jobs have a word, from how far its oldest ones lie apart.
func (t *tx) weigh(w *word, m many) error {
	n, last, err := t.count(w.phrase(), m)
	if w.places = n; err != nil || n < m.hits {
		return err
	}
	var oldest, newest int
	err = t.row(`SELECT (SELECT coalesce(min(n), 0) FROM jobs), (SELECT coalesce(max(n), 0) FROM jobs)`).Scan(&oldest, &newest)
	w.places = max(m.hits, m.hits*(newest-oldest)/max(last-oldest, 1))
	return err
}

// word is one of a search. One or two characters are the beginnings of trigrams, see
// migration 2; if they stand everywhere, they are looked for job by job.
type word struct {
	text     string
	from, to string // of a short one: where it begins among the trigrams, and ends
	places   int    // that it has, as far as they were counted; of a long one, about how many jobs have it
	often    bool
}

// short counts the places of a short word, as far as it matters.
func (t *tx) short(text string, m many) (w word, err error) {
	from := strings.ToLower(text)
	w = word{text: text, from: from, to: from + string(unicode.MaxRune)}
	err = t.row(`SELECT count(*) FROM (SELECT 1 FROM jobs_terms WHERE term >= ? AND term < ? LIMIT ?)`,
		w.from, w.to, m.terms).Scan(&w.places)
	w.often = w.places >= m.terms && w.likeable()
	return w, err
}

// phrase asks the search index for a word of three characters and more.
func (w *word) phrase() string {
	return `"` + strings.NewReplacer(`"`, `""`, "\x00", "\ufffd").Replace(w.text) + `"`
}

// clause is a condition of jobs of which there may be many.
func (w *word) clause() clause {
	if w.from == "" || w.often {
		return w.inJob()
	}
	return clause{`j.n IN (SELECT doc FROM jobs_terms WHERE term >= ? AND term < ?)`, []any{w.from, w.to}}
}

// likeable reports whether LIKE finds a word as the index does: it does not know letters
// beyond ASCII with two cases as the same.
func (w *word) likeable() bool {
	return !strings.ContainsFunc(w.text, func(r rune) bool {
		return r == 0 || r >= utf8.RuneSelf && unicode.ToLower(r) != unicode.ToUpper(r)
	})
}

// searched are the texts of a job as the search index has them.
const searched = `coalesce(json_extract(j.draft, '$.prompt'), '') LIKE ?1 ESCAPE '\'
	OR j.id || ' ' || coalesce((SELECT group_concat(ext_id, ' ' ORDER BY pos) FROM job_ids WHERE job_id = j.id), '') LIKE ?1 ESCAPE '\'
	OR j.title LIKE ?1 ESCAPE '\' OR j.note LIKE ?1 ESCAPE '\' OR j.remark LIKE ?1 ESCAPE '\'
	OR (j.error <> '' AND coalesce(json_extract(j.error, '$.code'), '') || ' ' || coalesce(json_extract(j.error, '$.message'), '') LIKE ?1 ESCAPE '\')
	OR coalesce((SELECT group_concat(tag, ' ' ORDER BY tag) FROM job_tags WHERE job_id = j.id), '') LIKE ?1 ESCAPE '\'
	OR EXISTS (SELECT 1 FROM job_events e WHERE e.job_id = j.id AND ` + told + ` AND e.message LIKE ?1 ESCAPE '\')`

// inJob is a condition of single jobs. It reads their texts, which takes a hundredth of what
// the index takes to be asked about one job.
func (w *word) inJob() clause {
	switch {
	case w.likeable():
		like := `%` + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(w.text) + `%`
		n := strings.Count(searched, "?1")
		return clause{`(` + strings.ReplaceAll(searched, "?1", "?") + `)`, slices.Repeat([]any{like}, n)}
	case w.from != "":
		return w.clause()
	default:
		return clause{`EXISTS (SELECT 1 FROM jobs_fts(?) h WHERE h.rowid = j.n)`, []any{w.phrase()}}
	}
}

// inJob are the conditions of words.
func inJob(words []word) []clause {
	out := make([]clause, len(words))
	for i := range words {
		out[i] = words[i].inJob()
	}
	return out
}
