package jobs

// Finding is one thing in a history that is not as it should be.
type Finding struct {
	Name  string   `json:"name"` // stable, as "orphaned_bodies"
	Count int64    `json:"count"`
	Text  string   `json:"text"`
	Named []string `json:"named,omitempty"` // some of them
	// Fixable says that a repair can do something, Fixed that it did.
	Fixable bool `json:"fixable"`
	Fixed   bool `json:"fixed"`
}

// Lease says who works on how many jobs of a history.
type Lease struct {
	Owner string `json:"owner"`
	Jobs  int    `json:"jobs"`
	Lives bool   `json:"lives"` // its time is not over
}
