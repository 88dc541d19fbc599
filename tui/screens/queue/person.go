package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/widgets/format"
)

// asking is how a question for a text looks.
type asking struct{ title, prompt, placeholder, hint, button string }

func (m *Model) asked() asking {
	switch m.dialog.question {
	case askTags:
		return asking{"Tags", "tags: ", "kept good -bad", "A word is a tag; with - before it, it is taken away.", "Tag"}
	case askRemark:
		return asking{"Remark", "remark: ", "what is to be known of it", "It is found by the filter. An empty one is taken away.", "Keep"}
	case askHost:
		return m.askedHost()
	default:
		return asking{"Adopt a task", "task id: ", "as the gateway or its support gave it", "The task is followed from then on.", "Adopt"}
	}
}

// ask opens the line for the answer, with a text in it.
func (m *Model) ask(text string) tea.Cmd {
	d, a := &m.dialog, m.asked()
	d.wrong = ""
	d.id.Prompt, d.id.Placeholder = a.prompt, a.placeholder
	d.id.SetValue(client.CleanLine(text))
	d.id.CursorEnd()
	m.layout()
	return d.id.Focus()
}

func (m *Model) askTags() tea.Cmd {
	d := &m.dialog
	d.question, d.targets = askTags, m.picked()
	d.about = m.about(d.targets[0])
	if n := len(d.targets); n > 1 {
		d.about = count(n)
	}
	return m.ask("")
}

func (m *Model) askRemark() tea.Cmd {
	d := &m.dialog
	d.question, d.targets, d.about = askRemark, []string{m.current}, m.about(m.current)
	return m.ask(m.job().Remark)
}

// typed ends a question for a text, unless the text cannot be an answer.
func (m *Model) typed() tea.Cmd {
	d := &m.dialog
	switch d.question {
	case askTags:
		return m.tagged()
	case askRemark:
		targets, text := d.targets, d.id.Value()
		m.closeDialog()
		return each("remarked on", targets, func(ctx context.Context, id string) error {
			return m.deps.Jobs.Remark(ctx, id, text)
		})
	case askHost:
		return m.pauseHost()
	default:
		return m.adopted()
	}
}

func (m *Model) tagged() tea.Cmd {
	d := &m.dialog
	add, remove := splitTags(d.id.Value())
	_, err := jobs.CleanTags(slices.Concat(add, remove))
	if err == nil && len(add)+len(remove) == 0 {
		err = fmt.Errorf("type a tag, or -tag to take one away")
	}
	if err != nil {
		d.wrong = client.CleanLine(err.Error())
		return nil
	}
	targets := d.targets
	m.closeDialog()
	clear(m.marked)
	return each("tagged", targets, func(ctx context.Context, id string) error {
		return m.deps.Jobs.Tag(ctx, id, add, remove)
	})
}

// splitTags reads "+a -b c, d": what has a minus before it is taken away.
func splitTags(text string) (add, remove []string) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		if rest, ok := strings.CutPrefix(w, "-"); ok {
			if rest != "" {
				remove = append(remove, rest)
			}
		} else if w = strings.TrimPrefix(w, "+"); w != "" {
			add = append(add, w)
		}
	}
	return add, remove
}

// exchangeLines are the last requests about a job, newest first.
func (m *Model) exchangeLines(all []jobs.Exchange, w int) []string {
	if len(all) == 0 {
		return nil
	}
	zone := m.deps.Now().Location()
	out := []string{"", m.ink.muted.Text("Last requests")}
	for i := len(all) - 1; i >= 0; i-- {
		x := &all[i]
		text := fmt.Sprintf("%s %d %s", x.Kind, x.HTTPStatus, format.Dur(x.Latency))
		if x.HTTPStatus == 0 {
			text = x.Kind + " " + format.Dur(x.Latency)
		}
		for _, s := range []string{x.RawStatus, x.Path, x.RequestID} {
			if s != "" {
				text += " · " + s
			}
		}
		ink := m.ink.text
		if x.Error != "" {
			ink = m.ink.bad
			text += " · " + x.Error
		}
		head := m.ink.muted.Text(x.At.In(zone).Format("15:04:05.000")) + " "
		out = append(out, head+ink.Text(oneLine(text, max(8, w-stampWidth))))
	}
	return out
}
