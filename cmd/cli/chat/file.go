package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// maxConversation bounds a file of messages, in bytes.
const maxConversation = 64 << 20

// conversation is what has been said, and the file that keeps it, "" for none. Texts are as they
// came.
type conversation struct {
	messages []client.ChatMessage
	file     string
}

// setSystem puts the system message at the front, replacing an earlier one there; "" removes it.
func (c *conversation) setSystem(text string) {
	if len(c.messages) > 0 && c.messages[0].Role == client.RoleSystem {
		c.messages = c.messages[1:]
	}
	if text != "" {
		c.messages = slices.Concat([]client.ChatMessage{{Role: client.RoleSystem, Content: text}}, c.messages)
	}
}

// system is the system message at the front, "" for none.
func (c *conversation) system() string {
	if len(c.messages) > 0 && c.messages[0].Role == client.RoleSystem {
		return c.messages[0].Content
	}
	return ""
}

// with is the conversation plus one message; c is unchanged.
func (c *conversation) with(role, text string) []client.ChatMessage {
	return append(slices.Clip(slices.Clone(c.messages)), client.ChatMessage{Role: role, Content: text})
}

// keep adds a message and its answer, and writes the file if there is one.
func (c *conversation) keep(text, answer string) error {
	c.messages = c.with(client.RoleUser, text)
	c.messages = c.with(client.RoleAssistant, answer)
	if c.file == "" {
		return nil
	}
	return writeConversation(c.file, c.messages)
}

// writeConversation writes messages as an indented JSON array that only its owner may read. A reader
// of the file sees the old messages or the new ones.
func writeConversation(file string, all []client.ChatMessage) error {
	if all == nil {
		all = []client.ChatMessage{}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	if err := config.WritePrivate(file, b.Bytes()); err != nil {
		return fmt.Errorf("the conversation is not written: %w", err)
	}
	return nil
}

// readConversation reads the messages in a file; a missing or empty file has none.
func readConversation(file string) (*conversation, error) {
	c := &conversation{file: file}
	if file == "" {
		return c, nil
	}
	b, err := kit.ReadFileNamed("--conversation", file, maxConversation)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	if c.messages, err = parseConversation(b); err != nil {
		return nil, kit.Usage("%s: %w", kit.ShownFile("--conversation", file), err)
	}
	return c, nil
}

// parseConversation reads a JSON array of {role, content}, both texts. It is strict: what it does not
// know would be lost when the file is rewritten.
func parseConversation(b []byte) ([]client.ChatMessage, error) {
	if len(bytes.TrimSpace(b)) == 0 {
		return nil, nil
	}
	if _, err := client.ParseJSON(string(b)); err != nil {
		return nil, errors.New(client.CleanLine(err.Error()))
	}
	var items []json.RawMessage
	if err := json.Unmarshal(b, &items); err != nil || items == nil {
		return nil, errors.New("it is not a list of messages, as [{\"role\": \"user\", \"content\": \"…\"}]")
	}
	out := make([]client.ChatMessage, 0, len(items))
	for i, raw := range items {
		var m struct {
			Role    *string `json:"role"`
			Content *string `json:"content"`
		}
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&m); err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("message %d: role and content, both texts, are all it may have: %s", i+1, client.CleanLine(err.Error()))
		}
		if m.Role == nil || m.Content == nil {
			return nil, fmt.Errorf("message %d: role and content are needed", i+1)
		}
		if !slices.Contains([]string{client.RoleSystem, client.RoleUser, client.RoleAssistant}, *m.Role) {
			return nil, fmt.Errorf("message %d: role %q: allowed are system, user, assistant", i+1, kit.FirstLine(*m.Role, 40))
		}
		out = append(out, client.ChatMessage{Role: *m.Role, Content: *m.Content})
	}
	return out, nil
}

// mayWrite refuses to write messages over a file that holds something else.
func mayWrite(file string) error {
	b, err := kit.ReadFileNamed("", file, maxConversation)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		_, err = parseConversation(b)
	}
	if err != nil {
		return fmt.Errorf("%s is there and holds no conversation (%w): it is left alone", client.CleanLine(file), err)
	}
	return nil
}
