package queue

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/jobs"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/confirm"
)

// Answers of the dialogs, which are the zones of their buttons, too.
const (
	no  = "no"
	yes = "yes"
)

const dialogWidth = 64

func (m *Model) askDrop() {
	d := &m.dialog
	d.question, d.targets = askDrop, m.able("queue.drop")
	tracked, ambiguous := 0, 0
	for _, id := range d.targets {
		switch j := m.jobs.get(id); {
		case j.State == jobs.Ambiguous:
			ambiguous++
			tracked++
		case j.State.Active():
			tracked++
		}
	}
	title, text, button := "Drop "+count(len(d.targets))+"?", "Darkroom stops following. The gateway has no cancel and is not told: the task goes on there, and is billed.", "Drop"
	if ambiguous > 0 && ambiguous == tracked {
		text = "Darkroom asks no more what became of it. If the gateway made the task, it goes on there, and is billed."
	}
	if tracked == 0 {
		title, text, button = "Stop the download?", "What is saved already stays. d downloads the rest later.", "Stop"
		text = strings.Replace(text, "d ", m.deps.Keys.Keys("queue.download")+" ", 1)
	}
	if len(d.targets) == 1 {
		text = m.about(d.targets[0]) + "\n" + text
	}
	d.confirm = confirm.New(title, text, no, confirm.Button{ID: no, Label: "Keep", Key: "n"}, confirm.Button{ID: yes, Label: button, Key: "y"})
}

func (m *Model) askResend() {
	d := &m.dialog
	d.question, d.targets = askResend, []string{m.current}
	text := "The gateway refused it, so nothing was made. It goes out as a new job."
	if m.job().State == jobs.Ambiguous {
		text = "The gateway may have accepted this create. If it did, sending it again makes it twice, and it is billed twice."
	}
	if m.job().Foreign {
		text += "\n" + filesText(m.job())
	}
	d.confirm = confirm.New("Send again?", m.about(m.current)+"\n"+text, no,
		confirm.Button{ID: no, Label: "Leave it", Key: "n"}, confirm.Button{ID: yes, Label: "Send again", Key: "y"})
}

// askFiles asks whether a job of another installation is sent with the files that lie at its
// paths here.
func (m *Model) askFiles(id string) {
	d := &m.dialog
	d.question, d.targets = askFiles, []string{id}
	d.confirm = confirm.New("Send with local files?", m.about(id)+"\n"+filesText(m.jobs.get(id)), no,
		confirm.Button{ID: no, Label: "Leave it", Key: "n"}, confirm.Button{ID: yes, Label: "Send the files", Key: "y"})
}

// filesText names the files of this machine that a job of another installation would send.
func filesText(j *jobs.Job) string {
	text := "Another installation made it. From here it uploads what lies on this machine at:"
	files := j.Draft.LocalFiles()
	for i, f := range files {
		if i == 6 {
			return text + fmt.Sprintf("\nand %d more", len(files)-i)
		}
		path := f.Path()
		if path == "" {
			path = f.Ref
		}
		text += "\n" + oneLine(path, 200)
	}
	return text
}

// about names a job as people know it.
func (m *Model) about(id string) string {
	s := "Job " + shortID(id)
	if j := m.jobs.get(id); j != nil {
		s += ", " + modelText(j)
		if p := oneLine(j.Draft.Prompt, 40); p != "" {
			s += ": " + p
		}
	}
	return s
}

func (m *Model) closeDialog() {
	m.dialog.question, m.dialog.targets = noQuestion, nil
	m.dialog.id.Blur()
}

// answer ends the open question; "" is no answer yet.
func (m *Model) answer(id string) tea.Cmd {
	if id == "" {
		return nil
	}
	q, targets := m.dialog.question, m.dialog.targets
	if q.typed() && id == yes {
		return m.typed()
	}
	m.closeDialog()
	if id != yes {
		return nil
	}
	switch q {
	case askDrop:
		clear(m.marked)
		return each("dropped", targets, m.deps.Jobs.Drop)
	case askResend:
		return resend(m.deps.Jobs, m.jobs.get(targets[0]))
	case askFiles:
		return each("sent with its files:", targets, m.deps.Jobs.SendFiles)
	case askInsist:
		return adopt(m.deps.Jobs, targets[0], m.dialog.taskID)
	}
	return nil
}

func (m *Model) typedKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		return m.answer(no)
	case "enter":
		return m.answer(yes)
	}
	m.dialog.wrong = ""
	var cmd tea.Cmd
	m.dialog.id, cmd = m.dialog.id.Update(cleanKey(msg))
	return cmd
}

// dialogView draws the open question.
func (m *Model) dialogView() string {
	d := &m.dialog
	w := min(m.w-2, dialogWidth)
	if !d.question.typed() {
		return d.confirm.View(m.st, w, m.h)
	}
	iw, _ := widgets.Inner(w, 7)
	if iw <= 0 {
		return ""
	}
	a := m.asked()
	hint := m.ink.muted.Text(a.hint)
	if d.wrong != "" {
		hint = m.ink.bad.Text(d.wrong)
	}
	buttons := widgets.Button(m.st, no, "Leave it", false, false) + "  " + widgets.Button(m.st, yes, a.button, true, false)
	lines := []string{widgets.Line(d.about, iw), widgets.Line(d.id.View(), iw), widgets.Line(hint, iw), "", widgets.PadLeft(buttons, iw)}
	return widgets.Box(m.st, a.title, "", strings.Join(lines, "\n"), w, min(m.h, 7), true)
}
