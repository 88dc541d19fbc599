package themes

import (
	"sync"

	"github.com/charmbracelet/lipgloss"
)

// Styles are the console's styles: made once from a theme for one renderer, and handed to
// everything that draws. They name roles, not looks: a screen says what a text is.
type Styles struct {
	// Name is the theme's name; Dark says for which background it was made.
	Name string
	Dark bool
	// Plain says that no colour may be used (NO_COLOR, --plain, a dumb terminal); marks
	// that colour alone would carry need a sign as well.
	Plain bool
	// Fill says that the theme paints its background; see [Styles.Backdrop].
	Fill bool
	// Renderer makes further styles, as for a preview.
	Renderer *lipgloss.Renderer
	// Palette holds the theme's colours, for code that draws cells itself.
	Palette Palette

	// Text, by weight.
	Text, Strong, Muted, Faint lipgloss.Style
	// Text, by meaning.
	Accent, Good, Warn, Bad, Info lipgloss.Style
	// Links, ids and other things to copy.
	Code lipgloss.Style
	// Struck is a value that no longer applies.
	Struck lipgloss.Style
	// Match is the part of a text that a search found.
	Match lipgloss.Style

	// The shell.
	TitleBar, TitleName, Tab, TabActive, HelpBar, HelpKey, HelpText lipgloss.Style

	// Boxes: Border and Title of a pane, and of the one with the focus.
	Border, BorderFocus, BoxTitle, BoxTitleFocus lipgloss.Style
	// Dialog and its shade over the frame below.
	Dialog, DialogTitle, Shade lipgloss.Style

	// Fields of a form.
	Label, LabelFocus, Value, Placeholder, Option, OptionActive lipgloss.Style
	// Cursor is the cell of a text cursor; Selection marks chosen text.
	Cursor, Selection              lipgloss.Style
	Button, ButtonFocus, ButtonOff lipgloss.Style
	// Bracketed says that buttons need brackets: their colours do not tell them from the background.
	Bracketed bool

	// Rows of a table.
	Head, Row, RowSelected, RowMarked lipgloss.Style

	// JSON.
	JSONKey, JSONString, JSONNumber, JSONWord, JSONPunct lipgloss.Style

	// States of jobs.
	StateQueued, StateRunning, StateDone, StateFailed, StateUnknown, StateAmbiguous lipgloss.Style

	// Toasts by level.
	ToastInfo, ToastGood, ToastWarn, ToastBad lipgloss.Style

	derived *sync.Map // see Derived
}

// Palette holds a theme's colours as "#rrggbb".
type Palette struct {
	Background  string `yaml:"background" json:"background"`
	Surface     string `yaml:"surface" json:"surface"`
	Overlay     string `yaml:"overlay" json:"overlay"`
	Text        string `yaml:"text" json:"text"`
	Muted       string `yaml:"muted" json:"muted"`
	Faint       string `yaml:"faint" json:"faint"`
	Accent      string `yaml:"accent" json:"accent"`
	Good        string `yaml:"good" json:"good"`
	Warn        string `yaml:"warn" json:"warn"`
	Bad         string `yaml:"bad" json:"bad"`
	Info        string `yaml:"info" json:"info"`
	Border      string `yaml:"border" json:"border"`
	BorderFocus string `yaml:"border-focus" json:"border-focus"`
	Selection   string `yaml:"selection" json:"selection"`
	OnAccent    string `yaml:"on-accent" json:"on-accent"`
	Key         string `yaml:"key" json:"key"`
	String      string `yaml:"string" json:"string"`
	Number      string `yaml:"number" json:"number"`
	Word        string `yaml:"word" json:"word"`
}
