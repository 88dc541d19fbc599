package screen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/themes"
)

// Dialog lies over a screen and has the keys while it is open. It knows no screen: it is made of
// plain values, does I/O in commands only, and answers with a type of its own package. It embeds
// [Base], which has the methods that a plain dialog need not write. Only its [Stack] calls its
// methods. It may implement [TakesLetters] and [Unsaved] as a screen does.
type Dialog interface {
	// Init is called once, when the dialog has its size and styles.
	Init() tea.Cmd
	// Update takes a key, a paste, a ClickMsg or a WheelMsg when the dialog is on top, an ActionMsg
	// for one of its Actions, the answer of a dialog that it opened, and, wherever it lies, all
	// other messages of the screen: it ignores those that are not its own.
	Update(tea.Msg) tea.Cmd
	// View draws the box, no larger than the size.
	View() string
	// SetSize passes the size of the screen.
	SetSize(w, h int)
	SetStyles(*themes.Styles)
	// Scope is the scope of the dialog's keys and actions, and names the dialog; "" for a dialog
	// without any.
	Scope() string
	// Actions are the actions that the palette and the keys offer while the dialog is on top.
	Actions() []Action
	// ShortHelp is the help shown in the bottom line.
	ShortHelp() []key.Binding
	// Capturing means the same as for a screen.
	Capturing() bool
	// Closed is called once, after the dialog has left the stack.
	Closed()

	based
}

// Addressed is implemented by a message of a dialog's command whose outcome must be reported even
// when the dialog has closed meanwhile.
type Addressed interface {
	// To is the only dialog that gets the message.
	To() Dialog
	// Missed is called instead when that dialog is no longer open.
	Missed() tea.Cmd
}

// based is implemented by whatever embeds a [Base].
type based interface{ base() *Base }

var _ based = (*Base)(nil)

// Keeper is implemented by a dialog that may hold something irreplaceable.
type Keeper interface {
	// Keep reports that [Stack.Clear] leaves it open.
	Keep() bool
}

// OwnKeys is implemented by a dialog that at times takes a key itself, as a letter of a text, even
// though the key is bound to an action of its scope.
type OwnKeys interface{ OwnKey(tea.KeyMsg) bool }

// Base is the part of a dialog that its stack reads. Close, Answer and Open take effect when the
// method that calls them has returned.
type Base struct {
	W, H   int // the screen's size
	Styles *themes.Styles

	closed  bool
	answers []any
	opened  []Dialog
}

// Close takes the dialog and the dialogs that it opened off the stack.
func (b *Base) Close() { b.closed = true }

// Answer hands a value of the dialog's package to the opener of the dialog, at once. A dialog that
// also closes is closed first.
func (b *Base) Answer(a any) { b.answers = append(b.answers, a) }

// Open puts a dialog on top; its answers come back to Update.
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
