package kept

// Marks are what a person thinks of models, by name.
type Marks struct {
	// Stars in the order in which they were given; Recent are those that were submitted to,
	// the newest first.
	Stars, Recent []string
	// Improver is the chat model that improves prompts, "" for none yet.
	Improver string
}
