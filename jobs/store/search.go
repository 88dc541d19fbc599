package store

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
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

// textSearch is how a text is looked for.
type textSearch struct {
	phrase string // "" for a text that the index cannot be asked for
	walk   bool   // many jobs have it
	cond   string // says of a job that it has the text
	one    string // says the same, where few jobs are asked; with the same arguments
	args   []any
}

// lookFor asks the trigram index, whose queries need three characters. A text that is the
// whole id of a job or a task finds what has that id. Shorter texts, as
// two Chinese characters, are the beginnings of trigrams, see migration 2; if they stand
// everywhere, they are looked for job by job.
func (t *tx) lookFor(text string, m many) (f textSearch, err error) {
	switch {
	case text == "":
		return f, nil
	case utf8.RuneCountInString(text) < 3:
		return t.lookForShort(text, m)
	}
	if ids, err := t.byID(text); err != nil || len(ids) > 0 {
		list, jsonErr := jsonList(ids)
		f.cond, f.args = theseIDs, []any{list}
		return f, errors.Join(err, jsonErr)
	}
	f.phrase = `"` + strings.NewReplacer(`"`, `""`, "\x00", "\ufffd").Replace(text) + `"`
	f.args = []any{f.phrase}
	f.cond = `j.n IN (SELECT rowid FROM jobs_fts(?))`
	var n, late int
	err = t.row(`SELECT count(*) FROM (SELECT 1 FROM jobs_fts(?) LIMIT ?)`, f.phrase, m.hits).Scan(&n)
	if err != nil || n < m.hits {
		return f, err
	}
	f.walk, f.one = true, foundOne
	err = t.row(`SELECT count(*) FROM (SELECT 1 FROM jobs INDEXED BY jobs_late WHERE late = 1 LIMIT ?)`, m.late).Scan(&late)
	if late < m.late {
		f.cond = foundOne
	}
	return f, err
}

func (t *tx) lookForShort(text string, m many) (f textSearch, err error) {
	from := strings.ToLower(text)
	to := from + string(unicode.MaxRune)
	f.cond, f.args = `j.n IN (SELECT doc FROM jobs_terms WHERE term >= ? AND term < ?)`, []any{from, to}
	f.one = f.cond
	var n int
	err = t.row(`SELECT count(*) FROM (SELECT 1 FROM jobs_terms WHERE term >= ? AND term < ? LIMIT ?)`, from, to, m.terms).Scan(&n)
	if err != nil || n < m.terms {
		f.walk = n >= m.hits
		return f, err
	}
	like := `%` + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + `%`
	columns := []string{`json_extract(j.draft, '$.prompt')`, `j.id`, `j.title`, `j.error`, `j.note`, `j.remark`}
	cond := make([]string, len(columns))
	f.args = nil
	for i, c := range columns {
		cond[i] = c + ` LIKE ? ESCAPE '\'`
		f.args = append(f.args, like)
	}
	f.args = append(f.args, like, like)
	f.cond = `(` + strings.Join(cond, ` OR `) + `
		OR EXISTS (SELECT 1 FROM job_ids i WHERE i.job_id = j.id AND i.ext_id LIKE ? ESCAPE '\')
		OR EXISTS (SELECT 1 FROM job_tags i WHERE i.job_id = j.id AND i.tag LIKE ? ESCAPE '\'))`
	return f, nil
}
