// Package screen is the contract between the console's shell and its screens, and the
// few messages that they share. It is a leaf: it knows no screen and no shell.
package screen

import (
	"time"

	"github.com/charmbracelet/bubbles/help"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/themes"
	"darkroom/tui/widgets/zone"
)

// ID names a screen; it is stable, since bindings and the command line use it.
type ID string

// The screens of the console.
const (
	Compose  ID = "compose"
	Queue    ID = "queue"
	Compare  ID = "compare"
	Inspect  ID = "inspect"
	Chat     ID = "chat"
	Models   ID = "models"
	Settings ID = "settings"
)

// Screen is one page of the console. View is pure and returns exactly the size set by
// SetSize, without the shell's title and help lines. I/O happens in commands only.
type Screen interface {
	Init() tea.Cmd
	Update(tea.Msg) (Screen, tea.Cmd)
	View() string
	SetSize(width, height int)
	SetStyles(*themes.Styles)
	// KeyMap is shown in the help bar and in the help overlay.
	help.KeyMap
	// Actions are the actions that the palette offers now and that keys may be bound to.
	Actions() []Action
	// Capturing reports that a focused text field swallows global keys (digits, "?",
	// "q"); keys with ctrl or alt and function keys stay global.
	Capturing() bool
}

// TakesLetters is implemented by a screen in which a text can have the focus without being edited, as
// after esc: a letter then begins editing, and does not act as a key of the shell. Digits and
// punctuation do.
type TakesLetters interface{ TakesLetters() bool }

// TakesKeys is implemented by a screen that asks for a key: while it does, every key goes to it, and none
// to the shell.
type TakesKeys interface{ TakesKeys() bool }

// Unsaved is implemented by a screen that would lose something at quit.
type Unsaved interface {
	// Unsaved describes what would be lost, "" for nothing.
	Unsaved() string
}

// Flusher is implemented by a screen that keeps what is typed. The shell's owner calls Flush once
// the loop has ended, however it ended: it saves all unsaved work, and returns when that is on
// disk or has failed. No other method is called after it, but commands that the screen started
// earlier may still be running.
type Flusher interface {
	Flush() error
}

// Action is a named action: it appears in the palette and in the help, and its key can be rebound.
// ID is "screen.verb", as "queue.download".
type Action struct {
	ID    string
	Title string
	// Off says why the action is unavailable now, "" when it is available.
	Off string
}

// ActionMsg asks the active screen to do an action.
type ActionMsg struct{ ID string }

// ShownMsg tells a screen that it has become the visible one.
type ShownMsg struct{}

// HiddenMsg tells a screen that it is no longer the visible one, or that the console is about to
// end: it must save now whatever it would lose. A hidden screen still gets JobsMsg, and is not
// asked to draw.
type HiddenMsg struct{}

// AwayMsg tells the visible screen that the terminal has lost or regained the focus, where the
// terminal reports that: animations pause meanwhile.
type AwayMsg struct{ Away bool }

// OpenMsg asks the shell to show a screen and hands it a payload of this package.
type OpenMsg struct {
	Screen  ID
	Payload any // nil, ComposeDraft, ComposeResult, CompareDraft, JudgeRun, InspectID, ChatModel, ShowJob or ShowGroup
}

// SwitchMsg asks the console to show another profile, which is opened if it was not yet. Then is what
// is opened in it; its zero leaves it as it was.
type SwitchMsg struct {
	Profile string
	Then    OpenMsg
}

// Payloads of OpenMsg; the shell passes them on to the screen as messages.
type (
	// ComposeDraft fills the form. Where it names a job, the form shows what differs from that job.
	ComposeDraft kept.Draft
	// ComposeResult continues with the result of a job: As is reference, i2v, extend or edit. A
	// reference is added to the form as it stands; the others fill the form.
	ComposeResult struct{ JobID, As string }
	// CompareDraft takes a draft for comparison. Format is the format chosen for it, "" for none:
	// it is used for the models that it reaches.
	CompareDraft struct {
		Draft  client.Draft
		Format string
	}
	// JudgeRun begins the blind vote on the results of a run.
	JudgeRun struct{ Run string }
	// InspectID looks an id up at once.
	InspectID struct{ ID string }
	// ChatModel continues the conversation with another model.
	ChatModel struct{ Model string }
	// ShowJob selects a job of the history.
	ShowJob struct{ JobID string }
	// ShowGroup shows the jobs that were submitted together.
	ShowGroup struct{ Group string }
)

// ClickMsg is a press of the left button on a zone that the screen has marked. The
// shell finds the zone; X and Y are cells within it.
type ClickMsg = zone.Click

// WheelMsg is a turn of the wheel over a zone ("" outside of all): -1 up, +1 down.
type WheelMsg struct {
	Zone  string
	Delta int
}

// JobsMsg says that jobs have changed: ask the reader for changes. The shell sends it,
// at most 20 times a second.
type JobsMsg struct{}

// TickMsg comes at most once a second while the screen shows ages that change; a screen asks for
// it by implementing [WantTick].
type TickMsg struct{ Now time.Time }

// SettingsMsg says that the settings are others now.
type SettingsMsg struct{}

// ThemesMsg asks the shell for the choice of a theme, which all of the console shows.
type ThemesMsg struct{}

// Level grades a toast.
type Level int

// Levels of toasts.
const (
	Info Level = iota
	Good
	Warn
	Bad
)

// ToastMsg shows a short text for some seconds. Text is cleaned by the shell.
type ToastMsg struct {
	Level Level
	Text  string
}

// Toast is a command that shows a toast.
func Toast(l Level, text string) tea.Cmd {
	return func() tea.Msg { return ToastMsg{Level: l, Text: text} }
}

// Warned adds a warning toast to a command when there is a text to warn with.
func Warned(cmd tea.Cmd, text string) tea.Cmd {
	if text == "" {
		return cmd
	}
	return tea.Batch(cmd, Toast(Warn, text))
}

// UntoastMsg removes the toasts with a text that is no longer true.
type UntoastMsg struct{ Text string }

// Untoast is a command that removes a toast.
func Untoast(text string) tea.Cmd {
	return func() tea.Msg { return UntoastMsg{Text: text} }
}

// Open is a command that asks the shell for a screen.
func Open(id ID, payload any) tea.Cmd {
	return func() tea.Msg { return OpenMsg{Screen: id, Payload: payload} }
}

// WantTick is implemented by a screen that shows ages.
type WantTick interface {
	// NextTick is how long the ages shown stay true; 0 when none are shown.
	NextTick() time.Duration
}

// CopyMsg asks the shell to put text on the clipboard (OSC 52).
type CopyMsg struct{ Text, What string }

// EditMsg asks the shell to open text in the person's editor; the result comes back to
// the screen as EditedMsg with the same Tag.
type EditMsg struct{ Text, Suffix, Tag string }

// EditedMsg is the text after editing; Err is set when the editor failed and Text is
// then what it was before.
type EditedMsg struct {
	Text, Tag string
	Err       error
}

// OpenFileMsg asks the shell to open a file on disk with the desktop's program for it.
type OpenFileMsg struct{ Path string }
