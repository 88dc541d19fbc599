package paint

import (
	"bytes"
	"image/color"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"darkroom/tui/paint/internal/input"
)

// Ask is a set of things to ask the terminal after the first paint. Nothing
// waits for the answers; one that never comes costs nothing.
type Ask uint

// The questions, and the message that answers each. How pictures can be shown is asked if
// [Options].Pictures wants some, and answered by [PicturesMsg].
const (
	AskBackground Ask = 1 << iota // BackgroundMsg
	AskVersion                    // VersionMsg
	askPictures
	askKitty
)

// BackgroundMsg is the terminal's background colour.
type BackgroundMsg struct {
	Color color.Color
	Dark  bool // its luminance is below one half
}

// VersionMsg is the terminal's name and version as it tells them, made
// printable: "kitty(0.35.2)", "XTerm(379)", "tmux 3.3a".
type VersionMsg struct{ Name string }

// kittyQuery asks whether kitty's protocol is spoken; its id marks the answer.
const (
	kittyQueryID = "31"
	kittyQuery   = "\x1b_Gi=" + kittyQueryID + ",s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
)

// queries returns what to send. The device attributes come last: every terminal answers them, and
// answers in order, so that their answer ends the wait.
func queries(ask Ask) string {
	if ask == 0 {
		return ""
	}
	var b strings.Builder
	if ask&AskBackground != 0 {
		b.WriteString("\x1b]11;?\x1b\\")
	}
	if ask&(AskVersion|askPictures) != 0 {
		b.WriteString("\x1b[>q")
	}
	if ask&askPictures != 0 {
		b.WriteString("\x1b[16t\x1b[?1;1;0S")
	}
	if ask&askKitty != 0 {
		b.WriteString(kittyQuery)
	}
	b.WriteString("\x1b[c")
	return b.String()
}

// answer returns the message for a reply, nil for one that nobody waits for.
func answer(r input.Reply) tea.Msg {
	switch r.Kind {
	case '[':
		return control(string(r.Body))
	case ']':
		return background(string(r.Body))
	case 'P':
		return version(r.Body)
	case '_':
		body := string(r.Body)
		if strings.HasPrefix(body, "Gi="+kittyQueryID) && strings.HasSuffix(body, ";OK") {
			return kittyOK{}
		}
	}
	return nil
}

func control(body string) tea.Msg {
	switch {
	case body == "I":
		return tea.FocusMsg{}
	case body == "O":
		return tea.BlurMsg{}
	case strings.HasPrefix(body, "?") && strings.HasSuffix(body, "c"):
		var f fence
		for _, p := range strings.Split(body[1:len(body)-1], ";") {
			f.sixel = f.sixel || p == "4"
		}
		return f
	case strings.HasPrefix(body, "?1;0;") && strings.HasSuffix(body, "S"):
		if n, err := strconv.Atoi(body[len("?1;0;") : len(body)-1]); err == nil && n > 1 && n < 1<<16 {
			return registers(n)
		}
	case strings.HasPrefix(body, "6;") && strings.HasSuffix(body, "t"):
		parts := strings.Split(body[:len(body)-1], ";")
		if len(parts) != 3 {
			return nil
		}
		height, errH := strconv.Atoi(parts[1])
		width, errW := strconv.Atoi(parts[2])
		if errH == nil && errW == nil && min(height, width) > 0 && max(height, width) < 1<<12 {
			return cellSize{X: width, Y: height}
		}
	}
	return nil
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
