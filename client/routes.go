package client

import (
	"context"
	"errors"
	"strings"
)

// Missing reports an error that means "no such task here": a 404, a 410, the 400 that some gateways
// answer instead, or a web page where the route is not served. Another query route of the model may
// know the task.
func Missing(err error) bool {
	api, ok := errors.AsType[*APIError](err)
	if !ok {
		return false
	}
	switch {
	case api.HTTPStatus == 404, api.HTTPStatus == 410, api.HTTPStatus == 405:
		return true
	case api.HTTPStatus >= 200 && api.HTTPStatus < 300: // a web page
		return true
	case api.HTTPStatus == 400:
		return missingWords(api.Code) || missingWords(api.Message) || strings.EqualFold(strings.ReplaceAll(api.Code, "_", ""), "notfound")
	default:
		return false
	}
}

// Unknown reports an error that says that a task does not exist. A web page does not say so, though
// it may mean that a route is not served ([Missing]).
func Unknown(err error) bool {
	api, ok := errors.AsType[*APIError](err)
	return ok && Missing(err) && (api.HTTPStatus < 200 || api.HTTPStatus >= 300)
}

func missingWords(s string) bool {
	s = strings.NewReplacer("_", "", " ", "", "-", "").Replace(strings.ToLower(s))
	return strings.Contains(s, "tasknotexist") || strings.Contains(s, "tasknotfound") ||
		strings.Contains(s, "taskdoesnotexist") || strings.Contains(s, "nosuchtask")
}

// Querier asks one query route about a task, as [Client.Query] does.
type Querier func(ctx context.Context, format, id string) (Task, error)

// FirstRoute asks the query routes of a model in order until one knows the task, and returns which
// one did (GATEWAY: the same video models can be reached through more than one format). A route
// that does not know it ([Missing]) is passed over; any other failure ends the search, since the
// task may well be there. When no route knows the task, the error is that of the first.
func FirstRoute(ctx context.Context, ask Querier, routes []string, id string) (Task, string, error) {
	if len(routes) == 0 {
		return Task{}, "", errors.New("no query route is given")
	}
	var first error
	asked := map[string]bool{}
	for _, r := range routes {
		if asked[r] {
			continue
		}
		asked[r] = true
		t, err := ask(ctx, r, id)
		if err == nil {
			return t, r, nil
		}
		if !Missing(err) {
			return Task{}, r, err
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	if first == nil {
		first = errors.New("no query route is given")
	}
	return Task{}, routes[0], first
}

// Verdict is what query routes say about an id, one of them or all together.
type Verdict string

// Verdicts, from the one that says most about the id to the one that says least. All but
// VerdictTask and VerdictUnknown leave open whether the task exists.
const (
	VerdictTask     Verdict = "task"     // a route knows it
	VerdictRefused  Verdict = "refused"  // the key was refused: 401, 403
	VerdictLimited  Verdict = "limited"  // too many requests: 429
	VerdictBroken   Verdict = "broken"   // a server error
	VerdictAway     Verdict = "away"     // no answer at all
	VerdictOdd      Verdict = "odd"      // an answer that is not what the route promises
	VerdictUnknown  Verdict = "unknown"  // no such task
	VerdictUnserved Verdict = "unserved" // a web page: no such route here, and no word about the task
	VerdictNone     Verdict = ""         // nothing was asked
)

// rank orders verdicts by how much they say, as the constants do.
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

// Telling is what the routes say together, and the index of the first that says so; -1 where there
// is none. A route that is not served does not contradict one that does not know the task.
func Telling(all []RouteResult) (Verdict, int) {
	v, at := VerdictNone, -1
	for i, r := range all {
		if x := r.Verdict(); at < 0 || x.rank() > v.rank() {
			v, at = x, i
		}
	}
	return v, at
}
