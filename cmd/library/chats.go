package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"darkroom/client"
	"darkroom/client/kept"
	"darkroom/cmd/config"
)

// Chats keeps conversations, one per file. It remembers each file's mark as last read or written
// here: a file with another mark was written by somebody else, and is not overwritten.
type Chats struct {
	dir string
	now func() time.Time

	mu   sync.Mutex
	seen map[string]string // mark by id
}

// OpenChats are the conversations in a folder, which need not exist.
func OpenChats(dir string) *Chats {
	return &Chats{dir: dir, now: time.Now, seen: make(map[string]string)}
}

const chatSuffix = ".json"

// path is a conversation's file. An id that is not a UUID is an error.
func (c *Chats) path(id string) (string, error) {
	if _, err := uuid.Parse(id); err != nil || len(id) != 36 {
		return "", fmt.Errorf("%q is not the id of a conversation", client.CleanLine(id))
	}
	return filepath.Join(c.dir, id+chatSuffix), nil
}

// List implements chat.Store. Files that cannot be read as conversations are set aside.
func (c *Chats) List() ([]kept.Conversation, error) {
	entries, err := os.ReadDir(c.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var (
		out  []kept.Conversation
		errs []error
	)
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), chatSuffix)
		path, err := c.path(id)
		if !ok || err != nil || !e.Type().IsRegular() {
			continue
		}
		head, err := readHead(path)
		switch {
		case err == nil:
			head.ID = id
			out = append(out, head.Conversation)
		case !errors.Is(err, fs.ErrNotExist): // somebody else deleted it
			errs = append(errs, c.setAside(path, err))
		}
	}
	slices.SortFunc(out, func(a, b kept.Conversation) int {
		if n := b.Updated.Compare(a.Updated); n != 0 {
			return n
		}
		return strings.Compare(b.ID, a.ID)
	})
	return out, errors.Join(errs...)
}

// Load implements chat.Store.
func (c *Chats) Load(id string) (kept.Conversation, error) {
	path, err := c.path(id)
	if err != nil {
		return kept.Conversation{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	f, err := os.Open(path)
	if err != nil {
		return kept.Conversation{}, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return kept.Conversation{}, err
	}
	if info.Size() > maxChat {
		return kept.Conversation{}, fmt.Errorf("%s has %d bytes; at most %d are read", path, info.Size(), maxChat)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxChat))
	if err != nil {
		return kept.Conversation{}, err
	}
	file, err := decodeChat(b)
	if err != nil {
		return kept.Conversation{}, c.setAside(path, err)
	}
	file.ID = id
	c.seen[id] = file.Mark
	return file.Conversation, nil
}

// Save implements chat.Store.
func (c *Chats) Save(conv kept.Conversation) (string, error) {
	path, err := c.path(conv.ID)
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	unlock, err := c.lock()
	if err != nil {
		return conv.ID, config.Unwritable(path, "written", err)
	}
	defer unlock()
	mark, err := uuid.NewV7()
	if err != nil {
		return conv.ID, err
	}
	if c.changed(conv.ID, path) {
		conv.ID = mark.String() // a UUID that nobody has
		if path, err = c.path(conv.ID); err != nil {
			return conv.ID, err
		}
	}
	if conv.Messages == nil {
		conv.Messages = []kept.Message{}
	}
	b, err := json.Marshal(chatFile{Version: chatVersion, Mark: mark.String(), Conversation: conv})
	if err != nil {
		return conv.ID, err
	}
	if err := config.WritePrivate(path, append(b, '\n')); err != nil {
		return conv.ID, err
	}
	c.seen[conv.ID] = mark.String()
	return conv.ID, nil
}

// Delete implements chat.Store.
func (c *Chats) Delete(id string) error {
	path, err := c.path(id)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	unlock, err := c.lock()
	if err != nil {
		return config.Unwritable(path, "removed", err)
	}
	defer unlock()
	if c.changed(id, path) {
		return errors.New("another console has changed this conversation since: open it again to see what it is now")
	}
	delete(c.seen, id)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return config.Unwritable(path, "removed", err)
	}
	return nil
}

// changed reports whether a file differs from the one read or written here. A file that is gone
// can be written again: nothing is lost by it. The caller holds mu.
func (c *Chats) changed(id, path string) bool {
	head, err := readHead(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	was, ok := c.seen[id]
	return err != nil || !ok || was != head.Mark
}

// lock keeps other consoles from writing between the check of a file and its write.
func (c *Chats) lock() (func(), error) { return config.Lock(filepath.Join(c.dir, ".lock")) }

// setAside renames a file that is no conversation, so that nothing overwrites it, and says so. A
// file of a newer version stays.
func (c *Chats) setAside(path string, why error) error {
	var newer newerError
	if errors.As(why, &newer) || !errors.As(why, new(brokenError)) {
		return fmt.Errorf("the conversation in %s was not read: %w", path, why)
	}
	to := path + ".broken-" + c.now().UTC().Format("20060102T150405.000000000")
	if err := os.Rename(path, to); err != nil {
		return fmt.Errorf("the conversation in %s cannot be read: %w", path, errors.Join(why, err))
	}
	return fmt.Errorf("a conversation could not be read (%w); its file was set aside as %s", why, to)
}
