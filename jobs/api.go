package jobs

import (
	"context"

	"darkroom/client"
)

// Reader is how screens and commands read jobs. All values are copies. Methods may touch the disk:
// call them from commands, never from Update or View.
type Reader interface {
	List(ctx context.Context, q Query) (Page, error)
	Get(ctx context.Context, id string) (Job, error)
	Detail(ctx context.Context, id string) (Detail, error)
	// Changes returns the jobs that changed after seq and the newest seq. It never
	// blocks and touches no disk.
	Changes(seq uint64) ([]Job, uint64)
	// Counts never blocks and touches no disk.
	Counts() Counts
}

// Recorder reads all that the history keeps about a job, which may be many megabytes.
type Recorder interface {
	Record(ctx context.Context, id string) (Record, error)
}

// Doer is how screens and commands act on jobs.
type Doer interface {
	// Submit journals the submissions and returns their job ids; the engine then sends them. If it
	// returns an error nothing was sent, unless the error is an [ErrUnclear].
	Submit(ctx context.Context, s []Submission) ([]string, error)
	// Repoll queries the task now.
	Repoll(ctx context.Context, id string) error
	// Drop stops tracking a job; the gateway is not told (it has no cancel).
	Drop(ctx context.Context, id string) error
	// Adoptable asks the gateway for the task a job is to adopt, and changes nothing. An error
	// says that the text cannot be an id, that the job cannot adopt one, or what the gateway
	// answered: [ErrUnknownTask] if it knows no such task.
	Adoptable(ctx context.Context, id, taskID string) (client.Task, error)
	// Adopt gives an ambiguous job its task id, or a lost job another one. It does not ask the
	// gateway first; see Adoptable.
	Adopt(ctx context.Context, id, taskID string) error
	// Resend submits the draft of an ambiguous or refused job as a new job, and drops the old one.
	Resend(ctx context.Context, id string) (newID string, err error)
	// Download fetches those files of a completed job that are not on the disk yet.
	Download(ctx context.Context, id string) error
	// DownloadAgain is Download including files already on the disk: they are fetched once more
	// and put beside the first ones or in their place, as the saver is set.
	DownloadAgain(ctx context.Context, id string) error
}

// Observer takes somebody else's tasks into the history.
type Observer interface {
	// Observe adds an observed job, see [Job.Observed], and returns its id. If a job of the profile
	// has the task's id already, that one gets the tags and the remark, and fresh is false.
	Observe(ctx context.Context, o Observation) (id string, fresh bool, err error)
}

// Keeper holds what a person notes about jobs; the gateway never hears of it.
type Keeper interface {
	// Tag adds tags to a job and takes others away; see [CleanTags].
	Tag(ctx context.Context, id string, add, remove []string) error
	// Remark sets a job's remark; "" removes it.
	Remark(ctx context.Context, id, text string) error
	// Reject rejects ended jobs, or takes that back: lists leave them out, see [Query]. Rows, requests
	// and events stay, and so do the files until this process ends. Jobs that are already as wanted
	// are left alone. An error says which job cannot be rejected, and why; the others are.
	Reject(ctx context.Context, ids []string, on bool) error
	// SetPaused pauses one job or resumes it: while it is paused nothing new begins for it. What
	// is in flight ends.
	SetPaused(ctx context.Context, id string, on bool) error
	// SendFiles allows the local files of a job that another installation made to be sent from
	// here; until then resuming it fails with a [ForeignError].
	SendFiles(ctx context.Context, id string) error
	// SetPause pauses everything that goes to one host of the profile, or with "" everything, for
	// everyone who shares the history; or it ends that pause.
	SetPause(ctx context.Context, host string, on bool) error
	// Pauses lists the pauses of the profile.
	Pauses(ctx context.Context) ([]Pause, error)
}
