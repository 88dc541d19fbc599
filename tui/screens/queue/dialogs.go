package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/filter"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/bulk"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/dialogs/export"
	"darkroom/tui/dialogs/notes"
	"darkroom/tui/screens/queue/internal/inks"
)

// The subjects of dialogs, which come back with their answers.
type (
	dropping  struct{ ids []string }
	rejecting struct{ ids []string }
	resending struct{ id string }
	sending   struct{ id string } // its files
	insisting struct{ id, taskID string }
	adopting  struct{ id string }
	tagging   struct{ ids []string }
	remarking struct{ ids []string }
	pausing   struct{} // a host
)

// answer handles the answer of a dialog.
func (m *Model) answer(a any) tea.Cmd {
	d := m.deps.Jobs
	switch a := a.(type) {
	case ask.Agreed:
		switch on := a.About.(type) {
		case removing:
			return m.list.views.Remove(on.name)
		case dropping:
			return m.bulk(deed{act: jobs.ActDrop, ids: on.ids, did: "dropped", verb: "Drop", asked: true, do: d.Drop})
		case rejecting:
			return reject(m, on.ids)
		case resending:
			return resend(d, m.list.jobs.Get(on.id))
		case sending:
			return each("sent with its files:", []string{on.id}, d.SendFiles)
		case insisting:
			return adopt(d, on.id, on.taskID)
		}
	case choose.Picked:
		if _, ok := a.For.(opening); ok {
			if !a.OK {
				return nil
			}
			return m.do(a.ID)
		}
		return takeSort(m, a)
	case export.Chosen:
		return m.export(a)
	case bulk.Done:
		clear(m.list.jobs.marked)
	case ask.Typed:
		switch on := a.About.(type) {
		case keeping:
			return m.list.views.Save(filter.View{Name: strings.TrimSpace(a.Text), Filter: on.filter})
		case renaming:
			return m.list.views.Rename(on.view, strings.TrimSpace(a.Text))
		case adopting:
			return adoptKnown(d, m.list.jobs.Get(on.id), on.id, strings.TrimSpace(a.Text))
		case tagging:
			add, remove := notes.SplitTags(a.Text)
			return m.bulk(deed{ids: on.ids, did: "tagged", verb: "Tag", asked: true,
				do: func(ctx context.Context, id string) error { return d.Tag(ctx, id, add, remove) }})
		case remarking:
			return m.bulk(deed{ids: on.ids, did: "remarked on", verb: "Remark on", asked: true,
				do: func(ctx context.Context, id string) error { return d.Remark(ctx, id, a.Text) }})
		case pausing:
			host := cleanHost(a.Text)
			return setPause(d, host, !m.scene.Flow.PausedHost(host))
		}
	}
	return nil
}

func askDrop(m *Model) tea.Cmd {
	ids := m.list.able(jobs.ActDrop)
	tracked, ambiguous := 0, 0
	for _, id := range ids {
		switch j := m.list.jobs.Get(id); {
		case j.State == jobs.Ambiguous:
			ambiguous++
			tracked++
		case j.State.Active():
			tracked++
		}
	}
	paid := ""
	if slices.ContainsFunc(ids, func(id string) bool { return jobs.Billed(m.list.jobs.Get(id).Profile) }) {
		paid = ", and is billed"
	}
	title, text, button := "Drop "+human.Plural(len(ids), "job")+"?", "Darkroom stops following it. The gateway cannot cancel: the task goes on there"+paid+".", "Drop"
	if ambiguous > 0 && ambiguous == tracked {
		text = "Darkroom stops asking what became of it. If the gateway made the task, it goes on there" + paid + "."
	}
	if tracked == 0 {
		title, text, button = "Stop the download?", "What is saved already stays. "+m.keys.Keys(actDownload)+" downloads the rest later.", "Stop"
	}
	if len(ids) == 1 {
		text = about(ids[0], m.list.jobs.Get(ids[0])) + "\n" + text
	}
	return m.stack.Open(ask.Decide(title, text, "Keep", button, dropping{ids}))
}

func askResend(m *Model) tea.Cmd {
	j := m.list.job()
	text := "The gateway refused it, so nothing was made. It goes out as a new job."
	if j.State == jobs.Ambiguous {
		text = "The gateway may have accepted this job. If it did, sending it again makes it twice."
		if jobs.Billed(j.Profile) {
			text = strings.TrimSuffix(text, ".") + ", and it is billed twice."
		}
	}
	if j.Foreign {
		text += "\n" + filesText(j)
	}
	return m.stack.Open(ask.Decide("Send again?", about(j.ID, j)+"\n"+text, "Leave it", "Send again", resending{j.ID}))
}

// filesQuestion asks whether to send a job of another installation with the files found at its
// paths on this machine.
func filesQuestion(j *jobs.Job) *ask.Decision {
	return ask.Decide("Send with local files?", about(j.ID, j)+"\n"+filesText(j), "Leave it", "Send the files", sending{j.ID})
}

// filesText names the files on this machine that a job of another installation would send.
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
		text += "\n" + inks.OneLine(path, 200)
	}
	return text
}

// insistQuestion asks whether to adopt an id that the gateway does not confirm.
func insistQuestion(msg adoptMsg, j *jobs.Job) *ask.Decision {
	title := "The gateway cannot tell. Adopt it?"
	if errors.Is(msg.err, jobs.ErrUnknownTask) {
		title = "The gateway does not know it. Adopt it?"
	}
	return ask.Decide(title, about(msg.id, j)+"\n"+client.CleanLine(msg.err.Error()), "Leave it", "Adopt it anyway", insisting{msg.id, msg.taskID})
}

func askAdopt(m *Model) tea.Cmd {
	return m.stack.Open(ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "Adopt a task", Hint: "The task is followed from then on.", Button: "Adopt"},
		Prompt: "task id: ", Placeholder: "as the gateway or its support gave it", Subject: about(m.list.current, m.list.job()), About: adopting{m.list.current},
		Check: func(text string) string {
			if err := client.CheckTaskID(strings.TrimSpace(text)); err != nil {
				return err.Error()
			}
			return ""
		},
	}))
}

func askTags(m *Model) tea.Cmd {
	ids := m.list.picked()
	return m.stack.Open(notes.Tags(m.list.subject(ids), tagging{ids}))
}

// askRemark asks for the remark on the picked jobs. Of several it begins with none, and replaces what
// is there.
func askRemark(m *Model) tea.Cmd {
	ids := m.list.picked()
	o := ask.Options{
		Look:   ask.Look{Title: "Remark", Hint: "The filter finds it. Left empty, it is removed.", Button: "Keep"},
		Prompt: "remark: ", Placeholder: "what to remember about it", Subject: m.list.subject(ids), About: remarking{ids},
	}
	if len(ids) == 1 {
		if j := m.list.jobs.Get(ids[0]); j != nil {
			o.Text = j.Remark
		}
	} else {
		o.Hint = "It replaces theirs. Leave it empty to remove theirs."
	}
	return m.stack.Open(ask.ForLine(o))
}

// hostWidth is roughly the room for paused hosts in the dialog, in cells.
const hostWidth = 44

// askHost asks which host to pause or resume. It offers a paused one, that of the job under the
// cursor first; or else the host that the next work on that job goes to.
func askHost(m *Model) tea.Cmd {
	subject, host := "Nothing goes to it, for anyone who shares the history.", m.deps.Host
	if j := m.list.job(); j != nil {
		host = jobs.NextHost(*j, m.deps.Host)
	}
	if paused := strings.Fields(m.scene.Flow.Hosts); len(paused) > 0 {
		subject = "Paused now: " + inks.OneLine(strings.Join(paused, ", "), hostWidth)
		if !slices.Contains(paused, host) {
			host = paused[0]
		}
	}
	scene := &m.scene
	return m.stack.Open(ask.ForLine(ask.Options{
		Prompt: "host: ", Placeholder: "cdn.example.com", Subject: subject, Text: host, Check: checkHost, About: pausing{},
		LookOf: func(text string) ask.Look {
			if scene.Flow.PausedHost(cleanHost(text)) {
				return ask.Look{Title: "Resume a host", Hint: "It is paused. What waits for it then runs one after another.", Button: "Go on"}
			}
			return ask.Look{Title: "Pause a host", Hint: "The gateway's, or one that files come from, with its port.", Button: "Pause"}
		},
	}))
}

// cleanHost is a host as pauses spell it.
func cleanHost(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

func checkHost(text string) string {
	host := cleanHost(text)
	if err := jobs.CheckHost(host); err != nil || host == "" {
		return "type a host name, with its port if it has one"
	}
	return ""
}
