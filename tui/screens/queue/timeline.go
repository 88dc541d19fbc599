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
	zone, indent := k.now().Location(), stampWidth
	if w >= gapsFrom {
		indent += gapWidth
	}
	for i := range events {
		e := &events[i]
		gap := ""
		if d := e.At.Sub(last); !last.IsZero() && d >= 0 {
			gap = "+" + human.Dur(d)
		}
		if y1, m1, d1 := e.At.In(zone).Date(); last.IsZero() || changedDay(last.In(zone), y1, m1, d1) {
			out = append(out, k.ink.muted.Text(e.At.In(zone).Format("Monday, 2 January 2006")))
		}
		last = e.At
		head := k.ink.muted.Text(e.At.In(zone).Format("15:04:05.000")) + " "
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

func changedDay(last time.Time, y int, m time.Month, d int) bool {
	ly, lm, ld := last.Date()
	return ly != y || lm != m || ld != d
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

// sinceText is when the first of several requests was, with its day where that is another one.
func sinceText(x *jobs.Exchange, zone *time.Location) string {
	first := x.Began().In(zone)
	if y, m, d := x.At.In(zone).Date(); changedDay(first, y, m, d) {
		return first.Format("2 Jan 15:04")
	}
	return first.Format("15:04:05")
}

// exchangeLines are the last requests about a job, newest first.
func exchangeLines(k *kit, all []jobs.Exchange, w int) []string {
	if len(all) == 0 {
		return nil
	}
	zone := k.now().Location()
	out := []string{"", k.ink.muted.Text("Last requests")}
	for i := len(all) - 1; i >= 0; i-- {
		x := &all[i]
		text := x.Kind
		if x.HTTPStatus != 0 {
			text += fmt.Sprint(" ", x.HTTPStatus)
		}
		if n := x.Times(); n > 1 {
			text += fmt.Sprintf(" x %d since %s", n, sinceText(x, zone))
		} else {
			text += " " + human.Dur(x.Latency)
		}
		ink := k.ink.text
		if x.Error != "" {
			ink = k.ink.bad
		}
		for _, s := range []string{x.Error, x.RawStatus, x.Path, x.RequestID} {
			if s != "" {
				text += " · " + s
			}
		}
		head := k.ink.muted.Text(x.At.In(zone).Format("15:04:05.000")) + " "
		out = append(out, head+ink.Text(oneLine(text, max(8, w-stampWidth))))
	}
	return out
}
