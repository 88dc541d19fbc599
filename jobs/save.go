package jobs

import (
	"context"

	"darkroom/client"
)

// FileRequest is one asset of a job that is wanted on the disk.
type FileRequest struct {
	Job   Job
	Index int          // of the asset, and of the file
	Asset client.Asset // with Inline when the answer carried the bytes
	// Request and Answer are bodies for the sidecar file; base64 in them is elided.
	Request, Answer []byte
	// Tried is told of each place that was asked for the bytes, when that has ended, with why
	// they did not come; nil for nobody. From is a path of the gateway, or a host and a path,
	// without a query. Save calls it in its own goroutine.
	Tried func(from string, err error)
}

// Saver brings assets to the disk; jobs/download has the one that the console uses.
// Save returns the file as it lies there (State FileSaved), or a *SaveError. It reports
// progress as often as it likes; the engine thins it out. A cancelled Save leaves what it
// has for the next one to go on with.
type Saver interface {
	Save(ctx context.Context, r FileRequest, progress func(done, total int64)) (File, error)
}

// SaveFault says what is to be done about a file that could not be saved.
type SaveFault string

// Faults of a save.
const (
	SaveTemporary SaveFault = "temporary" // worth trying again
	SaveExpired   SaveFault = "expired"   // an error or a page came: the address may be gone, and a fresh one is asked for
	SaveNoSpace   SaveFault = "no_space"  // the disk is full
	SavePermanent SaveFault = "permanent" // what came is not the asset
)

// SaveError is a failed save; its text names the cause and is cleaned.
type SaveError struct {
	Fault SaveFault
	Err   error
}

// Error implements error.
func (e *SaveError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *SaveError) Unwrap() error { return e.Err }
