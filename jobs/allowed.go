package jobs

import (
	"fmt"
	"slices"

	"darkroom/client"
)

// Embedded is the profile of the embedded gateway, a name that no other profile can have.
const Embedded = "sandbox"

// Billed reports whether what a profile creates may be billed: that of the embedded gateway is not,
// and nothing is said of money there.
func Billed(profile string) bool { return profile != Embedded }

// Action is something a person can do with a job.
type Action string

// Actions that depend on the job.
const (
	ActAdopt     Action = "adopt"      // see [Doer.Adopt]
	ActCompose   Action = "compose"    // take its request to a form
	ActDownload  Action = "download"   // see [Doer.Download]
	ActDrop      Action = "drop"       // see [Doer.Drop]
	ActLookUp    Action = "look up"    // ask every route for its task
	ActOpen      Action = "open"       // its first file, in another program
	ActParent    Action = "parent"     // go to the job that it was made from
	ActPause     Action = "pause"      // see [Keeper.SetPaused]
	ActReject    Action = "reject"     // see [Keeper.Reject]
	ActRepoll    Action = "repoll"     // see [Doer.Repoll]
	ActResend    Action = "resend"     // see [Doer.Resend]
	ActRestore   Action = "restore"    // take a reject back, see [Keeper.Reject]
	ActSendFiles Action = "send files" // see [Keeper.SendFiles]
)

// Refusal says why a job does not allow an action. It is an [ErrState], or an [ErrInFlight] while
// the create waits for its answer.
type Refusal struct {
	Why   string // for somebody who looks at the job
	state State
	what  string // is not possible, as "drop it"
	also  string // in place of that the state does not allow it, "" for that
}

// Error is what an engine answers.
func (r *Refusal) Error() string {
	switch {
	case r.inFlight():
		return fmt.Sprintf("%v: wait for it before you %s", ErrInFlight, r.what)
	case r.also != "":
		return fmt.Sprintf("%v: %s", ErrState, r.also)
	default:
		return fmt.Sprintf("%v: cannot %s, it is %s", ErrState, r.what, r.state)
	}
}

// Unwrap is ErrState or ErrInFlight.
func (r *Refusal) Unwrap() error {
	if r.inFlight() {
		return ErrInFlight
	}
	return ErrState
}

func (r *Refusal) inFlight() bool { return r.state == Submitting && r.also == "" }

// States returns the states in which the action may be possible; nil means all.
func (a Action) States() []State {
	switch a {
	case ActAdopt:
		return []State{Ambiguous, Lost}
	case ActDownload:
		return []State{Completed}
	case ActRepoll:
		return []State{Planned, Queued, Running, Unknown, Lost}
	case ActResend:
		return []State{Ambiguous, Refused}
	case ActSendFiles:
		return []State{Planned, Ambiguous, Refused}
	default:
		return nil
	}
}

// Allowed returns nil if the job allows the action, else a [*Refusal]. The decision is made here
// alone: an engine asks about the job as the history has it.
func Allowed(a Action, j *Job) error {
	if !a.fits(j) {
		return a.refusal(j)
	}
	return nil
}

// WhyNot says, for somebody who looks at the job, why it does not allow an action; "" if it does.
func WhyNot(a Action, j *Job) string {
	if !a.fits(j) {
		return a.refusal(j).Why
	}
	return ""
}

func (a Action) fits(j *Job) bool {
	if all := a.States(); all != nil && !slices.Contains(all, j.State) {
		return false
	}
	switch a {
	case ActCompose, ActResend, ActSendFiles:
		return !j.Observed // its request is not known
	case ActAdopt:
		return j.Draft.Modality != client.Chat // the answer is the result
	case ActDownload:
		return len(j.Assets) > 0
	case ActDrop:
		return j.State != Submitting && (j.State.Active() || j.State == Ambiguous || j.Saving())
	case ActLookUp:
		return j.TaskID != ""
	case ActOpen:
		return j.OpenPath() != ""
	case ActParent:
		return j.Draft.Cut || len(j.Draft.Descent()) > 0
	case ActPause:
		return j.State.Active() || j.Saving()
	case ActReject:
		return j.whyKept() == ""
	case ActRestore:
		return !j.Rejected.IsZero()
	case ActRepoll:
		return j.State != Lost || j.TaskID != ""
	default:
		return true
	}
}

// refusal says why the action does not fit the job.
func (a Action) refusal(j *Job) *Refusal {
	r := &Refusal{state: j.State}
	if j.Observed && (a == ActCompose || a == ActResend || a == ActSendFiles) {
		r.also, r.Why = observed, observed
		return r
	}
	switch a {
	case ActAdopt:
		if slices.Contains(a.States(), j.State) {
			r.also, r.Why = whyNoTask, "a chat answer has no task whose id could be adopted: send it again or drop it"
			break
		}
		r.what, r.Why = "adopt an id for it", "only a job whose create or task was lost can adopt an id"
	case ActDownload:
		if j.State == Completed {
			r.also, r.Why = "its result has no files", "the result of this job has no files"
			break
		}
		r.what, r.Why = "download its files", "only completed jobs have results to download; this one is "+string(j.State)
	case ActDrop:
		if r.what, r.Why = "drop it", "this job has ended: there is nothing to drop"; j.State == Submitting {
			r.Why = "the create waits for its answer; drop it after that"
		}
	case ActLookUp:
		r.also, r.Why = "it has no task id", "there is no task id to look up"
	case ActOpen:
		r.also, r.Why = "no file of it is on the disk", "no file of this job is on the disk"
	case ActParent:
		r.also, r.Why = "it was not made from another one", "this job was not made from another one"
	case ActPause:
		r.also, r.Why = "there is nothing to pause, it is "+string(j.State), "this job has ended: there is nothing to pause"
	case ActReject:
		r.also = j.whyKept()
		r.Why = r.also
	case ActRestore:
		r.also, r.Why = "it was not rejected", "this job was not rejected"
	case ActRepoll:
		r.what, r.Why = "repoll it", "there is nothing to ask about: this job is "+string(j.State)
	case ActResend:
		r.what, r.Why = "resend it", "only a lost or refused create can be sent again; take this one to Compose instead"
	default:
		r.what, r.Why = "send its files", "its create was sent already"
	}
	return r
}

// whyKept says why a job cannot be rejected; "" if it can.
func (j *Job) whyKept() string {
	switch {
	case !j.Rejected.IsZero():
		return "this job was rejected already"
	case j.State == Ambiguous:
		return "nobody knows yet whether its create was accepted: adopt its id, send it again or drop it first"
	case !j.State.Ended():
		return "this job has not ended: drop it first"
	case j.Saving():
		return "its files are still being saved: stop that first"
	case j.Starred():
		return "this job is starred: take its star away first"
	case slices.ContainsFunc(j.Files, func(f File) bool { return f.State == FileSaved && !f.Here() }):
		return "its files are on another machine: reject it there"
	default:
		return ""
	}
}
