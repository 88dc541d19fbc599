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

// Odd returns what one answer has that the interface document does not name.
func Odd(res client.RouteResult) []drift.Finding {
	l, err := drift.Embedded()
	if err != nil {
		return nil // a test reads it
	}
	f := Findings{Routes: []Route{{Format: res.Format, Result: res, Body: Body(res)}}}
	return f.Drift(l)
}

// OfEmbedded marks what the embedded gateway adds, in findings about its answers.
func OfEmbedded(all []drift.Finding) []drift.Finding {
	l, err := drift.Embedded()
	if err != nil {
		return all // a test reads it
	}
	return l.Own(all)
}

// Alarms returns the findings that no other gateway was seen to send either, and that are not the
// embedded gateway's own: first types and terms, which may have misled us, then fields.
func Alarms(all []drift.Finding) []drift.Finding {
	var out, fields []drift.Finding
	for _, x := range all {
		switch {
		case !x.Alarm():
		case x.What == drift.Field:
			fields = append(fields, x)
		default:
			out = append(out, x)
		}
	}
	return append(out, fields...)
}
