package kept

// Marks are what a person thinks of models, by name.
type Marks struct {
	// Stars are in the order given; Recent are the models last submitted to, newest first.
	Stars, Recent []string
	// Improver is the chat model that improves prompts, "" for none yet.
	Improver string
}
