package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"darkroom/client"
	"darkroom/client/kept"
)

// chatVersion is the version of the files; a file of a newer version is left alone.
const chatVersion = 1

// maxChat bounds the file of a conversation, in bytes.
const maxChat = 256 << 20

// chatFile is a conversation on disk. What lists show comes before the messages, so a list need
// not read those.
type chatFile struct {
	Version int `json:"version"`
	// Mark is new with every write.
	Mark string `json:"mark,omitempty"`
	kept.Conversation
}

// newerError is a file version that this program does not know.
type newerError int

// Error implements error.
func (v newerError) Error() string {
	return fmt.Sprintf("it is of version %d, and this console knows %d", int(v), chatVersion)
}

// brokenError says why a file's content is no conversation.
type brokenError struct{ error }

// Unwrap gives the cause.
func (b brokenError) Unwrap() error { return b.error }

func decodeChat(b []byte) (chatFile, error) {
	var f chatFile
	if err := json.Unmarshal(b, &f); err != nil {
		if v := versionOf(b); v > chatVersion {
			return chatFile{}, newerError(v)
		}
		return chatFile{}, brokenError{err}
	}
	switch {
	case f.Version > chatVersion:
		return chatFile{}, newerError(f.Version)
	case f.Version < 1:
		return chatFile{}, brokenError{errors.New("it has no version")}
	}
	for i := range f.Messages {
		if r := f.Messages[i].Role; r != client.RoleUser && r != client.RoleAssistant {
			return chatFile{}, brokenError{fmt.Errorf("message %d has the role %q", i+1, client.CleanLine(r))}
		}
	}
	return f, nil
}

func versionOf(b []byte) int {
	var v struct {
		Version int `json:"version"`
	}
	if json.Unmarshal(b, &v) != nil {
		return 0
	}
	return v.Version
}

// readHead reads a conversation up to its messages.
func readHead(path string) (chatFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return chatFile{}, err
	}
	defer func() { _ = f.Close() }()
	return decodeHead(f)
}

// decodeHead reads the members of the object before the messages.
func decodeHead(r io.Reader) (chatFile, error) {
	d := json.NewDecoder(io.LimitReader(r, maxChat))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return chatFile{}, brokenError{fmt.Errorf("it does not begin as a conversation: %w", orEmpty(err))}
	}
	head := map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return chatFile{}, brokenError{err}
		}
		name, _ := t.(string)
		if name == "messages" {
			break
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return chatFile{}, brokenError{err}
		}
		head[name] = v
	}
	b, err := json.Marshal(head)
	if err != nil {
		return chatFile{}, brokenError{err}
	}
	return decodeChat(b)
}

func orEmpty(err error) error {
	if err == nil {
		return errors.New("not an object")
	}
	return err
}
