package queue

import (
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/widgets"
)

// What stands before the text of an event: the time, and where there is room the time since the
// event before.
const (
	stampWidth = 12 + 1
	gapWidth   = 9 + 1
	gapsFrom   = 46 // cells from which there is room
)

// timelineLines are what happened to a job, in w cells.
func timelineLines(k *kit, events []jobs.Event, w int) []string {
	if len(events) == 0 {
		return []string{k.ink.muted.Text("Nothing was recorded.")}
	}
	var out []string
	var last time.Time
	clock, day, indent := k.clock(), "", stampWidth
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
			out, day = append(out, k.ink.muted.Text(d)), d
		}
		last = e.At
		head := k.ink.muted.Text(widgets.Pad(clock.OfDay(e.At), stampWidth))
		if indent > stampWidth {
			head += k.ink.faint.Text(widgets.PadLeft(gap, gapWidth-1)) + " "
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
func eventInk(k *kit, e *jobs.Event, line int) widgets.Ink {
	switch {
	case line > 0:
		return k.ink.muted
	case e.Kind == jobs.EventPollError:
		return k.ink.bad
	case e.To != "" && e.To != e.From:
		return k.ink.sign(e.To).ink
	default:
		return k.ink.text
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

// exchangeLines are the last requests about a job, newest first.
func exchangeLines(k *kit, all []jobs.Exchange, w int) []string {
	if len(all) == 0 {
		return nil
	}
	clock := k.clock()
	day, head := clock.Day(all[len(all)-1].At), "Last requests"
	if day != "" {
		head += "  " + day
	}
	out := []string{"", k.ink.muted.Text(head)}
	for i := len(all) - 1; i >= 0; i-- {
		x := &all[i]
		if d := clock.Day(x.At); d != day {
			out, day = append(out, k.ink.muted.Text(d)), d
		}
		text := fmt.Sprintf("%s %d %s", x.Kind, x.HTTPStatus, human.Dur(x.Latency))
		if x.HTTPStatus == 0 {
			text = x.Kind + " " + human.Dur(x.Latency)
		}
		for _, s := range []string{x.RawStatus, x.Path, x.RequestID} {
			if s != "" {
				text += " · " + s
			}
		}
		ink := k.ink.text
		if x.Error != "" {
			ink = k.ink.bad
			text += " · " + x.Error
		}
		head := k.ink.muted.Text(widgets.Pad(clock.OfDay(x.At), stampWidth))
		out = append(out, head+ink.Text(oneLine(text, max(8, w-stampWidth))))
	}
	return out
}
