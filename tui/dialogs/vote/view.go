package vote

import (
	"cmp"
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/mediainfo"
	"darkroom/jobs/compare/vote"
	"darkroom/themes"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
)

// Lines of the dialog besides the pair.
const (
	labelLines = 1 // A and B, their stars and notes
	saidLines  = 1
	keyLines   = 1
	gap        = 2 // cells between the sides
	promptMost = 3
)

// inner is the room within the border.
func (d *Dialog) inner() (w, h int) { return widgets.Inner(d.W, d.H) }

// prompt is the lines of the prompt.
func (d *Dialog) prompt() []string {
	w, _ := d.inner()
	switch b := d.now.ballot; {
	case b == nil || w <= 0:
		return nil
	case d.H < 20:
		return widgets.WrapLines(b.Prompt, w, 1)
	default:
		return widgets.WrapLines(b.Prompt, w, promptMost)
	}
}

// room is the styles and the room of one side.
func (d *Dialog) room() (*themes.Styles, int, int) {
	w, h := d.inner()
	return d.Styles, (w - gap) / 2, h - len(d.prompt()) - labelLines - saidLines - keyLines
}

// View implements screen.Dialog.
func (d *Dialog) View() string {
	w, h := d.inner()
	if w < 20 || h < 6 {
		return widgets.Fit("too small to judge anything", d.W, d.H)
	}
	var lines []string
	switch {
	case d.failed != nil:
		for _, l := range widgets.WrapLines(sentence(d.failed), w, h-1) {
			lines = append(lines, widgets.NewInk(d.Styles.Warn).Text(l))
		}
	case d.session == nil:
		lines = append(lines, widgets.NewInk(d.Styles.Faint).Text("opening …"))
	case d.result:
		lines = strings.Split(d.text.View(d.Styles), "\n")
	default:
		lines = d.pairView(w)
	}
	for len(lines) < h-keyLines {
		lines = append(lines, "")
	}
	lines = append(lines[:h-keyLines], d.buttons(w))
	return widgets.BoxFooter(d.Styles, widgets.NewInk(d.Styles.DialogTitle).Text("Blind vote"),
		widgets.NewInk(d.Styles.Faint).Text(d.far()), "", strings.Join(lines, "\n"), d.W, d.H, true)
}

// far says how far the judge is.
func (d *Dialog) far() string {
	p := d.now.progress
	switch {
	case d.session == nil:
		return ""
	case d.now.ballot == nil:
		return fmt.Sprintf("all %d pairs had their turn", p.Pairs)
	case p.Revealed:
		return fmt.Sprintf("seen: votes do not count · pair %d of %d", p.Judged+p.Skipped+1, p.Pairs)
	}
	return fmt.Sprintf("pair %d of %d", p.Judged+p.Skipped+1, p.Pairs)
}

// pairView is the prompt, the pair, and what is said of it.
func (d *Dialog) pairView(w int) []string {
	b := d.now.ballot
	if b == nil {
		return []string{widgets.NewInk(d.Styles.Strong).Text("Nothing is left to judge."), "",
			widgets.Truncate(d.o.Keys.Keys(actReveal)+" shows the result, "+d.o.Keys.Keys(actUndo)+" takes the last vote back.", w), "",
			widgets.NewInk(d.Styles.Warn).Text(widgets.Truncate(d.says, w))}
	}
	var lines []string
	for _, l := range d.prompt() {
		lines = append(lines, widgets.NewInk(d.Styles.Strong).Text(l))
	}
	_, sw, sh := d.room()
	left, right := d.stage.view(0, sw, sh), d.stage.view(1, sw, sh)
	for i := range sh {
		lines = append(lines, left[i]+strings.Repeat(" ", gap)+right[i])
	}
	label := func(side vote.Side, stars int) string {
		text := widgets.NewInk(d.Styles.Accent).Text(name(side))
		if stars > 0 {
			text += " " + strings.Repeat("★", stars) + strings.Repeat("☆", 5-stars)
		}
		if n := b.Notes[side]; n != "" {
			text += " " + widgets.NewInk(d.Styles.Muted).Text(client.CleanLine(n))
		}
		return widgets.Line(text, sw)
	}
	lines = append(lines, label(vote.A, b.StarsA)+strings.Repeat(" ", gap)+label(vote.B, b.StarsB))
	return append(lines, widgets.Line(d.said(), w))
}

// said is the line below the pair.
func (d *Dialog) said() string {
	switch {
	case d.rating != vote.Pair:
		return widgets.NewInk(d.Styles.Accent).Text(fmt.Sprintf("Stars for %s: 1 to 5, 0 for none; %s writes a note on it.", name(d.rating), d.o.Keys.Keys(actNote)))
	case d.says != "":
		return widgets.NewInk(d.Styles.Warn).Text(d.says)
	case d.o.Previews == nil:
		return widgets.NewInk(d.Styles.Muted).Text("Nothing can be seen here; " + d.o.Keys.Keys(actWeb) + " judges in the browser.")
	}
	text := d.stage.said()
	if n := d.now.ballot.Notes[vote.Pair]; n != "" {
		text = strings.TrimSpace(text + "  note: " + client.CleanLine(n))
	}
	return widgets.NewInk(d.Styles.Muted).Text(text)
}

// buttons are the actions that there are now, as many as fit.
func (d *Dialog) buttons(w int) string {
	line, wide := "", 0
	for _, b := range [][2]string{{actA, "A"}, {actTie, "tie"}, {actB, "B"}, {actSkip, "skip"}, {actUndo, "undo"}, {actReveal, "reveal"}, {actClose, "end"},
		{actPlay, d.stage.word()}, {actZoom, "closer"}, {actRateA, "stars"}, {actNote, "note"}, {actWeb, "browser"}} {
		if off := d.commands.Off(d, b[0]) != ""; off && (b[0] == actPlay || b[0] == actZoom) {
			continue
		}
		key := cmp.Or(map[string]string{actA: "1", actB: "2"}[b[0]], d.commands.Key(b[0]))
		text := widgets.Button(d.Styles, b[0], key+" "+b[1], false, d.commands.Off(d, b[0]) != "")
		if n := widgets.Width(text); wide+n <= w {
			line, wide = line+text+" ", wide+n+1
		}
	}
	return strings.TrimSuffix(line, " ")
}

// view draws a side in exactly w x h cells, or that it is being made ready: both or neither.
func (s *stage) view(i, w, h int) []string {
	x := &s.sides[i]
	body := ""
	switch {
	case !s.ready():
		body = "…"
	case x.moves:
		body = strings.Join(x.play.Lines(), "\n")
	case x.still.Got.Lines != nil:
		body = strings.Join(x.still.Got.Lines, "\n")
	case x.still.Got.Err != nil:
		body = "cannot be shown here"
	default:
		body = preview.Card(s.st, x.still.Got.Info, w, h)
	}
	if top := (h - widgets.Height(body)) / 2; top > 0 {
		body = strings.Repeat("\n", top) + body
	}
	return strings.Split(widgets.Fit(widgets.Center(body, w), w, h), "\n")
}

func (s *stage) word() string {
	if s.playing() {
		return "pause"
	}
	return "play"
}

// said is what is to be known of the pair, the same whichever side is which.
func (s *stage) said() string {
	if !s.ready() {
		return ""
	}
	a := &s.sides[0]
	var parts []string
	switch {
	case a.file.Risk != "":
		parts = append(parts, "Note: "+a.file.Risk+".")
	case a.file.Kind == mediainfo.Audio:
		parts = append(parts, "Sounds are heard in the browser.")
	case a.moves:
		parts = append(parts, "Without sound, which the browser has.")
	case a.file.Kind == mediainfo.Video:
		parts = append(parts, s.offPlay()+".")
	case s.zoom > 0:
		parts = append(parts, fmt.Sprintf("%d times as large; shift with an arrow moves both.", 1<<s.zoom))
	}
	return strings.Join(parts, " ")
}

// SetSize implements screen.Dialog.
func (d *Dialog) SetSize(w, h int) {
	d.Base.SetSize(w, h)
	d.fill()
}

// SetStyles implements screen.Dialog.
func (d *Dialog) SetStyles(st *themes.Styles) {
	d.Base.SetStyles(st)
	d.fill()
}

// fill writes the result, which can be longer than the dialog.
func (d *Dialog) fill() {
	w, h := d.inner()
	d.text.SetSize(w, h-keyLines)
	if d.Styles != nil {
		d.text.SetLines(resultLines(d.Styles, d.now.result, max(1, w-1)))
	}
}

// resultLines are a result in lines of at most w cells.
func resultLines(st *themes.Styles, r *vote.Result, w int) []string {
	if r == nil {
		return nil
	}
	strong, muted := widgets.NewInk(st.Strong), widgets.NewInk(st.Muted)
	wide := 8
	for _, x := range r.Ranking.Items {
		wide = max(wide, widgets.Width(x.Name))
	}
	wide = min(wide, max(8, w-46))
	lines := []string{strong.Text(widgets.Truncate(fmt.Sprintf("%s  wins ties losses  strength  95 %% interval", widgets.Pad("Group", wide)), w))}
	for _, x := range r.Ranking.Items {
		line := fmt.Sprintf("%s  %4d %4d %6d", widgets.Pad(widgets.Truncate(client.CleanLine(x.Name), wide), wide), x.Wins, x.Ties, x.Losses)
		if len(r.Ranking.Islands[x.Island]) > 1 {
			line += fmt.Sprintf("  %8.2f  %.2f to %.2f", x.Strength, x.Low, x.High)
		}
		lines = append(lines, widgets.Truncate(line, w))
	}
	lines = append(lines, "")
	for _, t := range r.Pairs {
		line := fmt.Sprintf("%s %d : %d %s", client.CleanLine(t.A), t.WinsA, t.WinsB, client.CleanLine(t.B))
		if t.Ties > 0 {
			line += ", " + human.Plural(t.Ties, "tie")
		}
		lines = append(lines, widgets.Truncate(line, w))
	}
	lines = append(lines, "")
	for _, text := range r.Words() {
		lines = append(lines, widgets.WrapLines(client.CleanLine(text), w, 0)...)
	}
	for _, x := range r.Ratings {
		lines = append(lines, muted.Text(widgets.Truncate(fmt.Sprintf("%s: %.1f stars of 5, from %s", client.CleanLine(x.Group), x.Mean, human.Plural(x.N, "rating")), w)))
	}
	for _, x := range r.Remarks {
		of := x.Group
		if of == "" {
			of = x.Pair
		}
		lines = append(lines, widgets.WrapLines(client.CleanLine(x.Judge+", "+of+": "+x.Text), w, 0)...)
	}
	return lines
}
