package kept

import (
	"time"

	"darkroom/client"
)

// Draft is a draft being composed. Format is the format to create it in, "" for the first that
// fits. Job is the job it was taken from, "" for none. Expand says what the prompt is: "text", a
// template ("all", "random"), or "" if nobody has said; Vars are the template's variables. Turned
// is when its kind was last chosen, the zero time if never or unknown.
type Draft struct {
	Draft  client.Draft
	Format string
	Job    string
	Expand string
	Vars   map[string]string
	Turned time.Time
}
