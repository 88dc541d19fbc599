package chat

import (
	"encoding/json"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/kept"
	"darkroom/tui/talk"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/zone"
)

// gutter is the indent of texts below the line that says whose they are.
const gutter = 2

// sheet is a message laid out, as far as it was looked at: its head, its reasoning, its text and
// its foot, in blocks of lines.
type sheet struct {
	at   int // index of the message
	w    int
	ink  *inks
	beat int // of what it was made for, while the answer comes

	head, foot       [][]string
	text, reason     source
	showReason, wide bool // reasoning, and a message that was set aside, are unfolded
	folded           bool // it was set aside and shows its head only
}

// sheet is the sheet of a message, laid out for the width and the theme.
func (r *reader) sheet(i int) *sheet {
	for len(r.laid) <= i {
		r.laid = append(r.laid, nil)
	}
	s := r.laid[i]
	if s == nil {
		s = &sheet{at: i, showReason: r.reasoning}
		r.laid[i] = s
	}
	x := &r.messages()[i]
	w := r.w
	if s.w != w || s.ink != r.ink {
		s.w, s.ink = w, r.ink
		s.text.forget()
		s.reason.forget()
		s.head = nil
	}
	s.folded = x.Aside && !s.wide
	s.reason.quiet = true
	s.text.marks = x.Role == client.RoleAssistant
	if !s.folded {
		s.text.set(x.Text)
		s.reason.set(x.Reasoning)
	}
	beat := -1
	if x.State == kept.Arriving {
		beat = r.of.beat
	}
	if s.head == nil || s.beat != beat {
		s.beat = beat
		s.head, s.foot = s.headOf(x), r.footOf(x, s)
	}
	return s
}

// forget drops the layout, but not the result of scanning.
func (s *source) forget() {
	for i := range s.pieces {
		s.pieces[i].lines = nil
	}
}

// blocks is how many blocks there are.
func (s *sheet) blocks() int {
	if s.folded {
		return len(s.head)
	}
	n := len(s.head) + len(s.text.pieces) + len(s.foot)
	if s.reasons() {
		n += len(s.reason.pieces) + 1
	}
	return n
}

// reasons reports whether reasoning shows, with an empty line below it.
func (s *sheet) reasons() bool { return s.showReason && len(s.reason.pieces) > 0 }

// block is the b-th block as lines, each at most as wide as the window.
func (s *sheet) block(b int) []string {
	if b < len(s.head) {
		return s.head[b]
	}
	b -= len(s.head)
	if s.reasons() {
		switch n := len(s.reason.pieces); {
		case b < n:
			return s.laid(&s.reason, b)
		case b == n:
			return []string{""}
		default:
			b -= n + 1
		}
	}
	if b < len(s.text.pieces) {
		return s.laid(&s.text, b)
	}
	return s.foot[b-len(s.text.pieces)]
}

func (s *sheet) laid(src *source, b int) []string {
	p := &src.pieces[b]
	if p.lines != nil {
		return p.lines
	}
	lines := s.ink.layPiece(src, p, max(1, s.w-gutter))
	pad := strings.Repeat(" ", gutter)
	if src == &s.reason {
		pad = s.ink.border.Text("┊") + " "
	}
	for i, l := range lines {
		lines[i] = pad + l
	}
	if p.kind == fenceOpen && src == &s.text {
		id := "code:" + strconv.Itoa(s.at) + ":" + strconv.Itoa(b)
		lines[0] += " " + zone.Mark(id, s.ink.accent.Text("copy"))
	}
	p.lines = lines
	return lines
}

// headOf says whose message it is, and folds what is folded.
func (s *sheet) headOf(x *kept.Message) [][]string {
	k := s.ink
	who := k.accent.Text("❯ You")
	if x.Role == client.RoleAssistant {
		name := widgets.Truncate(client.CleanLine(x.Model), max(8, s.w-24))
		if name == "" {
			name = "Answer"
		}
		who = k.good.Text("● ") + k.strong.Text(name)
	}
	if !x.At.IsZero() {
		who += k.muted.Text("  " + human.Times{Now: x.At.Local()}.Clock(x.At))
	}
	if x.Aside {
		fold := "▸ "
		if s.wide {
			fold = "▾ "
		}
		line := k.muted.Text(fold) + who + k.muted.Text("  set aside, not sent any more")
		if s.folded {
			line += k.faint.Text("  " + talk.Title(x.Text+" "+x.Refusal))
		}
		return gap(s.at, []string{zone.Mark("aside:"+strconv.Itoa(s.at), widgets.Truncate(line, s.w))})
	}
	head := gap(s.at, []string{who})
	if x.Reasoning == "" {
		return head
	}
	fold := "▸ reasoning, " + human.Plural(len(strings.Fields(x.Reasoning)), "word")
	if s.showReason {
		fold = "▾ reasoning"
	}
	return append(head, []string{strings.Repeat(" ", gutter) + zone.Mark("reason:"+strconv.Itoa(s.at), k.muted.Text(fold))})
}

// gap puts an empty line between messages.
func gap(at int, head []string) [][]string {
	if at == 0 {
		return [][]string{head}
	}
	return [][]string{{""}, head}
}

// footOf is what stands below a text: a refusal, how it ended, what it cost.
func (r *reader) footOf(x *kept.Message, s *sheet) [][]string {
	k := s.ink
	w := max(1, s.w-gutter)
	var lines []string
	add := func(ink widgets.Ink, sign, text string) {
		if text == "" {
			return
		}
		lines = append(lines, prefix(wrap(ink.Text(text), max(1, w-2)), ink.Text(sign)+" ", "  ", widgets.Ink{})...)
	}
	if x.Refusal != "" {
		refusal := x.Refusal
		if len(refusal) > 64<<10 {
			refusal = strings.ToValidUTF8(refusal[:64<<10], "") + " …"
		}
		add(k.warn, "⊘", "the model refused:")
		for l := range strings.SplitSeq(client.Clean(refusal), "\n") {
			add(k.text, " ", l)
		}
	}
	switch x.State {
	case kept.Arriving:
		lines = append(lines, r.arriving(x))
	case kept.Stopped:
		add(k.warn, "■", client.CleanLine(x.Advice))
	case kept.Failed:
		add(k.bad, "✗", client.CleanLine(x.Error))
		add(k.muted, " ", client.CleanLine(x.Advice))
	}
	if strange := finishNote(x.Finish); strange != "" {
		add(k.warn, "⚠", strange)
	}
	if x.Role == client.RoleAssistant && x.State != kept.Arriving {
		add(k.muted, "·", facts(x))
	}
	pad := strings.Repeat(" ", gutter)
	var out [][]string
	for _, l := range lines {
		out = append(out, []string{pad + l})
	}
	return out
}

// beats are the signs that rotate while something arrives.
var beats = [...]string{"◐", "◓", "◑", "◒"}

func (r *reader) arriving(x *kept.Message) string {
	if !r.of.coming() {
		return r.ink.warn.Text("■ the console closed before the answer ended; what came is kept")
	}
	what := "waiting for the first word"
	if x.Text != "" {
		what = human.Bytes(int64(len(x.Text)))
	}
	if r.of.stopping {
		return r.ink.warn.Text("■ stopping …")
	}
	since := r.of.now().Sub(r.of.started)
	return r.ink.accent.Text(beats[r.of.beat%len(beats)]) + r.ink.muted.Text(" "+what+" · "+human.Clock(since)+" · "+r.stop+" stops")
}

// finishNote says what a finish_reason means for the person, "" for the usual one.
func finishNote(reason string) string {
	switch reason {
	case "length":
		return "cut off: the answer reached the model's length limit"
	case "content_filter":
		return "the content filter left something out"
	case "tool_calls", "function_call":
		return "the model asked for a tool, and the console has none"
	default:
		return ""
	}
}

// facts are the finish_reason, usage, time and request id of an answer.
func facts(x *kept.Message) string {
	var out []string
	if x.Finish != "" && x.Finish != "stop" { // the usual end says nothing
		out = append(out, widgets.Truncate(client.CleanLine(x.Finish), 40))
	}
	if u := usage(x.Usage); u != "" {
		out = append(out, u)
	}
	if x.Took > 0 {
		out = append(out, human.Dur(x.Took))
	}
	if x.RequestID != "" {
		out = append(out, "request id "+widgets.Truncate(client.CleanLine(x.RequestID), 80))
	}
	return strings.Join(out, " · ")
}

// usage says how many tokens were used, or what the gateway reported instead.
func usage(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var u struct {
		In    json.Number `json:"prompt_tokens"`
		Out   json.Number `json:"completion_tokens"`
		Total json.Number `json:"total_tokens"`
	}
	if json.Unmarshal(raw, &u) != nil || u.In == "" && u.Out == "" && u.Total == "" {
		return "usage " + widgets.Truncate(client.CleanLine(string(raw)), 80)
	}
	number := func(n json.Number) string { return widgets.Truncate(client.CleanLine(n.String()), 24) }
	var parts []string
	if u.In != "" {
		parts = append(parts, number(u.In)+" in")
	}
	if u.Out != "" {
		parts = append(parts, number(u.Out)+" out")
	}
	switch said := strings.Join(parts, ", "); {
	case u.Total == "":
		return "tokens " + said
	case said == "":
		return number(u.Total) + " tokens"
	default:
		return number(u.Total) + " tokens (" + said + ")"
	}
}
