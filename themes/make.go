package themes

import (
	"io"
	"strings"
	"sync"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Make builds the styles of a theme for one renderer; nil is one without colours, as tests use.
// Plain leaves out every colour and keeps bold, underline and reverse (which a renderer with the
// ASCII profile drops as well). The styles have no width, margin or padding, except buttons and
// tabs: layout is the widgets' work.
func Make(theme Theme, r *lipgloss.Renderer, plain bool) *Styles {
	if r == nil {
		r = lipgloss.NewRenderer(io.Discard)
		r.SetColorProfile(termenv.Ascii)
		plain = true
	}
	m := maker{r: r, p: theme.Palette, plain: plain, fill: theme.Fill}
	s := &Styles{
		Name: theme.Name, Dark: theme.Dark, Plain: plain, Fill: theme.Fill && !plain,
		Renderer: r, Palette: theme.Palette, derived: new(sync.Map),
	}
	m.text(s)
	m.shell(s)
	m.fields(s)
	m.rows(s)
	m.states(s)
	return s
}

// maker holds what the groups of styles are made from.
type maker struct {
	r           *lipgloss.Renderer
	p           Palette
	plain, fill bool
}

// fg is a style with a text colour, or none where there are no colours.
func (m maker) fg(hex string) lipgloss.Style {
	st := m.r.NewStyle()
	if m.plain {
		return st
	}
	return st.Foreground(lipgloss.Color(hex))
}

// on is a style with text and background colours; without colours it is reversed, so
// that what it marks still shows.
func (m maker) on(fg, bg string) lipgloss.Style {
	if m.plain {
		return m.r.NewStyle().Reverse(true)
	}
	return m.fg(fg).Background(lipgloss.Color(bg))
}

// base is the colour of ordinary text: the terminal's own, which fits the terminal's
// own background, unless the theme paints the background itself.
func (m maker) base() lipgloss.Style {
	if m.fill {
		return m.fg(m.p.Text)
	}
	return m.r.NewStyle()
}

func (m maker) text(s *Styles) {
	s.Text = m.base()
	s.Strong = m.base().Bold(true)
	s.Muted = m.fg(m.p.Muted)
	s.Faint = m.fg(m.p.Faint)
	s.Accent = m.fg(m.p.Accent)
	s.Good = m.fg(m.p.Good)
	s.Warn = m.fg(m.p.Warn)
	s.Bad = m.fg(m.p.Bad)
	s.Info = m.fg(m.p.Info)
	s.Code = m.fg(m.p.Info)
	s.Struck = m.fg(m.p.Faint).Strikethrough(true)
	s.Match = m.fg(m.p.Accent).Bold(true).Underline(true)

	s.JSONKey = m.fg(m.p.Key)
	s.JSONString = m.fg(m.p.String)
	s.JSONNumber = m.fg(m.p.Number)
	s.JSONWord = m.fg(m.p.Word)
	s.JSONPunct = m.fg(m.p.Faint)
}

func (m maker) shell(s *Styles) {
	s.TitleBar = m.fg(m.p.Muted)
	s.TitleName = m.fg(m.p.Accent).Bold(true)
	s.Tab = m.fg(m.p.Muted).Padding(0, 1)
	s.TabActive = m.on(m.p.Text, m.p.Selection).Bold(true).Padding(0, 1)
	s.HelpBar = m.fg(m.p.Faint)
	s.HelpKey = m.fg(m.p.Accent)
	s.HelpText = m.fg(m.p.Muted)

	s.Border = m.fg(m.p.Border)
	s.BorderFocus = m.fg(m.p.BorderFocus)
	s.BoxTitle = m.fg(m.p.Muted)
	s.BoxTitleFocus = m.fg(m.p.Accent).Bold(true)
	s.Dialog = m.base()
	s.DialogTitle = m.fg(m.p.Accent).Bold(true)
	s.Shade = m.fg(m.p.Border)
	if m.plain {
		s.Border = s.Border.Faint(true)
	}
	if m.plain || m.fill {
		s.Shade = s.Shade.Faint(true)
	}
}

// buttonContrast is what the face of a button needs against the background, to be seen as one.
const buttonContrast = 1.05

func (m maker) fields(s *Styles) {
	s.Label = m.fg(m.p.Muted)
	s.LabelFocus = m.fg(m.p.Accent).Bold(true)
	s.Value = m.base()
	s.Placeholder = m.fg(m.p.Faint).Italic(true)
	s.Option = m.fg(m.p.Muted)
	s.OptionActive = m.fg(m.p.Accent).Bold(true)
	s.Cursor = m.base().Reverse(true)
	s.Selection = m.on(m.p.Text, m.p.Selection)
	s.ButtonFocus = m.on(m.p.OnAccent, m.p.Accent).Bold(true).Padding(0, 1)
	s.Bracketed = m.plain || Contrast(m.p.Overlay, m.p.Background) < buttonContrast
	s.Button = m.fg(m.p.Text).Padding(0, 1)
	s.ButtonOff = m.fg(m.p.Faint).Padding(0, 1)
	if !m.plain {
		s.Button = s.Button.Background(lipgloss.Color(m.p.Overlay))
		s.ButtonOff = s.ButtonOff.Background(lipgloss.Color(m.p.Surface))
	}
}

func (m maker) rows(s *Styles) {
	s.Head = m.fg(m.p.Muted).Bold(true)
	s.Row = m.base()
	s.RowSelected = m.on(m.p.Text, m.p.Selection)
	s.RowMarked = m.fg(m.p.Accent)
}

func (m maker) states(s *Styles) {
	s.StateQueued = m.fg(m.p.Muted)
	s.StateRunning = m.fg(m.p.Info)
	s.StateDone = m.fg(m.p.Good)
	s.StateFailed = m.fg(m.p.Bad)
	s.StateUnknown = m.fg(m.p.Warn)
	s.StateAmbiguous = m.fg(m.p.Warn).Bold(true)

	s.ToastInfo = m.fg(m.p.Info)
	s.ToastGood = m.fg(m.p.Good)
	s.ToastWarn = m.fg(m.p.Warn)
	s.ToastBad = m.fg(m.p.Bad).Bold(true)
}

// reset is the sequence with which lipgloss ends a style.
const reset = "\x1b[0m"

// Backdrop paints the theme's background under a finished frame, or returns the frame unchanged if
// the theme leaves the background to the terminal. Cells with a background of their own keep it. No
// width changes.
func (s *Styles) Backdrop(frame string) string {
	if !s.Fill {
		return frame
	}
	sample := s.Renderer.NewStyle().
		Foreground(lipgloss.Color(s.Palette.Text)).
		Background(lipgloss.Color(s.Palette.Background)).Render("x")
	on, _, ok := strings.Cut(sample, "x")
	if !ok || on == "" {
		return frame
	}
	frame = strings.ReplaceAll(frame, reset, reset+on)
	return on + strings.ReplaceAll(frame, "\n", reset+"\n"+on) + reset
}
