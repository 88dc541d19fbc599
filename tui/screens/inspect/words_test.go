package inspect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/jobs"
)

func TestAnswerInWordsOfAJob(t *testing.T) {
	b := start(t, 120, 34)
	j := aJob()
	j.TaskID, j.Format, j.QueryFormat = "", "chat", "chat"
	j.Draft = client.Draft{Modality: client.Chat, Model: "any-model", Prompt: "what is a salt flat?"}
	b.h.jobs, b.h.answer = []jobs.Job{j}, []byte(`{"choices":[{"message":{"content":"x"}}]}`)
	b.h.text = "A salt flat is 塩の平原,\x1b[2J dry\u202e and " + strings.Repeat("very ", 300) + "FLAT"
	b.ask(j.ID)
	view := b.View()
	assert.Contains(t, view, "A salt flat is 塩の平原,")
	assert.Contains(t, view, "completed, without a task")
	assert.NotContains(t, view, "\x1b[2J")
	assert.Contains(t, strings.Join(b.m.factLines(50), "\n"), "FLAT", "all of it, however long")
	b.h.text = ""
	b.ask("vid_404")
	assert.NotContains(t, b.View(), "A salt flat", "another id has no such answer")
}

func TestAnswerInWordsOfATask(t *testing.T) {
	b := start(t, 80, 24)
	r := completed()
	r.Task.Text = "made as you wished"
	b.gw.answers["responses"] = r
	b.ask("resp_1")
	assert.Contains(t, b.View(), "made as you wished")
}
