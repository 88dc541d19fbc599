// Package events lays out what happened to a job: its events, and the requests about it that are kept.
package events

import (
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/widgets"
)

// Inks are the styles of what is laid out. Make them with [NewInks].
type Inks struct {
	text, muted, faint, bad widgets.Ink
	st                      *themes.Styles
}

// NewInks makes the inks of a theme.
func NewInks(st *themes.Styles) *Inks {
	return &Inks{text: widgets.NewInk(st.Text), muted: widgets.NewInk(st.Muted), faint: widgets.NewInk(st.Faint), bad: widgets.NewInk(st.Bad), st: st}
}

// of is the ink of a state.
func (k *Inks) of(s jobs.State) widgets.Ink {
	if s == jobs.Dropped {
		return k.muted
	}
	_, style := widgets.Sign(k.st, s.Coarse())
	return widgets.NewInk(style)
}

// What stands before the text of an event: the time, and where there is room the time since the
// event before.
const (
	stampWidth = 12 + 1
	gapWidth   = 9 + 1
	gapsFrom   = 46 // cells from which there is room
)

// Lines are what happened to a job, in w cells.
func Lines(k *Inks, clock human.Times, events []jobs.Event, w int) []string {
	if len(events) == 0 {
		return []string{k.muted.Text("Nothing was recorded.")}
	}
	var out []string
	var last time.Time
	day, indent := "", stampWidth
	if w >= gapsFrom {
		indent += gapWidth
	}
	for i := range events {
		e := &events[i]
		gap := ""
		if d := e.At.Sub(last); !last.IsZero() && d >= 0 {
			gap = "+" + human.Dur(d)
		}
		if d := clock.Day(e.At); d != day {
			out, day = append(out, k.muted.Text(d)), d
		}
		last = e.At
		head := k.muted.Text(widgets.Pad(clock.OfDay(e.At), stampWidth))
		if indent > stampWidth {
			head += k.faint.Text(widgets.PadLeft(gap, gapWidth-1)) + " "
		}
		for n, l := range widgets.WrapLines(eventText(e), max(8, w-indent), 8) {
			if n > 0 {
				head = strings.Repeat(" ", indent)
			}
			out = append(out, head+eventInk(k, e, n).Text(l))
		}
	}
	return out
}

// eventInk colours the first line by the state that was reached, the others as notes.
func eventInk(k *Inks, e *jobs.Event, line int) widgets.Ink {
	switch {
	case line > 0:
		return k.muted
	case e.Kind == jobs.EventPollError:
		return k.bad
	case e.To != "" && e.To != e.From:
		return k.of(e.To)
	default:
		return k.text
	}
}

// eventText is what happened, and below it what was said about that.
func eventText(e *jobs.Event) string {
	what := map[jobs.EventKind]string{jobs.EventPollError: "no answer", jobs.EventPerson: "by hand"}[e.Kind]
	if what == "" {
		what = string(e.Kind)
	}
	if e.To != "" && e.To != e.From && string(e.To) != what {
		what += " → " + string(e.To)
		if e.Kind == jobs.EventState {
			what = string(e.To)
		}
	}
	if e.RawStatus != "" && !strings.EqualFold(e.RawStatus, string(e.To)) {
		what += " (" + oneLine(e.RawStatus, 40) + ")"
	}
	var notes []string
	if e.HTTPStatus != 0 {
		notes = append(notes, fmt.Sprintf("HTTP %d", e.HTTPStatus))
	}
	if e.Message != "" {
		notes = append(notes, client.CleanLine(e.Message))
	}
	if e.RequestID != "" {
		notes = append(notes, "request id "+client.CleanLine(e.RequestID))
	}
	if len(notes) > 0 {
		return client.CleanLine(what) + "\n" + strings.Join(notes, " · ")
	}
	return client.CleanLine(what)
}

// Exchanges are the last requests about a job, newest first, in w cells; nothing for none.
func Exchanges(k *Inks, clock human.Times, all []jobs.Exchange, w int) []string {
	if len(all) == 0 {
		return nil
	}
	day, head := clock.Day(all[len(all)-1].At), "Last requests"
	if day != "" {
		head += "  " + day
	}
	out := []string{"", k.muted.Text(head)}
	for i := len(all) - 1; i >= 0; i-- {
		x := &all[i]
		if d := clock.Day(x.At); d != day {
			out, day = append(out, k.muted.Text(d)), d
		}
		what := x.Kind
		if x.HTTPStatus != 0 {
			what += fmt.Sprint(" ", x.HTTPStatus)
		}
		if n := x.Times(); n > 1 {
			what += fmt.Sprintf(" x %d since %s", n, clock.Since(x.Began(), x.At))
		} else {
			what += " " + human.Dur(x.Latency)
		}
		ink := k.text
		if x.Error != "" {
			ink = k.bad
		}
		for _, s := range []string{x.Error, x.RawStatus, x.Path, x.RequestID} {
			if s != "" {
				what += " · " + s
			}
		}
		head := k.muted.Text(widgets.Pad(clock.OfDay(x.At), stampWidth))
		out = append(out, head+ink.Text(oneLine(what, max(8, w-stampWidth))))
	}
	return out
}

// oneLine is the beginning of a text of any length, safe to draw in one line of n cells.
func oneLine(s string, n int) string {
	return strings.TrimSpace(widgets.Truncate(client.CleanLine(text.Cap(s, 8*n)), n))
}
