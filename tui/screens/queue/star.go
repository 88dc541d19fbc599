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

// starred puts the star before a text about a job.
func starred(j *jobs.Job, text string) string {
	if j.Starred() {
		return starSign + " " + text
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
