package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/jobs"
)

const (
	// How long closing may take before somebody is told, and at all: the engine gives creates
	// in flight 5 s, and what hangs longer must not hold up the way out.
	slowClose  = 500 * time.Millisecond
	closeLimit = 15 * time.Second
	// stakeLook is how often closing checks whether something is unsaved.
	stakeLook = 100 * time.Millisecond
)

// KeepTrying is how long a process holds what it could not write to the history before leaving it
// to the spool. What the spool has no room for is held without limit.
const KeepTrying = 2 * time.Minute

// last is what closing a desk needs.
type last struct {
	give        chan struct{} // closed to give up what is unsaved
	trying      time.Duration
	stake       func(string)
	interrupted <-chan struct{}
}

// UnsavedError is how a desk closes if the outcome of creates is not in the history.
type UnsavedError struct{ Left []jobs.Unsaved }

// Error implements error.
func (e *UnsavedError) Error() string {
	lines := make([]string, len(e.Left))
	for i, u := range e.Left {
		lines[i] = leftText(u)
	}
	return strings.Join(lines, "\n")
}

// Close ends the engine, removes the files of what it has rejected, makes the backup of the day if there is none (see BackUp) and closes
// the history, each within closeLimit. Outcomes of creates that are not in the history are retried
// for longer, see KeepTrying; those then left to the spool are in an *UnsavedError. The gateway
// stays open.
func (d *Desk) Close() error {
	d.cancel()
	if d.slow != nil {
		defer after(slowClose, d.slow)()
	}
	ended := d.await()
	var unsaved error
	if left := d.Engine.Unsaved(); len(left) > 0 {
		unsaved = &UnsavedError{left}
	}
	if !ended { // the history hangs: leave it as it is
		return cmp.Or(unsaved, fmt.Errorf("the engine did not end within %s; what it was doing is taken up at the next start", closeLimit))
	}
	d.spool.Close()
	return errors.Join(d.err, unsaved, within(closeLimit, func() error {
		if d.tidy != nil {
			d.tidy()
		}
		d.purgeLast()
		if unsaved == nil {
			BackUp(context.Background(), d.Store)
		}
		return d.Store.Close()
	}, errNotClosed))
}

var errNotClosed = fmt.Errorf("the history could not be closed within %s; what was committed is in it", closeLimit)

// within runs what may hang, and returns late if the limit passes first, or if it panics: state left
// in the middle of a change must not end anything else.
func within(limit time.Duration, run func() error, late error) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- late
			}
		}()
		done <- run()
	}()
	over := time.NewTimer(limit)
	defer over.Stop()
	select {
	case err := <-done:
		return err
	case <-over.C:
		return late
	}
}

// await waits for the engine to end, and reports whether it did. What is unsaved is held until
// KeepTrying is over.
func (d *Desk) await() bool {
	limit := time.NewTimer(closeLimit)
	defer limit.Stop()
	look := time.NewTicker(stakeLook)
	defer look.Stop()
	interrupted, told, given := d.last.interrupted, false, false
	for {
		unsaved := d.Engine.Unsaved()
		if len(unsaved) > 0 && !told {
			told = true
			d.last.stake(stakeText(unsaved))
		}
		if len(unsaved) > 0 && !given {
			limit.Reset(closeLimit)
			if d.Hopeless() {
				given = true
				close(d.last.give)
			}
		}
		select {
		case <-d.ended:
			return true
		case <-limit.C:
			return false
		case <-interrupted:
			interrupted = nil
			if told { // else it is about to be
				d.last.stake(stakeText(unsaved))
			}
		case <-look.C:
		}
	}
}

// Hopeless reports whether further retries of what is unsaved are of no use: it was tried for
// DeskOptions.KeepTrying, and all of it is stored where the next process takes it over.
func (d *Desk) Hopeless() bool {
	unsaved := d.Engine.Unsaved()
	for _, u := range unsaved {
		if !u.Whole || time.Since(u.Since) < d.last.trying {
			return false
		}
	}
	return len(unsaved) > 0
}

// unsavedText tells a person about one create whose outcome the history did not take at first;
// saved if it has by now.
func unsavedText(u jobs.Unsaved, saved bool) string {
	if saved {
		return fmt.Sprintf("the history has %s of job %s now", whatCame(u), jobs.ShortID(u.Job))
	}
	return fmt.Sprintf("job %s: %s, and the history cannot be written: %s. %s; trying again", jobs.ShortID(u.Job), cameText(u), u.Why, whereText(u))
}

func stakeText(unsaved []jobs.Unsaved) string {
	var b strings.Builder
	b.WriteString("not in the history yet:")
	for _, u := range unsaved {
		b.WriteString("\n  " + heldText(u))
	}
	b.WriteString("\ntrying again; ctrl+c ends it now")
	return b.String()
}

// heldText describes an outcome that is not in the history yet.
func heldText(u jobs.Unsaved) string {
	return fmt.Sprintf("job %s: %s. %s.", jobs.ShortID(u.Job), cameText(u), whereText(u))
}

// leftText describes an outcome that was given up.
func leftText(u jobs.Unsaved) string {
	return fmt.Sprintf("job %s: %s, and the history could not be written: %s. %s. Do not send it again", jobs.ShortID(u.Job), cameText(u), u.Why, whereText(u))
}

// cameText says what the gateway answered.
func cameText(u jobs.Unsaved) string {
	if u.TaskID == "" {
		return "the gateway answered with the result"
	}
	return "the gateway accepted it as the task " + client.CleanLine(u.TaskID)
}

func whatCame(u jobs.Unsaved) string {
	if u.TaskID == "" {
		return "the result"
	}
	return "the task " + client.CleanLine(u.TaskID)
}

// whereText says where the outcome is kept meanwhile.
func whereText(u jobs.Unsaved) string {
	switch {
	case u.Kept == "":
		return "It could be kept nowhere else: write it down"
	case !u.Whole:
		return "It is kept without the result, for which there is no room, in " + u.Kept
	}
	return "It is kept in " + u.Kept + ", from where the next command or console takes it into the history"
}
