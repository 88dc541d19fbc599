package library

import (
	"cmp"
	"time"

	"github.com/google/uuid"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/client/kept"
)

// Talks keeps Compose's questions to a chat model as conversations, which Chat lists.
type Talks struct {
	chats *Chats
	now   func() time.Time
}

// Talks keeps them among these conversations.
func (c *Chats) Talks(now func() time.Time) Talks { return Talks{c, now} }

// Keep implements the Talks of the dialog that improves prompts.
func (k Talks) Keep(t improve.Talk) (string, error) {
	if t.ID == "" {
		id, err := uuid.NewV7()
		if err != nil {
			return "", err
		}
		t.ID = id.String()
	}
	a := kept.Message{Role: client.RoleAssistant, Text: t.Answer.Text, At: t.At, State: t.State,
		Model: cmp.Or(t.Answer.Model, t.Model), Reasoning: t.Answer.Reasoning, Refusal: t.Answer.Refusal, Finish: t.Answer.Finish,
		Usage: t.Answer.Usage, RequestID: t.Answer.Meta.RequestID, Took: t.Took, Error: t.Error, Advice: t.Advice}
	c := kept.Conversation{ID: t.ID, Created: t.At, Updated: k.now(), Title: t.Title, Model: t.Model, System: t.System, Count: 2,
		Messages: []kept.Message{{Role: client.RoleUser, Text: t.Asked, At: t.At}, a}}
	return k.chats.Save(c)
}
