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

// foundOne asks the search index about one job.
const foundOne = `EXISTS (SELECT 1 FROM jobs_fts(?) h WHERE h.rowid = j.n)`

// clause is a condition of a list with its arguments.
type clause struct {
	cond string
	args []any
}

// textSearch is how the words of a text are looked for.
type textSearch struct {
	phrase string // of words that are walked through in the index; "" for a short one
	walk   bool   // many jobs have it
	clause        // says of a job that it has the text
	one    string // says the same, where few jobs are asked; with the same arguments
	also   []clause
}

// lookFor finds out how to find the jobs that have each word of a text. Some of the words
// lead: those that are the whole id of a job, a task or a request; else a short one that few
// jobs have; else all that the trigram index can be asked for, which takes three characters.
// The others are conditions of what these find.
func (t *tx) lookFor(text string, m many) (f textSearch, err error) {
	var long []string
	var short []shortWord
	var ids []clause
	for _, word := range jobs.SearchWords(text) {
		if utf8.RuneCountInString(word) < 3 {
			w, err := t.short(word, m)
			if err != nil {
				return f, err
			}
			short = append(short, w)
			continue
		}
		found, err := t.byID(word)
		if err != nil {
			return f, err
		}
		if len(found) == 0 {
			long = append(long, `"`+strings.NewReplacer(`"`, `""`, "\x00", "\ufffd").Replace(word)+`"`)
			continue
		}
		list, err := jsonList(found)
		if err != nil {
			return f, err
		}
		ids = append(ids, clause{theseIDs, []any{list}})
	}
	slices.SortStableFunc(short, func(a, b shortWord) int { return cmp.Compare(a.places, b.places) })
	phrase := strings.Join(long, " AND ")
	switch {
	case len(ids) > 0:
		f.clause, f.also = ids[0], append(ids[1:], asked(phrase, short)...)
	case len(short) > 0 && (phrase == "" || short[0].places < m.terms/4):
		f.clause, f.walk = short[0].clause(), short[0].places >= m.hits && !short[0].often
		f.also = asked(phrase, short[1:])
		f.one = f.cond
	case phrase != "":
		f.phrase = phrase
		f.also = asked("", short)
		err = t.lookForPhrase(&f, m)
	}
	return f, err
}

// asked are conditions of single jobs.
func asked(phrase string, short []shortWord) (out []clause) {
	if phrase != "" {
		out = append(out, clause{foundOne, []any{phrase}})
	}
	for _, w := range short {
		out = append(out, w.clause())
	}
	return out
}

func (t *tx) lookForPhrase(f *textSearch, m many) error {
	f.clause = clause{`j.n IN (SELECT rowid FROM jobs_fts(?))`, []any{f.phrase}}
	var n, late int
	err := t.row(`SELECT count(*) FROM (SELECT 1 FROM jobs_fts(?) LIMIT ?)`, f.phrase, m.hits).Scan(&n)
	if err != nil || n < m.hits {
		return err
	}
	f.walk, f.one = true, foundOne
	err = t.row(`SELECT count(*) FROM (SELECT 1 FROM jobs INDEXED BY jobs_late WHERE late = 1 LIMIT ?)`, m.late).Scan(&late)
	if late < m.late {
		f.cond = foundOne
	}
	return err
}

// shortWord has one or two characters. These are the beginnings of trigrams, see migration 2;
// if they stand everywhere, they are looked for job by job.
type shortWord struct {
	text     string
	from, to string
	places   int
	often    bool
}

// short counts the places of a word, as far as it matters.
func (t *tx) short(text string, m many) (w shortWord, err error) {
	from := strings.ToLower(text)
	w = shortWord{text: text, from: from, to: from + string(unicode.MaxRune)}
	err = t.row(`SELECT count(*) FROM (SELECT 1 FROM jobs_terms WHERE term >= ? AND term < ? LIMIT ?)`,
		w.from, w.to, m.terms).Scan(&w.places)
	w.often = w.places >= m.terms && !folds(text)
	return w, err
}

// folds reports whether a text has letters beyond ASCII with two cases, which LIKE does not
// know as the same.
func folds(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf && unicode.ToLower(r) != unicode.ToUpper(r) })
}

func (w *shortWord) clause() clause {
	if !w.often {
		return clause{`j.n IN (SELECT doc FROM jobs_terms WHERE term >= ? AND term < ?)`, []any{w.from, w.to}}
	}
	like := `%` + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(w.text) + `%`
	columns := []string{`json_extract(j.draft, '$.prompt')`, `j.id`, `j.title`, `j.note`, `j.remark`,
		`iif(j.error = '', '', json_extract(j.error, '$.code'))`, `iif(j.error = '', '', json_extract(j.error, '$.message'))`}
	cond := make([]string, len(columns))
	var args []any
	for i, c := range columns {
		cond[i] = c + ` LIKE ? ESCAPE '\'`
		args = append(args, like)
	}
	args = append(args, like, like, like)
	return clause{`(` + strings.Join(cond, ` OR `) + `
		OR EXISTS (SELECT 1 FROM job_ids i WHERE i.job_id = j.id AND i.ext_id LIKE ? ESCAPE '\')
		OR EXISTS (SELECT 1 FROM job_tags i WHERE i.job_id = j.id AND i.tag LIKE ? ESCAPE '\')
		OR EXISTS (SELECT 1 FROM job_events e WHERE e.job_id = j.id AND ` + told + ` AND e.message LIKE ? ESCAPE '\'))`, args}
}
