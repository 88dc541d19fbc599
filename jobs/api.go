package jobs

import (
	"context"

	"darkroom/client"
)

// Reader is what screens and commands read jobs by. All values are copies; methods
// may touch the disk and are called from commands, never from Update or View.
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

// Doer is what screens and commands act on jobs by.
type Doer interface {
	// Submit journals the submissions and returns their job ids; the POSTs follow by
	// themselves. When it returns an error nothing was sent, unless that is an [ErrUnclear].
	Submit(ctx context.Context, s []Submission) ([]string, error)
	// Repoll queries the task now.
	Repoll(ctx context.Context, id string) error
	// Drop stops tracking a job; the gateway is not told (it has no cancel).
	Drop(ctx context.Context, id string) error
	// Adoptable asks the gateway for the task that a job is to adopt, and changes nothing. An
	// error says that the text can be no id, that the job can adopt none, or what the gateway
	// answered: [ErrUnknownTask] where it knows no such task.
	Adoptable(ctx context.Context, id, taskID string) (client.Task, error)
	// Adopt gives an ambiguous job its task id, and a lost one another. The gateway is not
	// asked before; see Adoptable.
	Adopt(ctx context.Context, id, taskID string) error
	// Resend makes a new job of an ambiguous or refused one's draft, and drops the old.
	Resend(ctx context.Context, id string) (newID string, err error)
	// Download fetches the files of a completed job that are not on the disk.
	Download(ctx context.Context, id string) error
	// DownloadAgain is Download for files, too, that are on the disk: they are fetched once
	// more, beside the first ones or in their place, as the saver was told.
	DownloadAgain(ctx context.Context, id string) error
}

// Keeper is what a person says of jobs that the gateway never hears of.
type Keeper interface {
	// Tag adds tags to a job and takes others away; see [CleanTags].
	Tag(ctx context.Context, id string, add, remove []string) error
	// Remark sets a job's remark; "" takes it away.
	Remark(ctx context.Context, id, text string) error
	// SetPaused pauses one job or lets it go on: while it is paused nothing of it begins.
	// What is in flight ends.
	SetPaused(ctx context.Context, id string, on bool) error
	// SendFiles sends the local files of a job that another installation made from here; until
	// then resuming it fails with a [ForeignError].
	SendFiles(ctx context.Context, id string) error
	// SetPause pauses all that goes to a host of the profile, or with "" everything, for
	// everyone who shares the history; or ends that.
	SetPause(ctx context.Context, host string, on bool) error
	// Pauses lists the pauses of the profile.
	Pauses(ctx context.Context) ([]Pause, error)
}
