package chain

import (
	"context"
	"errors"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/jobs"
)

// Source is what a tree is read from.
type Source interface {
	Get(ctx context.Context, id string) (jobs.Job, error)
	List(ctx context.Context, q jobs.Query) (jobs.Page, error)
}

// Bounds of a tree: however jobs hang together, also in circles, no more is read.
const (
	maxUp    = 24  // ancestors in the main line
	maxDown  = 12  // generations below the job
	maxEach  = 40  // children of one job
	maxLinks = 200 // of a tree
)

// maxText is how much of a prompt a link has, in bytes.
const maxText = 400

// Link is a job in a tree, in the order in which it is drawn.
type Link struct {
	// Job has its draft without values. Of one that is Missing only the id is known.
	Job jobs.Job
	// Depth is the number of steps from the top of the tree.
	Depth int
	// As is what the result of the job above was used for; "" at the top.
	As string
	// Self: the job that the tree is about. Missing: it is not in the history (any more).
	Self, Missing bool
	// Also: a further parent of the next link that is not Also itself; that link stands below its
	// first parent.
	Also bool
	// Again: the job is in the tree already; what is below it is shown there.
	Again bool
	// More: it has children that are not in the tree.
	More bool
}

// Tree is what a job was made from, and what was made from it.
type Tree struct {
	Links []Link
	// Cut says that there are further ancestors.
	Cut bool
}

// Alone reports whether the job has neither parents nor children.
func (t Tree) Alone() bool { return len(t.Links) <= 1 }

// Read makes the tree of a job. Jobs that are gone are in it, as missing; an error means that the
// history cannot be read.
func Read(ctx context.Context, s Source, id string) (Tree, error) {
	job, err := s.Get(ctx, id)
	if err != nil {
		return Tree{}, err
	}
	r := reading{ctx: ctx, s: s, seen: map[string]bool{id: true}}
	up, err := r.up(&job)
	if err != nil {
		return Tree{}, err
	}
	depth := 0
	for _, l := range up {
		if !l.Also {
			depth = l.Depth + 1
		}
	}
	r.t.Links = append(r.t.Links, up...)
	self := Link{Job: slim(job), Depth: depth, Self: true, As: asOf(&job)}
	err = r.down(self, maxDown)
	return r.t, err
}

type reading struct {
	ctx  context.Context //nolint:containedctx // of one call
	s    Source
	t    Tree
	seen map[string]bool
}

// asOf returns what a job used the result of its first parent for.
func asOf(j *jobs.Job) string {
	if p := parents(j); len(p) > 0 {
		return p[0].As
	}
	return ""
}

func parents(j *jobs.Job) []client.Parent { return j.Draft.Descent() }

// up returns the ancestors of a job, the oldest first: the first parent of each, and beside it the
// further ones.
func (r *reading) up(j *jobs.Job) ([]Link, error) {
	var line [][]Link // of each generation: the parent, and then the further ones
	for at := j; ; {
		from := parents(at)
		if len(from) == 0 {
			break
		}
		if len(line) == maxUp || r.seen[from[0].Job] {
			r.t.Cut = len(line) == maxUp
			break
		}
		var links []Link
		for i, p := range from {
			l, err := r.get(p.Job)
			if err != nil {
				return nil, err
			}
			if l.Also = i > 0; l.Also {
				l.As = p.As
			}
			links = append(links, l)
		}
		line = append(line, links)
		if links[0].Missing {
			break
		}
		at = &line[len(line)-1][0].Job
	}
	var out []Link
	slices.Reverse(line)
	for depth, links := range line {
		for _, l := range links {
			l.Depth = depth
			if l.Also {
				l.Depth++
			} else {
				l.As = asOf(&l.Job)
			}
			out = append(out, l)
		}
	}
	for i := range out {
		out[i].Job = slim(out[i].Job)
	}
	return out, nil
}

// get reads a parent; one that is gone is missing.
func (r *reading) get(id string) (Link, error) {
	again := r.seen[id]
	r.seen[id] = true
	j, err := r.s.Get(r.ctx, id)
	if errors.Is(err, jobs.ErrNotFound) {
		return Link{Job: jobs.Job{ID: id}, Missing: true, Again: again}, nil
	}
	return Link{Job: j, Again: again}, err
}

// down adds a link and what was made from it, oldest first.
func (r *reading) down(l Link, generations int) error {
	at := len(r.t.Links)
	r.t.Links = append(r.t.Links, l)
	if l.Again {
		return nil
	}
	page, err := r.s.List(r.ctx, jobs.Query{Parent: l.Job.ID, Limit: maxEach, Rejected: jobs.RejectedToo})
	if err != nil {
		return err
	}
	r.t.Links[at].More = page.Next != "" || generations == 0 && len(page.Jobs) > 0
	if generations == 0 {
		return nil
	}
	for _, j := range slices.Backward(page.Jobs) {
		if len(r.t.Links) >= maxLinks {
			r.t.Links[at].More = true
			return nil
		}
		if j.Draft.Cut { // its parents stand behind what was read
			if whole, err := r.s.Get(r.ctx, j.ID); err == nil {
				j = whole
			}
		}
		next := Link{Depth: l.Depth + 1, Again: r.seen[j.ID]}
		for _, p := range j.Draft.Parents {
			if p.Job == l.Job.ID {
				next.As = p.As
				break
			}
		}
		r.seen[j.ID] = true
		next.Job = slim(j)
		if err := r.down(next, generations-1); err != nil {
			return err
		}
	}
	return nil
}

// slim returns a job without what can be large.
func slim(j jobs.Job) jobs.Job {
	d := &j.Draft
	d.Values, d.Extra = nil, nil
	if len(d.Prompt) > maxText {
		d.Prompt = strings.ToValidUTF8(d.Prompt[:maxText], "")
	}
	return j
}

// Branches returns the lines that are drawn before the links of a tree, such as "│ └ ".
func (t Tree) Branches() []string {
	out := make([]string, len(t.Links))
	var open [maxUp + maxDown + 4]bool // by depth: further links of that depth come below
	for i := len(t.Links) - 1; i >= 0; i-- {
		d := min(t.Links[i].Depth, len(open)-1)
		var b strings.Builder
		for k := 1; k < d; k++ {
			if open[k] {
				b.WriteString("│ ")
			} else {
				b.WriteString("  ")
			}
		}
		switch {
		case d == 0:
		case open[d]:
			b.WriteString("├ ")
		default:
			b.WriteString("└ ")
		}
		out[i] = b.String()
		open[d] = true
		clear(open[d+1:])
	}
	return out
}
