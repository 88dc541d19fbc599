package app

import (
	"cmp"
	"time"

	"github.com/google/uuid"

	"darkroom/client"
	"darkroom/client/improve"
	"darkroom/tui/screens/chat"
)

// talks keeps what Compose asks a chat model as conversations, which Chat lists.
type talks struct {
	chats *chats
	now   func() time.Time
}

// Keep implements the Talks of the dialog that improves prompts.
func (k talks) Keep(t improve.Talk) (string, error) {
	if t.ID == "" {
		id, err := uuid.NewV7()
		if err != nil {
			return "", err
		}
		t.ID = id.String()
	}
	a := chat.Message{Role: client.RoleAssistant, Text: t.Answer.Text, At: t.At, State: chat.State(t.State),
		Model: cmp.Or(t.Answer.Model, t.Model), Reasoning: t.Answer.Reasoning, Refusal: t.Answer.Refusal, Finish: t.Answer.Finish,
		Usage: t.Answer.Usage, RequestID: t.Answer.Meta.RequestID, Took: t.Took, Error: t.Error, Advice: t.Advice}
	c := chat.Conversation{ID: t.ID, Created: t.At, Updated: k.now(), Model: t.Model, System: t.System, Count: 2,
		Messages: []chat.Message{{Role: client.RoleUser, Text: t.Asked, At: t.At}, a}}
	c.Title = c.Named()
	return k.chats.Save(c)
}
