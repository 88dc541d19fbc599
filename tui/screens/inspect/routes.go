package inspect

import (
	"fmt"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs/inspect"
	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/table"
)

func columns() []table.Column {
	return []table.Column{
		{Title: "Route", Min: 9, Max: 14, Weight: 1},
		{Title: "HTTP", Min: 4, Right: true},
		{Title: "Took", Min: 7, Right: true, Drop: 2},
		{Title: "Said", Min: 12, Weight: 5},
		{Title: "Path", Min: 24, Weight: 4, Drop: 4},
		{Title: "Request id", Min: 12, Weight: 2, Drop: 3},
	}
}

// matrix is the row of a route in the table.
func matrix(st *themes.Styles, f *inspect.Findings, i int) table.Row {
	r := &f.Routes[i]
	http, took := "-", "-"
	if n := r.Result.Meta.HTTPStatus; n != 0 {
		http = fmt.Sprint(n)
	}
	if d := r.Result.Meta.Latency; d > 0 {
		took = human.Dur(d)
	}
	text, ink := answered(st, f, r)
	muted := widgets.NewInk(st.Muted)
	return table.Row{Cells: []table.Cell{
		{Text: client.CleanLine(r.Format)}, {Text: http}, {Text: took, Ink: muted}, {Text: text, Ink: ink},
		{Text: client.CleanLine(r.Path), Ink: muted}, {Text: client.CleanLine(r.Result.Meta.RequestID), Ink: muted},
	}}
}

// answered is the answer of a route in a few words: the term as it came, or the error.
func answered(st *themes.Styles, f *inspect.Findings, r *inspect.Route) (string, widgets.Ink) {
	switch t := r.Result.Task; {
	case r.Local:
		text := "the answer kept last"
		if f.Job != nil && f.Job.RawStatus != "" {
			text = client.CleanLine(f.Job.RawStatus) + ", kept last"
		}
		return text, widgets.NewInk(st.Muted)
	case r.Skipped != "":
		return "not asked", widgets.NewInk(st.Faint)
	case r.Stopped:
		return "stopped", widgets.NewInk(st.Muted)
	case !r.Done:
		return "asking …", widgets.NewInk(st.Muted)
	case t != nil && t.Absent != "":
		return client.CleanLine(t.Absent), widgets.NewInk(st.Muted)
	case t != nil:
		sign, style := widgets.Sign(st, string(t.Status))
		term := client.CleanLine(t.RawStatus)
		if term == "" {
			term = string(t.Status)
		}
		return sign + " " + term, widgets.NewInk(style)
	case r.Result.Verdict() == client.VerdictUnknown:
		return "not found", widgets.NewInk(st.Muted)
	case r.Result.Verdict() == client.VerdictUnserved:
		return "a web page, no answer", widgets.NewInk(st.Muted)
	default:
		return "✗ " + inspect.ErrorText(r.Result.Err), widgets.NewInk(st.Bad)
	}
}
