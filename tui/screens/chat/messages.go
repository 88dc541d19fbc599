package chat

import (
	"darkroom/client"
	"darkroom/client/kept"
)

// listedMsg brings what is kept, and the newest conversation when it was asked for.
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

// saveTick ends the pause after the first change that is not on the disk yet.
type saveTick struct{}

// savedMsg says how writing a conversation went. id is what it was known as, kept what
// it is kept as now.
type savedMsg struct {
	key      int // of the conversation in this console
	revision uint64
	kept     string
	err      error
}

// deletedMsg says how deleting went.
type deletedMsg struct {
	title string
	err   error
}

// modelsMsg are the models of the gateway's lists.
type modelsMsg struct {
	list client.ModelList
	err  error
}
