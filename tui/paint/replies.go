package paint

import (
	"bytes"
	"image/color"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Ask is a set of things to ask the terminal after the first paint. Nothing
// waits for the answers; one that never comes costs nothing.
type Ask uint

// The questions, and the message that answers each.
const (
	AskBackground Ask = 1 << iota // BackgroundMsg
	AskVersion                    // VersionMsg
	AskCellSize                   // CellSizeMsg
	AskGraphics                   // GraphicsMsg
)

// BackgroundMsg is the terminal's background colour.
type BackgroundMsg struct {
	Color color.Color
	Dark  bool // its luminance is below one half
}

// VersionMsg is the terminal's name and version as it tells them, made
// printable: "kitty(0.35.2)", "XTerm(379)", "tmux 3.3a".
type VersionMsg struct{ Name string }

// CellSizeMsg is the size of one cell in pixels, both above zero.
type CellSizeMsg struct{ Width, Height int }

// GraphicsMsg says which graphics protocols the terminal says it speaks.
type GraphicsMsg struct{ Kitty, Sixel bool }

// kittyQueryID marks the graphics query, so that its answer is known.
const kittyQueryID = "31"

// queries is what to send. The device attributes come last: every terminal
// answers them, and answers in order, so that their answer ends the wait.
func queries(ask Ask) string {
	if ask == 0 {
		return ""
	}
	var b strings.Builder
	if ask&AskBackground != 0 {
		b.WriteString("\x1b]11;?\x1b\\")
	}
	if ask&AskVersion != 0 {
		b.WriteString("\x1b[>q")
	}
	if ask&AskCellSize != 0 {
		b.WriteString("\x1b[16t")
	}
	if ask&AskGraphics != 0 {
		b.WriteString("\x1b_Gi=" + kittyQueryID + ",s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\")
	}
	b.WriteString("\x1b[c")
	return b.String()
}

// answers turns replies into messages. kitty is remembered until the device
// attributes come.
type answers struct{ kitty bool }

// message returns the message for a reply, nil for one that nobody waits for.
// fence says whether it was the answer that ends the round.
func (a *answers) message(r reply) (msg tea.Msg, fence bool) {
	switch r.kind {
	case '[':
		return a.control(string(r.body))
	case ']':
		return background(string(r.body)), false
	case 'P':
		return version(r.body), false
	case '_':
		body := string(r.body)
		if strings.HasPrefix(body, "Gi="+kittyQueryID) && strings.HasSuffix(body, ";OK") {
			a.kitty = true
		}
	}
	return nil, false
}

func (a *answers) control(body string) (tea.Msg, bool) {
	switch {
	case body == "I":
		return tea.FocusMsg{}, false
	case body == "O":
		return tea.BlurMsg{}, false
	case strings.HasPrefix(body, "?") && strings.HasSuffix(body, "c"):
		g := GraphicsMsg{Kitty: a.kitty}
		for _, p := range strings.Split(body[1:len(body)-1], ";") {
			g.Sixel = g.Sixel || p == "4"
		}
		return g, true
	case strings.HasPrefix(body, "6;") && strings.HasSuffix(body, "t"):
		parts := strings.Split(body[:len(body)-1], ";")
		if len(parts) != 3 {
			return nil, false
		}
		height, errH := strconv.Atoi(parts[1])
		width, errW := strconv.Atoi(parts[2])
		if errH == nil && errW == nil && min(height, width) > 0 && max(height, width) < 1<<12 {
			return CellSizeMsg{Width: width, Height: height}, false
		}
	}
	return nil, false
}

func background(body string) tea.Msg {
	spec, ok := strings.CutPrefix(body, "11;")
	if !ok {
		return nil
	}
	c := ansi.XParseColor(spec)
	if c == nil {
		return nil
	}
	r, g, b, _ := c.RGBA()
	luma := 299*r + 587*g + 114*b // Rec. 601, in thousandths of 16 bits
	return BackgroundMsg{Color: c, Dark: luma < 500*0xffff}
}

func version(body []byte) tea.Msg {
	name, ok := bytes.CutPrefix(body, []byte(">|"))
	if !ok {
		return nil
	}
	return VersionMsg{Name: printable(string(name))}
}
