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
	Compose ID = "compose"
	Queue   ID = "queue"
	Compare ID = "compare"
	Inspect ID = "inspect"
	Chat    ID = "chat"
	Models  ID = "models"
)

// Screen is one page of the console. View is pure and returns exactly the size set by
// SetSize, without the shell's title and help lines. I/O happens in commands only.
type Screen interface {
	Init() tea.Cmd
	Update(tea.Msg) (Screen, tea.Cmd)
	View() string
	SetSize(width, height int)
	SetStyles(*themes.Styles)
	// KeyMap is what the help bar and the help overlay show.
	help.KeyMap
	// Actions are what the palette offers now and what keys may be bound to.
	Actions() []Action
	// Capturing reports that a focused text field swallows global keys (digits, "?",
	// "q"); keys with ctrl or alt and function keys stay global.
	Capturing() bool
}

// TakesLetters is implemented by a screen in which a text can be marked without being written
// in, as after esc: a letter begins writing there, and so is no key of the shell. Digits and
// signs are.
type TakesLetters interface{ TakesLetters() bool }

// Unsaved is implemented by a screen that would lose something at quit.
type Unsaved interface {
	// Unsaved tells a person what would be lost, "" for nothing.
	Unsaved() string
}

// Flusher is implemented by a screen that keeps what is typed. The shell's owner calls
// Flush once the loop has ended, however it ended: it saves what is not saved yet, and
// returns when that is on the disk or has failed. No other method is called after it,
// but commands of the screen that had begun may still be running.
type Flusher interface {
	Flush() error
}

// Action is something that can be done, with a name: it stands in the palette and in
// the help, and has a key that can be rebound. ID is "screen.verb", as "queue.download".
type Action struct {
	ID    string
	Title string
	// Off says why it cannot be done now, "" when it can.
	Off string
}

// ActionMsg asks the active screen to do an action.
type ActionMsg struct{ ID string }

// ShownMsg tells a screen that it has become the visible one.
type ShownMsg struct{}

// HiddenMsg tells a screen that it is no longer the visible one, or that the console
// is about to end: what it would lose is to be saved now. A hidden screen still gets
// JobsMsg, and is not asked to draw.
type HiddenMsg struct{}

// AwayMsg tells the screen that shows that the terminal has lost the focus, or got it back, where
// the terminal reports that: animations wait meanwhile.
type AwayMsg struct{ Away bool }

// OpenMsg asks the shell to show a screen and hands it a payload of this package.
type OpenMsg struct {
	Screen  ID
	Payload any // nil, ComposeDraft, ComposeResult, CompareDraft, InspectID, ChatModel, ShowJob or ShowGroup
}

// Payloads of OpenMsg; the shell passes them on to the screen as messages.
type (
	// ComposeDraft fills the form. Where it names a job, what is changed of that one shows.
	ComposeDraft kept.Draft
	// ComposeResult goes on with the result of a job: As is reference, i2v, extend or edit. A
	// reference goes into the form as it is, the others fill it.
	ComposeResult struct{ JobID, As string }
	// CompareDraft takes a draft as the one to compare. Format is the one that was chosen
	// for it, "" for none: models that it reaches are sent it that way.
	CompareDraft struct {
		Draft  client.Draft
		Format string
	}
	// InspectID looks an id up at once.
	InspectID struct{ ID string }
	// ChatModel has the conversation go on with a model.
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

// TickMsg comes at most once a second while the screen shows ages that change; a screen
// asks for it by [WantTick].
type TickMsg struct{ Now time.Time }

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

// Warned is a command that warns, too, where there is a text to warn with.
func Warned(cmd tea.Cmd, text string) tea.Cmd {
	if text == "" {
		return cmd
	}
	return tea.Batch(cmd, Toast(Warn, text))
}

// UntoastMsg removes the toasts of a text that is no longer true.
type UntoastMsg struct{ Text string }

// Untoast is a command that takes a toast away.
func Untoast(text string) tea.Cmd {
	return func() tea.Msg { return UntoastMsg{Text: text} }
}

// Open is a command that asks the shell for a screen.
func Open(id ID, payload any) tea.Cmd {
	return func() tea.Msg { return OpenMsg{Screen: id, Payload: payload} }
}

// WantTick is implemented by a screen that shows ages.
type WantTick interface {
	// NextTick is how long what is shown stays true; 0 when nothing shown ages.
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
