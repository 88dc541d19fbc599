package postgres

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"darkroom/jobs"
)

// conditions are those of a statement, with their arguments.
type conditions struct {
	where []string
	args  []any
}

// arg is the place of an argument.
func (c *conditions) arg(v any) string {
	c.args = append(c.args, v)
	return fmt.Sprintf("$%d", len(c.args))
}

// add has a condition hold, in which each ? stands for the argument.
func (c *conditions) add(cond string, v any) {
	c.where = append(c.where, strings.ReplaceAll(cond, "?", c.arg(v)))
}

// page is a statement for the newest rows for which all conditions hold, and more does.
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

// listQuery makes the statement of a list. Its shapes are few, so that they stay prepared.
func listQuery(q jobs.Query, limit int) (query string, args []any) {
	c := &conditions{}
	star := ""
	if q.Starred {
		star = jobs.Star
	}
	for _, f := range []struct{ cond, value string }{
		{`j.profile = ?`, q.Profile},
		{`j.model = ?`, q.Model},
		{`j.modality = ?`, string(q.Modality)},
		{`j.grp = ? AND j.grp <> ''`, q.Group},
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
	if q.Text != "" {
		c.search(q)
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
	return `SELECT ` + jobColumns + ` FROM (` + query + `) j JOIN work w ON w.job_id = j.id ORDER BY j.id DESC`, c.args
}

// search has a text be found anywhere in the words of a job: by trigrams where the server
// has them, and by the characters beyond ASCII.
func (c *conditions) search(q jobs.Query) {
	cond := `words LIKE ` + c.arg(pattern(q.Text))
	if w := wide(q.Text); len(w) > 0 {
		cond += ` AND wide(words) COLLATE "C" @> ` + c.arg(w) + `::text[]`
	}
	if q.Before != "" { // else the server may walk the words from their end
		cond += ` AND job_id < ` + c.arg(text(q.Before))
	}
	c.where = append(c.where, `j.id IN (SELECT job_id FROM job_search WHERE `+cond+`)`)
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
