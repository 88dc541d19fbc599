package queue

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
)

// star stars the picked jobs, or where all of them are starred takes the stars away.
func (m *Model) star() tea.Cmd {
	ids := m.picked()
	add, remove, what := []string{jobs.Star}, []string(nil), "starred"
	all := true
	for _, id := range ids {
		j := m.jobs.get(id)
		all = all && j != nil && j.Starred()
	}
	if all {
		add, remove, what = remove, add, "took the star from"
	}
	if !m.zoom.on {
		clear(m.marked)
	}
	return each(what, ids, func(ctx context.Context, id string) error {
		return m.deps.Jobs.Tag(ctx, id, add, remove)
	})
}

// warnSign stands before what a person is to look at.
const warnSign = "⚠"

// signed puts the star, and the sign of warnings, before a text about a job.
func signed(j *jobs.Job, text string) string {
	if len(j.Warnings) > 0 {
		text = warnSign + " " + text
	}
	if j.Starred() {
		text = starSign + " " + text
	}
	return text
}

// tagsText are a person's tags in words, the star first.
func tagsText(j *jobs.Job) string {
	text := ""
	if j.Starred() {
		text = starSign
	}
	for _, t := range j.PlainTags() {
		if text != "" {
			text += " "
		}
		text += client.CleanLine(t)
	}
	return text
}
