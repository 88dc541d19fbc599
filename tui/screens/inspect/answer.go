package inspect

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/bodies"
	"darkroom/jobs/inspect"
	"darkroom/themes"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/jsonview"
	"darkroom/tui/widgets/scroll"
)

// plainLimit bounds how much of a raw body is shown, in bytes.
const plainLimit = 256 << 10

// answerBox is the pane with the answer of the route under the cursor.
type answerBox struct {
	scroll.Model
	plain bool // the body as it came, not indented
	shown shown
}

// shown says what the lines of the answer were made from.
type shown struct {
	have        bool
	gen, at, w  int
	answers     int
	plain, done bool
	st          *themes.Styles
}

// fill makes the lines of a route, unless they are there already.
func (a *answerBox) fill(st *themes.Styles, q *question, i, w, h int) {
	a.SetSize(w, h)
	if len(q.found.Routes) == 0 {
		a.shown = shown{}
		a.SetLines([]string{st.Muted.Render("what the gateway answers stands here, as it came")})
		return
	}
	r := q.found.Routes[i]
	want := shown{gen: q.gen, at: i, w: w, answers: q.answers, plain: a.plain, done: r.Done, st: st, have: true}
	if a.shown == want {
		return
	}
	a.shown = want
	top := a.Top()
	a.SetLines(a.lines(st, r, q.docs[i], max(8, w-2)))
	a.SetTop(top)
}

// lines say how a route answered, and then what it answered.
func (a *answerBox) lines(st *themes.Styles, r inspect.Route, doc jsonview.Doc, w int) []string {
	var out []string
	for _, l := range widgets.WrapLines(client.CleanLine(r.Path), w, 4) {
		out = append(out, st.Code.Render(l))
	}
	var meta []string
	if n := r.Result.Meta.HTTPStatus; n != 0 {
		meta = append(meta, fmt.Sprintf("HTTP %d", n))
	}
	if d := r.Result.Meta.Latency; d > 0 {
		meta = append(meta, human.Dur(d))
	}
	if id := r.Result.Meta.RequestID; id != "" {
		meta = append(meta, "request id "+client.CleanLine(id))
	}
	if len(meta) > 0 {
		for _, l := range widgets.WrapLines(strings.Join(meta, " · "), w, 3) {
			out = append(out, st.Muted.Render(l))
		}
	}
	if r.Result.Err != nil {
		for _, l := range widgets.WrapLines(client.CleanLine(r.Result.Err.Error()), w, mostLines) {
			out = append(out, st.Bad.Render(l))
		}
	}
	out = append(out, "")
	switch {
	case !r.Done:
		return append(out, st.Muted.Render("asking …"))
	case r.Stopped:
		return append(out, st.Muted.Render("stopped before it answered"))
	case r.Skipped != "":
		return append(out, st.Muted.Render("not asked: "+r.Skipped))
	case len(r.Body) == 0:
		return append(out, st.Muted.Render("no body came"))
	case a.plain:
		return append(out, plainLines(st, r.Body, w)...)
	default:
		return append(out, doc.Lines(st, nil)...)
	}
}

// printsIt is where a body is whole.
const printsIt = "`darkroom inspect --raw` prints it whole"

// openBodies opens the dialog of bodies, with the request first or with the answer that shows.
func openBodies(request bool) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		o := m.deps.Bodies
		o.Title, o.Now, o.Request = m.q.id, bodies.Now(&m.q.found), request
		if r := m.current(); !request && !r.Local && len(r.Body) > 0 {
			o.Show = r.Format
		}
		if j := m.q.found.Job; j != nil {
			o.Title, o.Job = "Job "+jobs.ShortID(j.ID), j.ID
		}
		return m.stack.Open(body.New(o))
	}
}

func offBodies(m *Model) string {
	if m.listing {
		return "open one id first"
	}
	if m.q.found.Job == nil && len(bodies.Now(&m.q.found)) == 0 {
		return "no answer with a body has come"
	}
	return ""
}

// plainLines is a raw body, only made safe to show, and wrapped.
func plainLines(st *themes.Styles, body []byte, w int) []string {
	note := ""
	if len(body) > plainLimit {
		note = fmt.Sprintf("… %s in all; %s", human.Bytes(int64(len(body))), printsIt)
		body = body[:plainLimit]
	}
	var out []string
	for l := range strings.SplitSeq(strings.TrimRight(client.Clean(string(body)), "\n"), "\n") {
		out = append(out, hardWrap(l, w)...)
	}
	if note != "" {
		out = append(out, st.Muted.Render(note))
	}
	return out
}

// hardWrap breaks a line anywhere, so that none of it is changed.
func hardWrap(l string, w int) []string {
	if l == "" {
		return []string{""}
	}
	return strings.Split(ansi.Hardwrap(strings.ReplaceAll(l, "\t", "    "), w, true), "\n")
}
