package queue

import (
	"cmp"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/tui/gallery"
	"darkroom/tui/screens/queue/internal/brief"
	"darkroom/tui/screens/queue/internal/firstwords"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/screens/queue/internal/kin"
	"darkroom/tui/widgets"
)

// cards are the jobs as cells of the gallery.
type cards struct {
	*kit
	jobs  *history
	words firstwords.Kept
	kin   *kin.Finder // the list's
}

// Len implements gallery.Source.
func (c *cards) Len() int { return c.jobs.Len() }

// Media implements gallery.Source.
func (c *cards) Media(i int) (string, gallery.Media) {
	j := c.jobs.At(i)
	f := j.Face()
	return j.ID, gallery.Media{Path: f.Path, Poster: f.Poster, Spare: f.Spare}
}

// Cell implements gallery.Source.
func (c *cards) Cell(i, w int) gallery.Cell {
	j := c.jobs.At(i)
	s := c.stands(j)
	cell := gallery.Cell{Marked: c.jobs.marked[j.ID], Text: inks.OneLine(j.Draft.Prompt, 2*w), Name: c.profiled(j, madeBy(j)), Age: human.Age(s.age)}
	if cell.Text == "" {
		cell.Text = "no prompt"
	}
	if look := c.sign(&s); j.State != jobs.Completed || s.Held() || s.Failed > 0 {
		cell.Sign, cell.Ink, cell.Fact = look.Text, look.Ink, howFar(&s)
	}
	if rejected(j) {
		cell.Sign, cell.Ink, cell.Fact, cell.Gone = rejectSign, c.ink.Muted, rejectWord, true
	}
	var signs, tags []string
	if text := c.kin.Differs(c.jobs.At, i, nil); text != "" { // four variations are not to look the same
		tags = append(tags, text)
	}
	if len(j.Warnings) > 0 {
		signs = append(signs, c.ink.Warn.Text(warnSign))
	}
	if j.Remark != "" {
		signs = append(signs, c.ink.Accent.Text(remarkSign))
	}
	if j.Starred() {
		signs = append(signs, c.ink.Warn.Text(starSign))
	}
	for _, t := range j.PlainTags() {
		tags = append(tags, "#"+client.CleanLine(t))
	}
	cell.Signs, cell.Extra = strings.Join(signs, " "), strings.Join(tags, " ")
	return cell
}

// howFar is how a job stands that has not simply ended well, in the place of how long its file plays.
func howFar(s *stands) string {
	switch {
	case s.Told && s.Moving:
		return human.Percent(s.Share) + " ~" + human.Left(s.Left)
	case s.Told:
		return "~" + human.Left(s.Left)
	case s.Moving:
		return human.Percent(s.Share)
	default:
		return cmp.Or(brief.Why(s.Error), shortState(s))
	}
}

// Card implements gallery.Source: how far the job is, what went wrong, or what it says in words.
func (c *cards) Card(i, w, h int) []string { return c.card(c.jobs.At(i), w, h) }

func (c *cards) card(j *jobs.Job, w, h int) []string {
	s := c.stands(j)
	look := c.sign(&s)
	head := []string{look.Ink.Text(look.Text) + " " + c.ink.Text.Text(widgets.Truncate(cmp.Or(brief.Why(j.Error), shortState(&s)), max(0, w-2)))}
	switch {
	case j.Error != nil:
		return append(head, inks.Wrapped(c.ink.Bad, client.CleanLine(text.Cap(reason(j.Error), 400)), w, h-1)...)
	case j.State == jobs.Ambiguous || j.State == jobs.Refused || j.State == jobs.Lost:
		return append(head, inks.Wrapped(c.ink.Warn, client.CleanLine(text.Cap(j.Note, 400)), w, h-1)...)
	case j.Wordy():
		text, why := c.words.Of(j.ID)
		if text != "" {
			return inks.Wrapped(c.ink.Text, text, w, h)
		}
		if why != "" {
			return append(head, inks.Wrapped(c.ink.Bad, "✗ "+why, w, h-1)...)
		}
	case j.State == jobs.Completed && !s.Pending:
		return append(head, c.ended(j, w, h-1)...)
	}
	return append(head, c.way(&s, w)...)
}

// reason is why a task failed, in the gateway's sentence; its code alone where it has none.
func reason(e *client.TaskError) string {
	if s := strings.TrimSpace(e.Message); s != "" {
		return s
	}
	return strings.ReplaceAll(e.Code, "_", " ")
}

// ended says what is on the disk for a job that has ended without a picture here, or why nothing
// is.
func (c *cards) ended(j *jobs.Job, w, h int) []string {
	for i := range j.Files {
		if f := &j.Files[i]; f.State == jobs.FileFailed {
			return inks.Wrapped(c.ink.Bad, client.CleanLine(text.Cap(f.Error, 400)), w, h)
		}
	}
	switch {
	case j.Saved():
		var size int64
		for i := range j.Files {
			size += j.Files[i].Bytes
		}
		lines := inks.Wrapped(c.ink.Muted, "saved, "+human.Bytes(size), w, 1)
		return append(lines, inks.Wrapped(c.ink.Muted, inks.OneLine(j.Draft.Prompt, 4*w), w, h-1)...)
	case len(j.Assets) > 0:
		return inks.Wrapped(c.ink.Muted, "not saved yet; "+c.keys.Keys(actDownload)+" fetches it", w, h)
	}
	return nil
}

// way is how far a job is, and how much time is left.
func (c *cards) way(s *stands, w int) (out []string) {
	if s.Moving && w > 0 {
		n := int(s.Share * float64(w))
		out = append(out, c.ink.Accent.Text(strings.Repeat("━", n)+strings.Repeat("·", w-n)))
	}
	switch {
	case s.Slow:
		out = append(out, c.ink.Warn.Text(widgets.Truncate("slower than usual", w)))
	case s.Told:
		out = append(out, c.ink.Muted.Text(widgets.Truncate("~"+human.Left(s.Left)+" left", w)))
	}
	return out
}

// album is the jobs with all their results.
type album struct{ *history }

// Media implements gallery.Album.
func (a album) Media(id string) []gallery.Media {
	all := a.Get(id).Results()
	out := make([]gallery.Media, len(all))
	for i, r := range all {
		out[i] = gallery.Media{Path: r.Path, Poster: r.Poster, Spare: r.Spare}
	}
	return out
}
