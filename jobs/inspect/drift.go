package inspect

import (
	"darkroom/client"
	"darkroom/client/drift"
)

// Drift returns what the answers of the routes have that the interface document does not name,
// route by route. The answer that the history kept is not looked at: its format is that of the
// newest query.
func (f *Findings) Drift(l *drift.Lists) []drift.Finding {
	var out []drift.Finding
	for i := range f.Routes {
		r := &f.Routes[i]
		switch {
		case r.Local || len(r.Body) == 0:
		case r.Result.Task != nil:
			out = append(out, l.Check(r.Format, drift.Query, r.Body)...)
		case r.Result.Meta.HTTPStatus >= 400:
			for _, x := range l.Check("", drift.Error, r.Body) {
				x.Format = r.Format
				out = append(out, x)
			}
		}
	}
	return out
}

// Odd returns the alarms of one answer, in words.
func Odd(res client.RouteResult) []string {
	l, err := drift.Embedded()
	if err != nil {
		return nil // a test reads it
	}
	f := Findings{Routes: []Route{{Format: res.Format, Result: res, Body: Body(res)}}}
	var out []string
	for _, x := range Alarms(f.Drift(l)) {
		out = append(out, x.Text())
	}
	return out
}

// Alarms returns the findings that no other gateway was seen to send either.
func Alarms(all []drift.Finding) []drift.Finding {
	var out []drift.Finding
	for _, x := range all {
		if !x.Elsewhere {
			out = append(out, x)
		}
	}
	return out
}
