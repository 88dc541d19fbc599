package inspect

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
)

// tally is how the routes failed.
type tally struct {
	all, away, stopped int
	// refused counts those that refused the key; open, those that took it or did not ask for it.
	refused, open int
	together      client.Verdict
	wait          time.Duration
	// telling is the route that stands for what they say together, nil for none.
	telling *Route
}

func (f *Findings) tally() tally {
	var (
		c   tally
		at  []int
		all []client.RouteResult
	)
	for i := range f.Routes {
		r := &f.Routes[i]
		if r.Local || r.Skipped != "" {
			continue
		}
		c.all++
		if r.Stopped {
			c.stopped++
			continue
		}
		at, all = append(at, i), append(all, r.Result)
		switch r.Result.Verdict() {
		case client.VerdictAway:
			c.away++
		case client.VerdictRefused:
			c.refused++
		case client.VerdictUnknown, client.VerdictTask:
			c.open++
		}
		if api, ok := errors.AsType[*client.APIError](r.Result.Err); ok {
			c.wait = max(c.wait, api.RetryAfter)
		}
	}
	var i int
	if c.together, i = client.Telling(all); i >= 0 {
		c.telling = &f.Routes[at[i]]
	}
	return c
}

// status returns the HTTP status of the telling route.
func (c tally) status() int {
	if c.telling == nil {
		return 0
	}
	return c.telling.Result.Meta.HTTPStatus
}

// ofErrors says what it means that no route had a task.
func (f *Findings) ofErrors(w Ways) Verdict {
	c := f.tally()
	switch {
	case f.Job == nil && f.Kind == KindRequest:
		return Verdict{Status: "failed", Text: "the history has no such request",
			Means: "A gateway cannot be asked by the id of a request, and no job of the history has one with this id.", Next: "Give it to the gateway's support, or paste the task's id."}
	case f.Job == nil && f.Kind == KindResult && c.all == 0:
		return Verdict{Status: "failed", Text: "the history has no such result",
			Means: "No job of the history has a result at this address.", Next: "Paste the task's id; `darkroom head` tells whether the address still answers."}
	case c.all == 0 && f.Job != nil:
		return ofJob(f.Job, w)
	case c.together == client.VerdictRefused:
		return c.key()
	case c.away > 0 && c.away == c.all-c.stopped:
		return Verdict{Status: "failed", Text: "the gateway was not reached",
			Means: "No route could be asked.", Next: "Check the network and the address of the profile (`darkroom auth status`). " + w.Again + " asks again."}
	case c.together == client.VerdictLimited:
		return c.limited(w)
	case c.together == client.VerdictBroken:
		return Verdict{Status: "failed", Text: "the gateway failed",
			Means: fmt.Sprintf("%s answered with a server error (HTTP %d), so it is not known whether the task exists.", c.telling.Format, c.status()),
			Next:  w.Again + " asks again; if it stays so, " + toSupport + "."}
	case c.together == client.VerdictAway:
		return Verdict{Status: "failed", Text: "a route was not reached",
			Means: c.telling.Format + " did not answer, so it is not known whether the task exists.", Next: w.Again + " asks again."}
	case c.together == client.VerdictOdd || c.together == client.VerdictUnserved:
		return f.odd(c, w)
	case c.stopped > 0:
		return Verdict{Text: "stopped", Next: w.Again + " asks again."}
	case c.together == client.VerdictUnknown:
		return f.unknown(c, w)
	default:
		return Verdict{Text: "no answer", Next: w.Again + " asks again."}
	}
}

// key says whose key may have been refused.
func (c tally) key() Verdict {
	v := Verdict{Status: "failed", Text: "the key was refused"}
	switch {
	case c.status() == 403:
		v.Text = "the key may not ask this"
		v.Means = "The gateway does not let this key ask (HTTP 403), so it is not known whether the task exists."
		v.Next = "Ask whoever runs the gateway what the key may do."
	case c.open > 0:
		v.Means = fmt.Sprintf("%s refused a key, and %s did not: it may well be the gateway's own key at its vendor.", c.telling.Format, plural(c.open, "another route", "other routes"))
		v.Next = "`darkroom auth status` tells whether ours is good; if it is, tell whoever runs the gateway."
	default:
		v.Means = "Every route that was asked refused the key."
		v.Next = "Check it with `darkroom auth status`; if it is good, it is the gateway's own key at its vendor: tell whoever runs the gateway."
	}
	return v
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Wait returns how long the gateway asked to wait, 0 if it did not.
func (f *Findings) Wait() time.Duration { return f.tally().wait }

// limited says when to ask again.
func (c tally) limited(w Ways) Verdict {
	v := Verdict{Text: "too many requests", Means: "The gateway takes no more requests for now, and does not say until when.", Next: "Wait a minute; then " + w.Again + " asks again."}
	if c.wait > 0 {
		v.Means = "The gateway takes no more requests for now, and asks to wait " + human.Wait(c.wait) + "."
		v.Next = "Then " + w.Again + " asks again."
	}
	return v
}

// odd says what came in place of an answer.
func (f *Findings) odd(c tally, w Ways) Verdict {
	v := Verdict{Text: "no answer was understood", Means: c.telling.Format + " answered with something that is not what it promises.", Next: "The answer as it came shows what."}
	other, isOther := errors.AsType[*client.OtherTaskError](c.telling.Result.Err)
	api, isAPI := errors.AsType[*client.APIError](c.telling.Result.Err)
	switch {
	case isOther:
		v.Text = "an answer about another task"
		v.Means = fmt.Sprintf("Asked about this id, %s answered about “%s”. That is not taken for an answer.", c.telling.Format, short(other.Named))
		v.Next = w.Again + " asks again; if it goes on, tell whoever runs the gateway."
	case c.together == client.VerdictUnserved:
		v.Text = "a web page in place of an answer"
		v.Means = "Every route that was asked answered with " + page(c.telling.Body) + ", as a login page or a proxy does."
		v.Next = "Check the address of the profile (`darkroom auth status`): it may not be that of the gateway's interface."
	case isAPI:
		v.Text = "the question was not taken"
		v.Means = fmt.Sprintf("%s refused the question (HTTP %d), so it is not known whether the task exists.", c.telling.Format, api.HTTPStatus)
		v.Next = "Its words say why: most often the id is not complete, or not one of this route."
	}
	return v
}

// page names a web page in words, with its title.
func page(body []byte) string {
	if p, ok := client.ReadPage(body); ok && p.Title != "" {
		return "a web page titled “" + p.Title + "”"
	}
	return "a web page"
}

// Hints returns sentences about routes that said more than that they have no such task: a term such
// as UNKNOWN, or a web page.
func (f *Findings) Hints() []string {
	var out, pages []string
	title := ""
	for i := range f.Routes {
		r := &f.Routes[i]
		if t := r.Result.Task; t != nil && t.Absent != "" {
			out = append(out, client.CleanLine(r.Format+" says "+t.RawStatus+": "+t.Absent)+".")
		}
		if r.Result.Verdict() == client.VerdictUnserved && len(r.Body) > 0 && !r.Local {
			pages, title = append(pages, r.Format), page(r.Body)
		}
	}
	if len(pages) > 0 {
		out = append(out, fmt.Sprintf("%s answered with %s, as gateways do on %s.", strings.Join(pages, ", "), title, plural(len(pages), "a route that they do not serve", "routes that they do not serve")))
	}
	return out
}

// Mute returns the likely route where it answered with a web page, "" where it did not: what it knows of
// the task is open then, whatever the others say. The likely route is that of the job's format, else the
// one that was asked first.
func (f *Findings) Mute() string {
	own := ""
	if f.Job != nil {
		own = cmp.Or(f.Job.QueryFormat, f.Job.Format)
	}
	var likely *Route
	for i := range f.Routes {
		r := &f.Routes[i]
		if r.Local || r.Stopped || r.Skipped != "" {
			continue
		}
		if likely == nil || r.Format == own {
			likely = r
		}
	}
	if likely == nil || likely.Result.Verdict() != client.VerdictUnserved {
		return ""
	}
	return likely.Format
}

// inHistory says where the rest of a job is shown.
const inHistory = "The history has it: what was last seen is below, and its newest answer is the row “history”."

// unknown says what to try when no route that was asked knows the id.
func (f *Findings) unknown(c tally, w Ways) Verdict {
	v, means := Verdict{Status: "failed", Text: "no route knows this id"}, f.Hints()
	switch mute := f.Mute(); {
	case mute != "":
		v.Text = "no answer from the likely route"
		means = append(means, fmt.Sprintf("So it is not known whether %s has the task; %s not have it.", mute, plural(c.open, "the other route that answered does", "the other routes that answered do")))
		if f.Job != nil {
			means = append(means, inHistory)
		}
		v.Next = w.Again + " asks again. If it stays so: is the id complete, and is it of this profile's gateway?"
	case f.Job != nil:
		v.Text = "the gateway does not know it (any more)"
		means = slices.Insert(means, 0, inHistory)
	case f.Only != "":
		v.Text = "this route does not know the id"
		means = slices.Insert(means, 0, fmt.Sprintf("Only %s was asked, and it has no task with this id.", f.Only))
		v.Next = w.Format + " asks all routes."
	default:
		if n := c.open; n > 1 {
			means = slices.Insert(means, 0, fmt.Sprintf("%d routes were asked, and none has a task with it.", n))
		}
		v.Next = "Is the id complete? Is it of this profile's gateway, or of another one, and of this key? The gateway may also have forgotten an old task."
	}
	v.Means = strings.Join(means, " ")
	return v
}
