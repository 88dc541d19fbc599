package jobs

import "time"

// Spool keeps what came of creates outside of the history, until the history has it:
// [darkroom/jobs/spool] has the one that lies in files.
type Spool interface {
	// Reserve takes the room that one outcome needs, before the POST begins: keeping it is to
	// need nothing then that may be lacking. Without it nothing is sent.
	Reserve() (Slot, error)
}

// Slot is the room for one outcome. It is safe for concurrent use.
type Slot interface {
	// Fill keeps an outcome, so that it outlives the process. It reports whether all of it
	// was kept, or only what tells of the task, without bodies that had no room.
	Fill(o Outcome) (whole bool, err error)
	// Sync brings what was kept to the disk, so that it outlives the machine, too.
	Sync() error
	// Path is where it is kept.
	Path() string
	// Free gives the room back: there is nothing to be kept any more.
	Free()
	// Leave leaves what is kept to whoever opens the history next.
	Leave()
}

// Unsaved is what came of a create and may have been paid for, as long as the history could
// not be written.
type Unsaved struct {
	Job    string    `json:"job"`
	TaskID string    `json:"task_id,omitempty"` // "" for an answer that is the result itself
	State  State     `json:"state"`
	Since  time.Time `json:"since"`
	Why    string    `json:"why"` // the last failure
	// Kept is the file that whoever opens the history next takes it over from; "" where there
	// is none. Whole says that it holds everything, the bodies of a result too.
	Kept  string `json:"kept,omitempty"`
	Whole bool   `json:"whole"`
}
