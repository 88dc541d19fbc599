package chat

import (
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/tui/talk"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/overlay"
	"darkroom/tui/widgets/zone"
)

// View implements screen.Screen.
func (m *Model) View() string {
	if !m.fresh {
		m.frame, m.fresh = m.draw(), true
	}
	return m.frame
}

func (m *Model) draw() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	rows := m.topView()
	in := m.inputView()
	h := m.h - len(rows) - len(in)
	if h > 0 {
		rows = append(rows, m.middle(h))
	}
	frame := widgets.Fit(strings.Join(append(rows, in...), "\n"), m.w, m.h)
	if m.dialog.kind != noDialog {
		frame, _ = zone.Scan(frame) // nothing below a dialog can be hit
		frame = overlay.Dialog(m.st, frame, m.dialog.view(m.st, max(2, min(m.w-2, 84)), max(3, min(m.h-2, 20))))
	}
	return frame
}

// boxed reports whether there is room for borders.
func (m *Model) boxed() bool { return m.h >= 9 && m.w >= 24 }

// fieldWidth is the width of the text in the field with the focus.
func (m *Model) fieldWidth() int {
	switch m.focus {
	case modelPane:
		return m.modelWidth()
	case systemPane:
		return max(4, min(m.w-systemLabel, measure))
	default:
		return m.inputWidth()
	}
}

// inputWidth is the width of the message being typed.
func (m *Model) inputWidth() int {
	w := m.w - 2
	if m.boxed() {
		w, _ = widgets.Inner(m.w, 3)
	}
	return max(4, min(w, measure))
}

const systemLabel = 9 // " System  "

// modelWidth is the room of the model's name.
func (m *Model) modelWidth() int { return max(4, min(m.w-18, 44)) }

// topView is the model, and the system prompt: one line unless it is being edited.
func (m *Model) topView() []string {
	k := m.ink
	label := func(text string, p pane) string {
		if m.focus == p {
			return k.accent.Text("›") + k.on.Text(text)
		}
		return " " + k.label.Text(text)
	}
	w := m.modelWidth()
	name := m.model.Lines(m.paper, "type a name, or choose one", m.focus == modelPane, w, 1)[0]
	if m.focus != modelPane && m.model.Len() > 0 {
		w = min(w, max(12, widgets.Width(client.CleanLine(m.model.Value()))))
		name = widgets.Line(k.value.Text(client.CleanLine(m.model.Value())), w)
	}
	line := zone.Mark("model:", label("Model", modelPane)+"  "+name) + " " + zone.Mark("btn:"+actModel, k.accent.Text("▾ ")+k.muted.Text(m.commands.Key(actModel)))
	if m.focus == systemPane {
		h := max(1, min(min(m.system.Rows(m.fieldWidth()), 6), m.h/3))
		rows := []string{widgets.Line(line, m.w)}
		for i, l := range m.system.Lines(m.paper, "what to tell the model first; empty for nothing", true, m.fieldWidth(), h) {
			head := strings.Repeat(" ", systemLabel)
			if i == 0 {
				head = label("System", systemPane) + "  "
			}
			rows = append(rows, head+zone.Mark("system:"+strconv.Itoa(i), l))
		}
		return rows
	}
	sys := k.hint.Text("none")
	if s := m.system.Value(); strings.TrimSpace(s) != "" {
		sys = k.text.Text(talk.Title(s))
	}
	sys = zone.Mark("btn:"+actSystem, label("System", systemPane)+"  "+sys)
	if m.w >= 90 {
		used := widgets.Width(line)
		return []string{line + "  " + widgets.Line(sys, max(1, m.w-used-2))}
	}
	if m.h < 14 {
		return []string{widgets.Line(line, m.w)}
	}
	return []string{widgets.Line(line, m.w), widgets.Line(sys, m.w)}
}

// middle is the conversation, or what to do if there is none.
func (m *Model) middle(h int) string {
	w := m.w
	if !m.boxed() || m.h < 14 {
		return m.content(w, h)
	}
	title := "New conversation"
	if t := titleOf(&m.talk.conv); len(m.talk.conv.Messages) > 0 && t != "" {
		title = t
	}
	iw, ih := widgets.Inner(w, h)
	return widgets.BoxFooter(m.st, title, m.status(), m.read.position(), m.content(iw, ih), w, h, m.focus == talkPane)
}

// status says how much there is, and whether it is on the disk.
func (m *Model) status() string {
	if len(m.talk.conv.Messages) == 0 {
		return ""
	}
	s := messages(len(m.talk.conv.Messages))
	switch {
	case m.keep.writer == nil:
		s += " · not kept"
	case m.keep.failed:
		s += " · ⚠ not saved"
	}
	return s
}

func (m *Model) content(w, h int) string {
	if len(m.talk.conv.Messages) > 0 {
		return m.read.view(m.st, w, h)
	}
	lines := m.hints(w)
	if m.loading {
		lines = []string{m.ink.muted.Text("reading the last conversation …")}
	}
	for i, l := range lines {
		lines[i] = zone.Mark("talk", widgets.Line(l, w))
	}
	return widgets.Fit(strings.Join(lines, "\n"), w, h)
}

// hints say what to do with an empty conversation.
func (m *Model) hints(w int) []string {
	var out []string
	say := func(id, what string) {
		if key := m.commands.Key(id); key != "" {
			out = append(out, wrap(m.ink.accent.Text(widgets.Pad(key, 9))+"  "+m.ink.muted.Text(what), w)...)
		}
	}
	if strings.TrimSpace(m.model.Value()) == "" {
		out = append(out, wrap(m.ink.text.Text("Name a model, write below, and send it."), w)...)
	} else {
		out = append(out, wrap(m.ink.text.Text("Write below, and send it."), w)...)
	}
	out = append(out, "")
	say(actModel, "choose a model from the gateway's list")
	say(actSend, "send")
	say(actNewline, "new line")
	say(actSystem, "the system prompt")
	if len(m.list) > 0 {
		say(actConversations, "one of the "+keptOnes(len(m.list)))
	}
	say(actToCompose, "then: use the answer as a prompt in Compose")
	return out
}

func keptOnes(n int) string {
	if n == 1 {
		return "saved conversations (1)"
	}
	return human.Count(n) + " saved conversations"
}

// inputRows is how many lines the message being typed takes.
func (m *Model) inputRows() int {
	return max(1, min(m.input.Rows(m.inputWidth()), max(1, m.h/4), 10))
}

func (m *Model) inputView() []string {
	focus := m.focus == inputPane
	h := m.inputRows()
	w := m.inputWidth()
	hint := "write a message"
	lines := m.input.Lines(m.paper, hint, focus, w, h)
	for i, l := range lines {
		lines[i] = zone.Mark("input:"+strconv.Itoa(i), l)
	}
	if !m.boxed() {
		for i := range lines {
			lines[i] = m.ink.accent.Text("❯ ") + lines[i]
		}
		return lines
	}
	k := m.commands
	note := k.Key(actSend) + " sends · " + k.Key(actNewline) + " new line"
	if m.talk.coming() {
		note = k.Key(actStop) + " stops the answer"
	}
	count := ""
	if n := m.input.Len(); n > 0 {
		count = human.Count(n)
	}
	return strings.Split(widgets.BoxFooter(m.st, "Message", note, count, strings.Join(lines, "\n"), m.w, h+2, focus), "\n")
}
