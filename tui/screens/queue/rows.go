package queue

import (
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/themes"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/table"
)

// inks are the styles of what is drawn on every key.
type inks struct {
	text, muted, faint, accent, bad, warn widgets.Ink
	states                                map[jobs.State]sign
	bars                                  [2*barWidth + 1]string // by halves of a cell
}

// sign is how a state looks.
type sign struct {
	text string
	ink  widgets.Ink
}

func newInks(st *themes.Styles) inks {
	k := inks{
		text: widgets.NewInk(st.Text), muted: widgets.NewInk(st.Muted), faint: widgets.NewInk(st.Faint),
		accent: widgets.NewInk(st.Accent), bad: widgets.NewInk(st.Bad), warn: widgets.NewInk(st.Warn),
		states: map[jobs.State]sign{},
	}
	for _, s := range jobs.States() {
		text, style := widgets.Sign(st, s.Coarse())
		if s == jobs.Dropped {
			text, style = "–", st.Muted
		}
		k.states[s] = sign{text, widgets.NewInk(style)}
	}
	for i := range k.bars {
		k.bars[i] = strings.Repeat("━", i/2) + strings.Repeat("╸", i%2) + strings.Repeat("·", barWidth-i/2-i%2)
	}
	return k
}

// pausedSign stands in place of a state's sign.
const pausedSign = "‖"

// unsavedSign stands in place of that of success: a result is not on the disk.
const unsavedSign = "!"

// sign is that of a state; one that nobody listed looks unknown.
func (k *inks) sign(s jobs.State) sign {
	if x, ok := k.states[s]; ok {
		return x
	}
	return k.states[jobs.Unknown]
}

// source makes the rows that the table asks for.
func (m *Model) source() table.Source {
	return table.Func{N: m.jobs.len(), At: func(i int) table.Row { return m.row(m.jobs.at(i), m.deps.Now()) }}
}

func (m *Model) row(j *jobs.Job, now time.Time) table.Row {
	s := m.stateSign(j)
	state, _, slow := m.stateCell(j, now)
	if slow {
		s.ink = m.ink.warn
	}
	bar := ""
	if p, ok := j.Done(); ok {
		bar = m.ink.bars[int(p*2*barWidth)]
	}
	return table.Row{
		Marked: m.marked[j.ID],
		Cells: []table.Cell{
			colState:    {Text: s.text + " " + state, Ink: s.ink},
			colModel:    {Text: m.modelCell(j)},
			colAge:      {Text: format.Age(now.Sub(j.CreatedAt)), Ink: m.ink.muted},
			colProgress: {Text: bar, Ink: m.ink.accent},
			colKind:     {Text: client.CleanLine(string(j.Draft.Modality)), Ink: m.ink.muted},
			colPrompt:   {Text: signed(j, oneLine(j.Draft.Prompt, 2*m.w))},
		},
	}
}

// oneLine is the beginning of a text of any length, safe to draw in one line; n is about
// how many characters are of use. What makes up a character may be long, but not endless.
func oneLine(s string, n int) string {
	if len(s) > 8*n {
		cut := 8 * n
		for cut > 0 && s[cut]&0xc0 == 0x80 { // within a rune
			cut--
		}
		s = s[:cut] + widgets.Ellipsis
	}
	s = client.CleanLine(s)
	if len(s) > n {
		s = widgets.Truncate(s, n)
	}
	return strings.TrimSpace(s)
}

// shortState is a state and how far it is. Of a term that nobody listed it is the term
// that says something.
func shortState(j *jobs.Job) string {
	if j.State == jobs.Unknown && j.RawStatus != "" {
		return oneLine(j.RawStatus, 24)
	}
	text := string(j.State)
	if j.Saving() {
		text = "saving"
	} else if n := j.Unsaved(); n > 0 {
		text = fmt.Sprintf("%d not saved", n)
	}
	if p, ok := j.Done(); ok {
		text += " " + format.Percent(p)
	}
	return client.CleanLine(text)
}

// stateText is the state with the gateway's own term beside it, where that is another.
func stateText(j *jobs.Job) string {
	text := string(j.State)
	if j.Saving() {
		text += ", saving the files"
	}
	if j.RawStatus != "" && !strings.EqualFold(j.RawStatus, string(j.State)) {
		text += " (" + oneLine(j.RawStatus, 60) + ")"
	}
	return client.CleanLine(text)
}

func modelText(j *jobs.Job) string {
	if j.Draft.ModelName != "" {
		return client.CleanLine(j.Draft.Model + " " + j.Draft.ModelName)
	}
	return client.CleanLine(j.Draft.Model)
}

// modelCell is the model of a row, with the profile where there are several.
func (m *Model) modelCell(j *jobs.Job) string {
	if !m.jobs.mixed() || j.Profile == "" {
		return modelText(j)
	}
	return modelText(j) + " · " + client.CleanLine(j.Profile)
}

// shortID is the end of an id, which tells jobs of one moment apart.
func shortID(id string) string { return client.CleanLine(id[max(0, len(id)-8):]) }

// NextTick implements screen.WantTick: how long the ages in sight, and what is left, stay
// true, 0 when there are none.
func (m *Model) NextTick() time.Duration {
	now := m.deps.Now()
	return earlier(m.nextAge(now), m.nextForecast(now))
}

func (m *Model) nextAge(now time.Time) time.Duration {
	if m.hidden || !m.tableShows() || !m.gallery.on && m.table.ColumnWidth(colAge) == 0 {
		return 0
	}
	var soonest time.Duration
	first, n := m.sight()
	for i := first; i < min(m.jobs.len(), first+n); i++ {
		if d := format.NextChange(now.Sub(m.jobs.at(i).CreatedAt)); soonest == 0 || d < soonest {
			soonest = d
		}
	}
	if m.flow.Until.After(now) && (soonest == 0 || soonest > time.Second) {
		soonest = time.Second
	}
	return soonest
}
