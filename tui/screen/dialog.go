package screen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
)

// Dialog is what lies over a screen and has the keys as long as it does. It knows no screen: it
// is made of plain values, does I/O in commands only, and answers by a type of its own package.
// It embeds [Base], which has the methods that a plain dialog need not write. Only its [Stack]
// calls its methods. It may implement [TakesLetters] and [Unsaved] as a screen does.
type Dialog interface {
	// Init is called once, when the dialog has its size and styles.
	Init() tea.Cmd
	// Update takes a key, a paste, a ClickMsg or a WheelMsg when the dialog is on the top, an
	// ActionMsg of its Actions, the answer of a dialog that it opened, and, wherever it lies, all
	// other messages of the screen: it ignores what is not its own.
	Update(tea.Msg) tea.Cmd
	// View is the box, no larger than the size.
	View() string
	// SetSize tells the screen's size.
	SetSize(w, h int)
	SetStyles(*themes.Styles)
	// Scope is that of its keys and actions, and names the dialog; "" for one that has neither.
	Scope() string
	// Actions are what the palette offers and keys do while it is on the top.
	Actions() []Action
	// ShortHelp is what the line at the bottom shows.
	ShortHelp() []key.Binding
	// Capturing is as a screen's.
	Capturing() bool
	// Closed is called once, when the dialog has been taken from the stack.
	Closed()

	based
}

// Addressed is implemented by a message of a dialog's command, where something is to be said even
// when the dialog has closed meanwhile.
type Addressed interface {
	// To is the dialog, which alone gets the message.
	To() Dialog
	// Missed is done in its place when it is not open any more.
	Missed() tea.Cmd
}

// based is what embeds a [Base].
type based interface{ base() *Base }

var _ based = (*Base)(nil)

// Keeper is implemented by a dialog that may hold what cannot be had again.
type Keeper interface {
	// Keep reports that [Stack.Clear] leaves it open.
	Keep() bool
}

// OwnKeys is implemented by a dialog that takes a key itself at times, as a letter of a text, though
// an action of its scope has it.
type OwnKeys interface{ OwnKey(tea.KeyMsg) bool }

// Base is the part of a dialog that its stack reads. What a dialog says by Close, Answer and Open
// happens when the method of it that runs has returned.
type Base struct {
	W, H   int // the screen's size
	Styles *themes.Styles

	closed  bool
	answers []any
	opened  []Dialog
}

// Close takes the dialog from the stack, with the dialogs that it opened.
func (b *Base) Close() { b.closed = true }

// Answer hands a value of the dialog's package to whoever opened the dialog, at once. A dialog
// that also closes is closed before.
func (b *Base) Answer(a any) { b.answers = append(b.answers, a) }

// Open puts a dialog on the top, whose answers come back to Update.
func (b *Base) Open(d Dialog) { b.opened = append(b.opened, d) }

// Init implements Dialog.
func (b *Base) Init() tea.Cmd { return nil }

// SetSize implements Dialog.
func (b *Base) SetSize(w, h int) { b.W, b.H = w, h }

// SetStyles implements Dialog.
func (b *Base) SetStyles(st *themes.Styles) { b.Styles = st }

// Scope implements Dialog.
func (b *Base) Scope() string { return "" }

// Actions implements Dialog.
func (b *Base) Actions() []Action { return nil }

// ShortHelp implements Dialog.
func (b *Base) ShortHelp() []key.Binding { return nil }

// Capturing implements Dialog: most dialogs are typed into, or answered by letters.
func (b *Base) Capturing() bool { return true }

// Closed implements Dialog.
func (b *Base) Closed() {}

func (b *Base) base() *Base { return b }
