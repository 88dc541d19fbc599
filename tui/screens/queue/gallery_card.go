package queue

import (
	"strings"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
)

// The least size of a card with a frame.
const (
	frameWide = 12
	frameHigh = 4
)

// cellPicture is the upper part of a cell, exactly g.w x g.pict cells: the picture, or a
// card that says what there is in its place.
func (m *Model) cellPicture(j *jobs.Job, g grid) []string {
	got, have := m.gallery.got[j.ID]
	have = have && got.Key.Width == g.w && got.Key.Height == g.pict
	if have && got.Lines != nil {
		return got.Lines
	}
	w, h := g.w, g.pict
	framed := w >= frameWide && h >= frameHigh
	if framed {
		w, h = w-2, h-2
	}
	var lines []string
	switch _, wanted := m.gallery.want[j.ID]; {
	case have && got.Err != nil:
		lines = m.painted(m.ink.bad, "✗ "+client.Clean(clip(got.Err.Error(), 400)), w, h)
	case have:
		lines = strings.Split(preview.Thumb(m.st, got.Info, w, h), "\n")
	case wanted:
		lines = []string{m.ink.faint.Text(widgets.Truncate("preview …", w))}
	default:
		lines = m.stateCard(j, w, h)
	}
	return m.framed(lines, w, h, framed)
}

// framed puts lines into the middle of w x h cells, with a frame around that where wanted.
func (m *Model) framed(lines []string, w, h int, frame bool) []string {
	lines = lines[:min(len(lines), h)]
	out := make([]string, 0, h+2)
	side, k := "", m.gallery.ink.frame
	if frame {
		side = k.Text("│")
		out = append(out, k.Text("╭"+strings.Repeat("─", w)+"╮"))
	}
	above := (h - len(lines)) / 2
	for y := range h {
		line := ""
		if n := y - above; n >= 0 && n < len(lines) {
			line = lines[n]
		}
		out = append(out, side+widgets.Line(line, w)+side)
	}
	if frame {
		out = append(out, k.Text("╰"+strings.Repeat("─", w)+"╯"))
	}
	return out
}

// painted wraps a text into at most h lines of w cells.
func (m *Model) painted(ink widgets.Ink, text string, w, h int) []string {
	lines := widgets.WrapLines(text, max(1, w), max(1, h))
	for i, l := range lines {
		lines[i] = ink.Text(l)
	}
	return lines
}

// stateCard is about a job without a picture: how far it is, what went wrong, or what it
// says in words.
func (m *Model) stateCard(j *jobs.Job, w, h int) []string {
	s := m.stateSign(j)
	head := []string{s.ink.Text(s.text) + " " + m.ink.text.Text(widgets.Truncate(shortState(j), max(0, w-2)))}
	switch {
	case j.Error != nil:
		why := strings.TrimSpace(j.Error.Code + " " + j.Error.Message)
		return append(head, m.painted(m.ink.bad, client.CleanLine(clip(why, 400)), w, h-1)...)
	case j.State == jobs.Ambiguous || j.State == jobs.Refused || j.State == jobs.Lost:
		return append(head, m.painted(m.ink.warn, client.CleanLine(clip(j.Note, 400)), w, h-1)...)
	case j.Wordy():
		if said := m.gallery.words.of[j.ID]; said != "" {
			return m.painted(m.ink.text, said, w, h)
		}
		if why := m.gallery.words.failed[j.ID]; why != "" {
			return append(head, m.painted(m.ink.bad, "✗ "+why, w, h-1)...)
		}
	case j.State == jobs.Completed && !j.Saving():
		return append(head, m.ended(j, w, h-1)...)
	}
	return append(head, m.progressLines(j, w)...)
}

// ended says of a job that has ended without a picture here what is on the disk, or why nothing
// is.
func (m *Model) ended(j *jobs.Job, w, h int) []string {
	for i := range j.Files {
		if f := &j.Files[i]; f.State == jobs.FileFailed {
			return m.painted(m.ink.bad, client.CleanLine(clip(f.Error, 400)), w, h)
		}
	}
	switch {
	case j.Saved():
		var size int64
		for i := range j.Files {
			size += j.Files[i].Bytes
		}
		said := m.painted(m.ink.muted, "saved, "+format.Bytes(size), w, 1)
		return append(said, m.painted(m.ink.muted, oneLine(j.Draft.Prompt, 4*w), w, h-1)...)
	case len(j.Assets) > 0:
		return m.painted(m.ink.muted, "not saved yet; "+m.deps.Keys.Keys("queue.download")+" fetches it", w, h)
	}
	return nil
}

// progressLines are how far a job is, and what is left of it.
func (m *Model) progressLines(j *jobs.Job, w int) (out []string) {
	if p, ok := j.Done(); ok && w > 0 {
		n := int(p * float64(w))
		out = append(out, m.ink.accent.Text(strings.Repeat("━", n)+strings.Repeat("·", w-n)))
	}
	switch f := m.forecast(j, m.deps.Now()); {
	case f.slow:
		out = append(out, m.ink.warn.Text(widgets.Truncate("slower than usual", w)))
	case f.told:
		out = append(out, m.ink.muted.Text(widgets.Truncate("~"+format.Left(f.left)+" left", w)))
	}
	return out
}
