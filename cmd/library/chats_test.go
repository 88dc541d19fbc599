package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/kept"
)

const chatID = "0197f000-0000-7000-8000-000000000001"

func aChat(texts ...string) kept.Conversation {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := kept.Conversation{ID: chatID, Created: at, Updated: at, Title: "a kite", Model: "m", System: "Be brief.", Draft: "unsent", Count: len(texts), Messages: []kept.Message{}}
	for i, t := range texts {
		role := client.RoleUser
		if i%2 == 1 {
			role = client.RoleAssistant
		}
		c.Messages = append(c.Messages, kept.Message{Role: role, Text: t, At: at})
	}
	return c
}

func TestChatsAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "chats")
	s := OpenChats(dir)
	list, err := s.List()
	require.NoError(t, err)
	assert.Empty(t, list, "no folder is nothing kept")
	c := aChat("hi", "h\x1b[2J\u202eo ```\n世")
	c.Messages[1].Usage = []byte(`{"total_tokens":9007199254740993}`)
	id, err := s.Save(c)
	require.NoError(t, err)
	assert.Equal(t, chatID, id)
	got, err := OpenChats(dir).Load(id)
	require.NoError(t, err)
	assert.Equal(t, c, got)
	list, err = s.List()
	require.NoError(t, err)
	require.Len(t, list, 1)
	head := c
	head.Messages = nil
	assert.Equal(t, head, list[0])

	info, err := os.Stat(filepath.Join(dir, chatID+".json"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	info, err = os.Stat(dir)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	require.NoError(t, s.Delete(id))
	require.NoError(t, s.Delete(id), "it is gone already")
	_, err = s.Load(id)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = s.Save(c)
	require.NoError(t, err, "what is deleted can be kept again")
}

func TestChatsAreListedNewestFirst(t *testing.T) {
	s := OpenChats(t.TempDir())
	for i, day := range []int{2, 3, 1} {
		c := aChat("x")
		c.ID = fmt.Sprintf("0197f000-0000-7000-8000-00000000000%d", i)
		c.Updated = time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC)
		_, err := s.Save(c)
		require.NoError(t, err)
	}
	list, err := s.List()
	require.NoError(t, err)
	var days []int
	for _, c := range list {
		days = append(days, c.Updated.Day())
	}
	assert.Equal(t, []int{3, 2, 1}, days)
}

func TestTwoConsolesDoNotOverwriteEachOther(t *testing.T) {
	dir := t.TempDir()
	one, two := OpenChats(dir), OpenChats(dir)
	_, err := one.Save(aChat("hi", "from one"))
	require.NoError(t, err)
	mine, err := two.Load(chatID)
	require.NoError(t, err)
	_, err = one.Save(aChat("hi", "from one", "more"))
	require.NoError(t, err)
	require.ErrorContains(t, two.Delete(chatID), "another console")
	mine.Draft = "from two"
	id, err := two.Save(mine)
	require.NoError(t, err)
	assert.NotEqual(t, chatID, id)
	again, err := two.Save(kept.Conversation{ID: id, Draft: "again"})
	require.NoError(t, err)
	assert.Equal(t, id, again, "its own file from then on")
	theirs, err := one.Load(chatID)
	require.NoError(t, err)
	assert.Len(t, theirs.Messages, 3)

	// A console that never read a file does not overwrite it either.
	id, err = OpenChats(dir).Save(aChat("other"))
	require.NoError(t, err)
	assert.NotEqual(t, chatID, id)
}

func TestManyConsolesAtOnce(t *testing.T) {
	dir := t.TempDir()
	_, err := OpenChats(dir).Save(aChat())
	require.NoError(t, err)
	var consoles [8]*Chats
	var read [8]kept.Conversation
	for i := range consoles { // all before any writes: one that reads later may overwrite what it read
		consoles[i] = OpenChats(dir)
		read[i], err = consoles[i].Load(chatID)
		require.NoError(t, err)
	}
	var wg sync.WaitGroup
	for i, s := range consoles {
		wg.Go(func() {
			c := read[i]
			c.Draft = fmt.Sprint(i)
			_, err := s.Save(c)
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	list, err := OpenChats(dir).List()
	require.NoError(t, err)
	drafts := map[string]bool{}
	for _, c := range list {
		drafts[c.Draft] = true
	}
	for i := range 8 {
		assert.True(t, drafts[fmt.Sprint(i)], "what console %d wrote is there", i)
	}
}

func TestBrokenChatsAreSetAside(t *testing.T) {
	for name, body := range map[string]string{
		"empty": "", "not JSON": "{", "another thing": `[1]`, "no version": `{"id":"x","messages":[]}`,
		"role": `{"version":1,"count":1,"messages":[{"role":"root","text":"x"}]}`, "cut off": `{"version":1,"count":1,"messages":[{"role":"us`,
		"type": `{"version":1,"title":7,"messages":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, chatID+".json")
			require.NoError(t, os.WriteFile(path, []byte(body), 0o600))
			s := OpenChats(dir)
			_, err := s.List()
			if err == nil { // lists do not read the messages
				_, err = s.Load(chatID)
			}
			require.ErrorContains(t, err, "set aside")
			assert.NoFileExists(t, path)
			left, err := filepath.Glob(path + ".broken-*")
			require.NoError(t, err)
			require.Len(t, left, 1)
			b, err := os.ReadFile(left[0])
			require.NoError(t, err)
			assert.Equal(t, body, string(b))
			list, err := s.List()
			require.NoError(t, err, "said once")
			assert.Empty(t, list)
		})
	}
}

func TestChatsOfANewerVersionStay(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, chatID+".json")
	require.NoError(t, os.WriteFile(path, []byte(`{"version":2,"title":{"text":"x"},"messages":[]}`), 0o600))
	s := OpenChats(dir)
	_, err := s.List()
	require.ErrorContains(t, err, "version 2")
	_, err = s.Load(chatID)
	require.ErrorContains(t, err, "version 2")
	assert.FileExists(t, path)
	id, err := s.Save(aChat("x"))
	require.NoError(t, err)
	assert.NotEqual(t, chatID, id, "it is not overwritten")
}

func TestChatIDsNameNoOtherFiles(t *testing.T) {
	dir := t.TempDir()
	s := OpenChats(filepath.Join(dir, "chats"))
	for _, id := range []string{"", "../x", "a/b", strings.Repeat("0", 36), "{0197f000-0000-7000-8000-000000000001}", "0197f000000070008000000000000001"} {
		c := aChat("x")
		c.ID = id
		_, err := s.Save(c)
		require.Error(t, err, id)
		_, err = s.Load(id)
		require.Error(t, err, id)
		require.Error(t, s.Delete(id), id)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func FuzzDecodeChat(f *testing.F) {
	f.Add([]byte(`{"version":1,"id":"x","title":"a","messages":[{"role":"user","text":"x","at":"2026-03-01T12:00:00Z"}]}`))
	f.Add([]byte(`{"messages":[],"version":1}`))
	f.Add([]byte(`{"version":9}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := decodeChat(b)
		for _, m := range c.Messages {
			if err == nil && m.Role != client.RoleUser && m.Role != client.RoleAssistant {
				t.Fatalf("role %q", m.Role)
			}
		}
		_, _ = decodeHead(strings.NewReader(string(b)))
	})
}
