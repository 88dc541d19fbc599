// Package run sends the trials of a comparison and keeps what comes of them.
//
// A run is one file, its journal: the whole plan first, then what happened, one record a line. The
// plan is on the disk before anything is sent, and "this slot is about to be sent" is on the disk
// before the job is handed to the history. A job carries the run and the slot, so that whoever goes
// on with a run finds the jobs that the journal has no word of yet: a slot whose job is in the history
// is not sent again. The process may be killed at any time.
//
// What a person has to ask for: nothing that failed is sent again within a run. [Bench.Resume] sends
// the missing slots, and those that failed, were refused or lost, as attempt 2 and so on. All attempts
// stay in the run. The first one at a slot is the one that counts, for success and for latencies
// ([compare.Run.Counted]); a later one is known by its number. A create of which nobody knows whether
// the gateway took it is never sent again here: a person adopts or resends it in the queue, and the run
// takes that over.
//
// Open runs are not resumed by themselves when a console starts: quitting may have been somebody's way
// to stop spending, and another day is not the time to go on unasked. A list says that they are open.
// The plan that is resumed is the stored one; a suite that was changed since makes another run.
package run
