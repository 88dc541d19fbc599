package inspect

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/table"
)

// plainLimit bounds what is shown of a body as it came, in bytes; copying takes all.
const plainLimit = 256 << 10

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

func (m *Model) row(i int) table.Row {
	r := m.routes[i]
	http, took := "-", "-"
	if n := r.res.Meta.HTTPStatus; n != 0 {
		http = fmt.Sprint(n)
	}
	if d := r.res.Meta.Latency; d > 0 {
		took = format.Dur(d)
	}
	said, ink := m.said(r)
	muted := widgets.NewInk(m.st.Muted)
	return table.Row{Cells: []table.Cell{
		{Text: client.CleanLine(r.format)}, {Text: http}, {Text: took, Ink: muted}, {Text: said, Ink: ink},
		{Text: client.CleanLine(r.path), Ink: muted}, {Text: client.CleanLine(r.res.Meta.RequestID), Ink: muted},
	}}
}

// said is what a route said in a few words: the term as it came, or the error.
func (m *Model) said(r route) (string, widgets.Ink) {
	st := m.st
	switch t := r.res.Task; {
	case r.local:
		text := "the answer kept last"
		if m.job != nil && m.job.RawStatus != "" {
			text = client.CleanLine(m.job.RawStatus) + ", kept last"
		}
		return text, widgets.NewInk(st.Muted)
	case r.stopped:
		return "stopped", widgets.NewInk(st.Muted)
	case !r.done:
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
	case r.res.Verdict() == client.VerdictUnknown:
		return "not found", widgets.NewInk(st.Muted)
	case r.res.Verdict() == client.VerdictUnserved:
		return "a web page, no answer", widgets.NewInk(st.Muted)
	default:
		return "✗ " + errorText(r.res.Err), widgets.NewInk(st.Bad)
	}
}

// errorText is an error in one line; of an error answer only what the row does not say
// already.
func errorText(err error) string {
	if err == nil {
		return "no answer"
	}
	if api := apiError(err); api != nil {
		if text := strings.TrimSpace(api.Code + " " + api.Message); text != "" {
			return client.CleanLine(text)
		}
	}
	return client.CleanLine(err.Error())
}

// fillAnswer makes the lines of the route under the cursor: how it answered, then the
// body.
func (m *Model) fillAnswer(w, h int) {
	m.raw.SetSize(w, h)
	if len(m.routes) == 0 {
		m.shown = shownAnswer{}
		m.raw.SetLines([]string{m.st.Muted.Render("what the gateway answers stands here, as it came")})
		return
	}
	i := max(0, m.table.Cursor())
	want := shownAnswer{gen: m.gen, at: i, w: w, plain: m.plain, done: m.routes[i].done, st: m.st, have: true}
	if m.shown == want {
		return
	}
	m.shown = want
	top := m.raw.Top()
	m.raw.SetLines(m.answerLines(m.routes[i], max(8, w-2)))
	m.raw.SetTop(top)
}

func (m *Model) answerLines(r route, w int) []string {
	st := m.st
	var out []string
	for _, l := range widgets.WrapLines(client.CleanLine(r.path), w, 4) {
		out = append(out, st.Code.Render(l))
	}
	var meta []string
	if n := r.res.Meta.HTTPStatus; n != 0 {
		meta = append(meta, fmt.Sprintf("HTTP %d", n))
	}
	if d := r.res.Meta.Latency; d > 0 {
		meta = append(meta, format.Dur(d))
	}
	if id := r.res.Meta.RequestID; id != "" {
		meta = append(meta, "request id "+client.CleanLine(id))
	}
	if len(meta) > 0 {
		for _, l := range widgets.WrapLines(strings.Join(meta, " · "), w, 3) {
			out = append(out, st.Muted.Render(l))
		}
	}
	if r.res.Err != nil {
		for _, l := range widgets.WrapLines(client.CleanLine(r.res.Err.Error()), w, mostLines) {
			out = append(out, st.Bad.Render(l))
		}
	}
	out = append(out, "")
	switch {
	case !r.done:
		return append(out, st.Muted.Render("asking …"))
	case r.stopped:
		return append(out, st.Muted.Render("stopped before it answered"))
	case len(r.body) == 0:
		return append(out, st.Muted.Render("no body came"))
	case m.plain:
		return append(out, m.plainLines(r.body, w)...)
	default:
		return append(out, r.doc.Lines(st, nil)...)
	}
}

// plainLines is a body as it came, only made safe to show, and wrapped.
func (m *Model) plainLines(body []byte, w int) []string {
	note := ""
	if len(body) > plainLimit {
		note = fmt.Sprintf("… %s in all; %s copies it whole", format.Bytes(int64(len(body))), m.deps.Keys.Keys("inspect.copy"))
		body = body[:plainLimit]
	}
	var out []string
	for l := range strings.SplitSeq(strings.TrimRight(client.Clean(string(body)), "\n"), "\n") {
		out = append(out, hardWrap(l, w)...)
	}
	if note != "" {
		out = append(out, m.st.Muted.Render(note))
	}
	return out
}
