package postgres

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"darkroom/jobs"
	"darkroom/jobs/store/where"
)

// conditions are those of a statement, with their arguments.
type conditions struct {
	where []string
	args  []any
}

// arg adds an argument and returns its placeholder.
func (c *conditions) arg(v any) string {
	c.args = append(c.args, v)
	return fmt.Sprintf("$%d", len(c.args))
}

// add requires a condition in which each ? stands for the one argument.
func (c *conditions) add(cond string, v any) {
	c.where = append(c.where, strings.ReplaceAll(cond, "?", c.arg(v)))
}

// page is a statement for the newest rows for which all conditions hold, and more as well.
func (c *conditions) page(limit, more string) string {
	where := c.where
	if more != "" {
		where = append(where[:len(where):len(where)], more)
	}
	if len(where) > 0 {
		return `SELECT * FROM jobs j WHERE ` + strings.Join(where, ` AND `) + limit
	}
	return `SELECT * FROM jobs j` + limit
}

// addClause requires a condition in which each ? stands for the next of its arguments.
func (c *conditions) addClause(x where.Clause) {
	var b strings.Builder
	for _, arg := range x.Args {
		before, after, _ := strings.Cut(x.Cond, "?")
		if s, is := arg.(string); is {
			arg = text(s)
		}
		b.WriteString(before + c.arg(arg))
		x.Cond = after
	}
	c.where = append(c.where, b.String()+x.Cond)
}

// dialect is how this database words what a query asks for. What is kept as JSON may hold what the
// server's own reading of JSON refuses.
var dialect = where.Dialect{
	Like:    `ILIKE`,
	Code:    `coalesce(substring(j.error from '"code":"(([^"\\]|\\.)*)"'), '')`,
	Unsaved: `j.files LIKE '%"state":"failed"%'`,
	Prompt:  `coalesce((SELECT left(split_part(s.words, E'\n', 1), 100) FROM job_search s WHERE s.job_id = j.id), '')`,
	Binary:  ` COLLATE "C"`,
}

// listQuery makes the statement of a list; have is what wholeIDs found. Its shapes are few, so that
// the statements stay prepared.
func listQuery(q jobs.Query, have map[string][]string, limit int, at where.Times) (query string, args []any) {
	c := &conditions{}
	o := dialect.OrderOf(q.Sort)
	before := q.Before
	if !o.Plain() {
		q.Before = ""
	}
	star := ""
	if q.Starred {
		star = jobs.Star
	}
	model, of := `j.model = ?`, q.Model
	if q.AnyModel() {
		model, of = `j.model ILIKE ?`, where.Pattern(q.Model)
	}
	for _, f := range []struct{ cond, value string }{
		{`j.profile = ?`, q.Profile},
		{model, of},
		{`j.modality = ?`, string(q.Modality)},
		{`j.grp = ? AND j.grp <> ''`, q.Group},
		{`j.run = ? AND j.run <> ''`, q.Run},
		{`j.id IN (SELECT ?::text UNION ALL SELECT job_id FROM job_ids WHERE ext_id = ?)`, q.TaskID},
		{`j.id IN (SELECT job_id FROM job_tags WHERE tag = ?)`, q.Tag},
		{`j.id IN (SELECT job_id FROM job_tags WHERE tag = ?)`, star},
		{`j.id IN (SELECT job_id FROM job_parents WHERE parent = ?)`, q.Parent},
		{`j.id < ?`, q.Before},
	} {
		if f.value != "" {
			c.add(f.cond, text(f.value))
		}
	}
	c.search(q, have)
	for _, x := range dialect.Of(&q, at) {
		c.addClause(x)
	}
	if !o.Plain() {
		return c.ordered(q, o, before, limit)
	}
	page := ` ORDER BY j.id DESC LIMIT ` + c.arg(limit)
	switch {
	case len(q.States) == 0:
		query = c.page(page, "")
	case len(q.States) == 1 || q.Text != "":
		query = c.page(page, `j.state = ANY(`+c.arg(texts(q.States))+`)`)
	default: // the newest of each state come from its index in their order
		var each []string
		for _, st := range q.States {
			each = append(each, `(`+c.page(page, `j.state = `+c.arg(text(string(st))))+`)`)
		}
		query = `SELECT * FROM (` + strings.Join(each, ` UNION ALL `) + `) j` + page
	}
	// The page is cut before the join: with it the server may walk work from its end.
	return `SELECT ` + table().List + `, '' FROM (` + query + `) j JOIN work w ON w.job_id = j.id ORDER BY j.id DESC`, c.args
}

// ordered is the statement of a list in an order other than the usual one.
func (c *conditions) ordered(q jobs.Query, o where.Order, before string, limit int) (query string, args []any) {
	if len(q.States) > 0 {
		c.where = append(c.where, `j.state = ANY(`+c.arg(texts(q.States))+`)`)
	}
	if before != "" {
		c.addClause(o.After(before))
	}
	key := `''`
	if o.Key != "" {
		key = o.Key
	}
	where := ``
	if len(c.where) > 0 {
		where = ` WHERE ` + strings.Join(c.where, ` AND `)
	}
	query = `SELECT j.*, ` + key + ` AS sort_key FROM jobs j` + where + ` ORDER BY ` + o.By(key) + ` LIMIT ` + c.arg(limit)
	return `SELECT ` + table().List + `, sort_key::text FROM (` + query + `) j JOIN work w ON w.job_id = j.id ORDER BY ` + o.By(`j.sort_key`), c.args
}

// search requires each word to stand anywhere in the words of a job: it is found by trigrams where
// the server has them, and by the characters beyond ASCII. A word that is a whole id finds the jobs
// that have that id, see wholeIDs.
func (c *conditions) search(q jobs.Query, have map[string][]string) {
	var conds, all []string
	for _, word := range jobs.SearchWords(q.Text) {
		if ids := have[word]; len(ids) > 0 {
			c.add(`j.id = ANY(?::text[])`, ids)
			continue
		}
		conds = append(conds, `words LIKE `+c.arg(pattern(word)))
		all = append(all, wide(word)...)
	}
	if len(conds) == 0 {
		return
	}
	if len(all) > 0 {
		conds = append(conds, `wide(words) COLLATE "C" @> `+c.arg(all)+`::text[]`)
	}
	if q.Before != "" { // else the server may walk the words from their end
		conds = append(conds, `job_id < `+c.arg(text(q.Before)))
	}
	c.where = append(c.where, `j.id IN (SELECT job_id FROM job_search WHERE `+strings.Join(conds, ` AND `)+`)`)
}

// wholeID is the length in bytes from which a word may be the whole id of a job, a task or a
// request.
const wholeID = 16

// mostOfRequest bounds the jobs that one request id finds: a gateway may give the same to all.
const mostOfRequest = 1000

const byID = `SELECT w, id FROM unnest($1::text[]) w, LATERAL (
	SELECT id FROM jobs WHERE id = w UNION SELECT job_id FROM job_ids WHERE ext_id = w
	UNION SELECT job_id FROM (SELECT job_id FROM job_events WHERE request_id = w AND request_id <> '' LIMIT $2) r) f`

// wholeIDs looks up those words of a search that are the id of a job, a task or a request that
// an event names, and returns the jobs by their words.
func (s *Store) wholeIDs(ctx context.Context, search string) (map[string][]string, error) {
	var words []string
	for _, w := range jobs.SearchWords(search) {
		if len(w) >= wholeID && !strings.ContainsAny(w, " \t\n") && w == text(w) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return nil, nil
	}
	have := map[string][]string{}
	err := s.again(ctx, func() error {
		clear(have)
		rows, err := s.pool.Query(ctx, byID, words, mostOfRequest)
		if err != nil {
			return err
		}
		var word, id string
		_, err = pgx.ForEachRow(rows, []any{&word, &id}, func() error {
			have[word] = append(have[word], id)
			return nil
		})
		return err
	})
	return have, err
}

// pattern finds a text anywhere; its backslash is LIKE's default escape.
func pattern(s string) string {
	return `%` + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(lower(s)) + `%`
}

// wide are the characters of a text that lie beyond ASCII, as the index of that name has
// them: each run of them in pairs, or alone.
func wide(s string) []string {
	var out []string
	var run []rune
	for _, r := range lower(s) + " " {
		switch {
		case r >= utf8.RuneSelf:
			if run = append(run, r); len(run) > 1 {
				out = append(out, string(run[len(run)-2:]))
			}
		case len(run) == 1:
			out = append(out, string(run))
			fallthrough
		default:
			run = nil
		}
	}
	return out
}
