// Package where has the conditions and orders of a [jobs.Query] that both databases word alike: what
// a query asks for beyond the states, ids and texts that each of them finds in a way of its own.
package where

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/jobs"
)

// Dialect is what a database words in its own way. Statements name the table of jobs j, that of
// their events e.
type Dialect struct {
	Like string // the operator that compares with a pattern, whatever the case
	Code string // the code of the job's error, "" for none
	// Unsaved holds of a job with a file that could not be saved.
	Unsaved string
	Prompt  string // the beginning of the job's prompt, in lower case
	Binary  string // what makes texts be compared byte by byte
	// Each stands before what is asked of each job, and is to be found by no index; "" leaves that to
	// the database. See [Dialect.Few].
	Each string
}

// Clause is a condition, with an argument for each ? in it.
type Clause struct {
	Cond string
	Args []any
}

// Times converts a time into milliseconds by the database's clock.
type Times func(time.Time) int64

// Of returns the conditions of a query, except for its page.
func (d Dialect) Of(q *jobs.Query, at Times) (out []Clause) {
	add := func(on bool, cond string, args ...any) {
		if on {
			out = append(out, Clause{cond, args})
		}
	}
	add(!q.Since.IsZero(), d.Each+`j.created_at >= ?`, at(q.Since))
	add(!q.Until.IsZero(), d.Each+`j.created_at < ?`, at(q.Until))
	add(!q.EndedSince.IsZero(), d.Each+`j.ended_at >= ?`, at(q.EndedSince))
	add(!q.EndedUntil.IsZero(), `j.ended_at > 0 AND `+d.Each+`j.ended_at < ?`, at(q.EndedUntil))
	add(q.TookOver > 0, ended+` AND `+d.Each+took+` > ?`, q.TookOver.Milliseconds())
	add(q.TookUnder > 0, ended+` AND `+d.Each+took+` < ?`, q.TookUnder.Milliseconds())
	if !q.Still.IsZero() {
		add(true, `j.updated_at <= ? AND NOT j.paused`, at(q.Still))
		cond, args := among(active())
		add(true, `j.state IN `+cond, args...)
	}
	add(q.Observed, `j.observed`)
	add(q.Unsaved, `j.state = ? AND `+d.Unsaved, string(jobs.Completed))
	add(q.Not.Observed, `NOT j.observed`)
	// The one is found by an index, the other is nearly all, which a server is not to misjudge.
	keeps := q.Keeps()
	add(keeps == jobs.RejectedOnly, `j.rejected_at > 0`)
	add(keeps == jobs.RejectedOut, `NOT (`+d.Each+`j.rejected_at > 0)`)
	if len(q.Codes) > 0 {
		out = append(out, d.code(q.Codes))
	}
	return append(out, d.without(&q.Not)...)
}

// Few are the conditions of a query of which each may hold for few jobs, which an index then finds: a
// database that does not know how many asks for that.
func (d Dialect) Few(q *jobs.Query, at Times) (out []Clause) {
	var made, over, lasted Clause
	and := func(c *Clause, on bool, cond string, arg any) {
		switch {
		case !on:
		case c.Cond == "":
			*c = Clause{cond, []any{arg}}
		default:
			*c = Clause{c.Cond + ` AND ` + cond, append(c.Args, arg)}
		}
	}
	and(&made, !q.Since.IsZero(), `j.created_at >= ?`, at(q.Since))
	and(&made, !q.Until.IsZero(), `j.created_at < ?`, at(q.Until))
	and(&over, !q.EndedSince.IsZero(), `j.ended_at > 0 AND j.ended_at >= ?`, at(q.EndedSince))
	and(&over, !q.EndedUntil.IsZero(), `j.ended_at > 0 AND j.ended_at < ?`, at(q.EndedUntil))
	and(&lasted, q.TookOver > 0, ended+` AND `+took+` > ?`, q.TookOver.Milliseconds())
	and(&lasted, q.TookUnder > 0, ended+` AND `+took+` < ?`, q.TookUnder.Milliseconds())
	for _, c := range []Clause{made, over, lasted} {
		if c.Cond != "" {
			out = append(out, c)
		}
	}
	return out
}

// without returns the conditions that leave out what a query does not want.
func (d Dialect) without(n *jobs.Not) (out []Clause) {
	for _, x := range []struct {
		column string
		values []string
	}{{`j.state`, texts(n.States)}, {`j.modality`, texts(n.Modalities)}, {`j.grp`, n.Groups}, {`j.profile`, n.Profiles}} {
		if len(x.values) > 0 {
			cond, args := among(x.values)
			out = append(out, Clause{x.column + ` NOT IN ` + cond, args})
		}
	}
	for _, m := range n.Models {
		if strings.Contains(m, "*") {
			out = append(out, Clause{`NOT j.model ` + d.Like + ` ? ESCAPE '\'`, []any{Pattern(m)}})
		} else {
			out = append(out, Clause{`j.model <> ?`, []any{m}})
		}
	}
	for _, t := range n.Tags {
		out = append(out, Clause{`NOT EXISTS (SELECT 1 FROM job_tags x WHERE x.job_id = j.id AND x.tag = ?)`, []any{t}})
	}
	if len(n.Codes) > 0 {
		own, told := d.ownCode(n.Codes), told(n.Codes)
		out = append(out, Clause{`NOT (` + own.Cond + `)`, own.Args},
			Clause{`NOT EXISTS (SELECT 1 FROM job_events e WHERE e.job_id = j.id AND ` + told.Cond + `)`, told.Args})
	}
	return out
}

// code requires one of the codes of a job's error, or of an answer that an event tells of.
func (d Dialect) code(codes []string) Clause {
	own, told := d.ownCode(codes), told(codes)
	return Clause{`j.id IN (SELECT j.id FROM jobs j WHERE ` + own.Cond + ` UNION SELECT e.job_id FROM job_events e WHERE ` + told.Cond + `)`,
		slices.Concat(own.Args, told.Args)}
}

// ownCode holds of a job whose error has one of the codes.
func (d Dialect) ownCode(codes []string) Clause {
	return Clause{`j.error <> '' AND ` + d.Code + ` <> '' AND (` + either(d.Code+` `+d.Like, codes) + `)`, patterns(codes)}
}

// told holds of an event e that tells of an answer with one of the codes.
func told(codes []string) Clause {
	return Clause{`e.http_status >= 400 AND (` + either(`CAST(e.http_status AS TEXT) LIKE`, codes) + `)`, patterns(codes)}
}

// either compares with one of the patterns of codes.
func either(compare string, codes []string) string {
	return strings.TrimSuffix(strings.Repeat(compare+` ? ESCAPE '\' OR `, len(codes)), ` OR `)
}

func patterns(codes []string) []any {
	args := make([]any, 0, len(codes))
	for _, c := range codes {
		args = append(args, Pattern(c))
	}
	return args
}

const (
	ended = `j.ended_at > 0 AND j.submitted_at > 0 AND j.ended_at >= j.submitted_at`
	took  = `(j.ended_at - j.submitted_at)`
)

// Order is a query's order.
type Order struct {
	// Key is what jobs are sorted by before their ids; "" for nothing.
	Key string
	// Text says that the key is a text, and not a whole number.
	Text bool
	down bool // the key
	// oldest says that ids go up.
	oldest bool
}

// unknown is the key of a job whose value is not known: it comes last where the least comes first.
const unknown = `9000000000000000000`

// OrderOf is the order of a query.
func (d Dialect) OrderOf(s jobs.Sort) Order {
	o := Order{down: s.Down != s.Back, oldest: s.Back, Text: true}
	last := unknown
	if s.Down {
		last = `-1`
	}
	switch s.By {
	case jobs.SortState:
		o.Key = `j.state`
	case jobs.SortModel:
		o.Key = `j.model`
	case jobs.SortKind:
		o.Key = `j.modality`
	case jobs.SortProfile:
		o.Key = `j.profile`
	case jobs.SortPrompt:
		o.Key = d.Prompt
	case jobs.SortProgress:
		o.Key, o.Text = `(CASE WHEN j.progress < 0 THEN `+last+` ELSE CAST(j.progress * 1000 AS bigint) END)`, false
	case jobs.SortTook:
		o.Key, o.Text = `(CASE WHEN `+ended+` THEN `+took+` ELSE `+last+` END)`, false
	default:
		return Order{oldest: s.Down != s.Back}
	}
	if o.Text {
		o.Key += d.Binary
	}
	return o
}

// Plain reports whether the order is the usual one: the newest first.
func (o Order) Plain() bool { return o.Key == "" && !o.oldest }

// By returns what follows ORDER BY, for jobs whose key has a name.
func (o Order) By(key string) string {
	ids := `j.id DESC`
	if o.oldest {
		ids = `j.id`
	}
	switch {
	case o.Key == "":
		return ids
	case o.down:
		return key + ` DESC, ` + ids
	default:
		return key + `, ` + ids
	}
}

// keyMark separates the id from the key in a cursor.
const keyMark = "|"

// Cursor returns the cursor of a job, with its key as the database wrote it.
func (o Order) Cursor(id, key string) string {
	if o.Key == "" {
		return id
	}
	return id + keyMark + key
}

// After is the condition for the jobs after a cursor. For a cursor that is an id alone the database
// looks up the job's key.
func (o Order) After(cursor string) Clause {
	id, key, known := strings.Cut(cursor, keyMark)
	if o.Key == "" {
		return Clause{`j.id` + o.older() + `?`, []any{id}}
	}
	place, at := `?`, []any{any(key)}
	if n, err := strconv.ParseInt(key, 10, 64); !o.Text && err == nil {
		place, at = `CAST(? AS bigint)`, []any{n}
	} else if !known || !o.Text {
		place, at = `(SELECT `+o.Key+` FROM jobs j WHERE j.id = ?)`, []any{id}
	}
	op := ` > `
	if o.down {
		op = ` < `
	}
	return Clause{
		`(` + o.Key + op + place + ` OR ` + o.Key + ` = ` + place + ` AND j.id` + o.older() + `?)`,
		[]any{at[0], at[0], id},
	}
}

// older compares an id with the one before it.
func (o Order) older() string {
	if o.oldest {
		return ` > `
	}
	return ` < `
}

// Pattern turns a pattern with * for any text into one for LIKE.
func Pattern(s string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`).Replace(s)
}

// among returns a list of values for IN.
func among(values []string) (string, []any) {
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	return `(?` + strings.Repeat(`, ?`, len(values)-1) + `)`, args
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

func active() (out []string) {
	for _, s := range jobs.States() {
		if s.Active() {
			out = append(out, string(s))
		}
	}
	return out
}
