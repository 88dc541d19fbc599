package client

import (
	"errors"
)

// Verdict is what query routes say about an id: one of them, or all together.
type Verdict string

// Verdicts, those that say more about the id before those that say less. All but VerdictTask and
// VerdictUnknown leave open whether the task exists.
const (
	VerdictTask     Verdict = "task"     // a route knows it
	VerdictRefused  Verdict = "refused"  // the key was refused: 401, 403
	VerdictLimited  Verdict = "limited"  // too many requests: 429
	VerdictBroken   Verdict = "broken"   // a server error
	VerdictAway     Verdict = "away"     // no answer at all
	VerdictOdd      Verdict = "odd"      // an answer that is not what the route promises
	VerdictUnknown  Verdict = "unknown"  // no such task
	VerdictUnserved Verdict = "unserved" // a web page: there is no such route here, nor a word of a task
	VerdictNone     Verdict = ""         // nothing was asked
)

// rank orders verdicts by how much they say, see the constants.
func (v Verdict) rank() int {
	for i, x := range []Verdict{VerdictNone, VerdictUnserved, VerdictUnknown, VerdictOdd, VerdictAway, VerdictBroken, VerdictLimited, VerdictRefused, VerdictTask} {
		if x == v {
			return i
		}
	}
	return 0
}

// Verdict is what this route says.
func (r RouteResult) Verdict() Verdict {
	api, isAPI := errors.AsType[*APIError](r.Err)
	switch {
	case r.Task != nil && r.Task.Absent != "":
		return VerdictUnknown
	case r.Task != nil:
		return VerdictTask
	case r.Err == nil:
		return VerdictNone
	case Unknown(r.Err):
		return VerdictUnknown
	case Missing(r.Err):
		return VerdictUnserved
	case isAPI && (api.HTTPStatus == 401 || api.HTTPStatus == 403):
		return VerdictRefused
	case isAPI && api.HTTPStatus == 429:
		return VerdictLimited
	case isAPI && api.HTTPStatus >= 500:
		return VerdictBroken
	case isAPI || r.Meta.HTTPStatus != 0:
		return VerdictOdd
	default:
		return VerdictAway
	}
}

// Telling is what the routes say together, and the place of the first that says so; -1 where there
// is none. A route that is not served is no objection to one that does not know the task.
func Telling(all []RouteResult) (Verdict, int) {
	v, at := VerdictNone, -1
	for i, r := range all {
		if x := r.Verdict(); at < 0 || x.rank() > v.rank() {
			v, at = x, i
		}
	}
	return v, at
}
