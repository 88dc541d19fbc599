package chat

import (
	"darkroom/client"
	"darkroom/client/kept"
)

// listedMsg brings what is kept, and the newest conversation if it was requested.
type listedMsg struct {
	list    []kept.Conversation
	first   bool // at the start: newest is to be gone on with
	newest  kept.Conversation
	have    bool // newest was read
	err     error
	loadErr error
}

// openedMsg is a conversation that was picked.
type openedMsg struct {
	conv kept.Conversation
	err  error
}

// saveTick ends the pause after the first unsaved change.
type saveTick struct{}

// savedMsg is the outcome of writing a conversation. id is what it was known as, kept what it is
// kept as now.
type savedMsg struct {
	key      int // of the conversation in this console
	revision uint64
	kept     string
	err      error
}

// deletedMsg is the outcome of deleting.
type deletedMsg struct {
	title string
	err   error
}

// modelsMsg are the models of the gateway's lists.
type modelsMsg struct {
	list client.ModelList
	err  error
}
