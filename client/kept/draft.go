package kept

import (
	"time"

	"darkroom/client"
)

// Draft is what is being composed. Format is the one to create through, "" for the first that
// fits. Job is the one that it was taken from, "" for none. Expand says what the prompt is, "text"
// or a template ("all", "random"), "" when nobody said so; Vars are the template's variables.
// Turned is when its kind was chosen last, the zero time when it was not, or is not told.
type Draft struct {
	Draft  client.Draft
	Format string
	Job    string
	Expand string
	Vars   map[string]string
	Turned time.Time
}
