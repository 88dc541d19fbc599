// Package jobs keeps what people submitted: a job is one draft on its way through one
// format of one profile's gateway, from the journalled intent to the files on disk.
//
// The [Engine] owns the live state in one goroutine; the history is behind [Store].
// A create is never sent twice by itself: the intent is journalled before the POST,
// the task id right after it, and a lost answer leaves the job [Ambiguous] until a
// person decides.
package jobs
