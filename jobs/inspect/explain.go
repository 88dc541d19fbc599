package inspect

import (
	"errors"

	"darkroom/client"
	"darkroom/client/catalog"
)

// Explanation says what an error means.
type Explanation struct {
	// Failure is the error as it came, By the format whose route told of it.
	Failure catalog.Failure
	By      string
	// Rule explains it. Listed is false for an error that no rule knows.
	Rule   catalog.ErrorRule
	Listed bool
}

// Explain says what the most telling error means: that of the task, else of the history's job, else
// of the route to look at first. ok is false if there is none.
func (f *Findings) Explain(c *catalog.Catalog) (e Explanation, ok bool) {
	best := f.Best()
	switch {
	case best >= 0:
		return explainTask(c, &f.Routes[best])
	case f.Job != nil && f.Job.Error != nil:
		e.By, e.Failure = history, catalog.FailureIn(f.Job.Error, f.Job.Format)
	case len(f.Routes) == 0:
		return e, false
	default:
		r := &f.Routes[f.Telling()]
		api, isAPI := errors.AsType[*client.APIError](r.Result.Err)
		if v := r.Result.Verdict(); !isAPI || v == client.VerdictUnknown || v == client.VerdictUnserved {
			return e, false // that nobody knows the id is no error to explain
		}
		e.By, e.Failure = r.Format, catalog.FailureOf(api, r.Format)
	}
	e.Rule, e.Listed = c.Explain(e.Failure)
	return e, true
}

// explainTask says what the error of a task means or, where that says nothing, the term with which
// it ended, such as "cancelled".
func explainTask(c *catalog.Catalog, r *Route) (e Explanation, ok bool) {
	t := r.Result.Task
	e.By = r.Format
	if t.Error != nil {
		e.Failure = catalog.FailureIn(t.Error, r.Format)
		if e.Rule, e.Listed = c.Explain(e.Failure); e.Listed {
			return e, true
		}
	}
	if t.Status == client.StatusFailed && t.RawStatus != "" {
		if rule, listed := c.Explain(catalog.Failure{Code: t.RawStatus, Format: r.Format}); listed {
			e.Rule, e.Listed = rule, true
		}
	}
	return e, e.Listed || t.Error != nil
}

// Unlisted is what to say of an error that no rule knows.
const Unlisted = "this error is not listed; its own words are all that is known"

// Whose says in words where the fault lies; "" where no rule knows it.
func (e Explanation) Whose() string {
	return map[catalog.Fault]string{
		catalog.FaultRequest: "the request",
		catalog.FaultContent: "the prompt or a reference",
		catalog.FaultKey:     "our key, or the gateway's own",
		catalog.FaultAccount: "the account",
		catalog.FaultLimit:   "too many requests",
		catalog.FaultGateway: "the gateway",
		catalog.FaultVendor:  "the vendor behind the gateway",
	}[e.Rule.Fault]
}

// Again says whether trying again helps.
func (e Explanation) Again() string {
	return map[catalog.Retry]string{
		catalog.RetryNo:      "no",
		catalog.RetryLater:   "yes, later",
		catalog.RetryChanged: "only after a change",
	}[e.Rule.Retry]
}

// Source says where the explanation comes from.
func (e Explanation) Source() string {
	switch {
	case !e.Listed:
		return "not listed"
	case e.Rule.Elsewhere:
		return "seen at other gateways"
	case e.Rule.Source == "":
		return "your own catalog file"
	default:
		return "the gateway's interface"
	}
}
