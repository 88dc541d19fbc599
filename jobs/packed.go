package jobs

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"time"

	"darkroom/client"
)

// packed is a job as the board and the loop hold it: packed, since there may be ten thousand. It
// is immutable; a change makes a new one.
type packed struct {
	*alike
	id, cell          string
	taskID, rawStatus string
	draft             []byte // JSON of the draft, the same for all of a job's time
	state             State
	progress          float64

	created, submitted, accepted, ended, updated, next int64 // as by packTime

	saw    packedSeen // of Seen; what does not fit is in rest
	took   time.Duration
	seq    uint64
	rev    int64 // of the history; 0 for a change in memory only
	own    int64 // the rev at which a person's own was taken over
	token  int64 // of the newest lease that is known of
	rest   *Job  // what few jobs have while they are polled: all that is not kept above; nil for most
	polls  int32
	paused bool
	cut    bool // of the draft only the beginning was read yet
}

// packedSeen are the times that a job has before its end: ours in milliseconds since it was made, plus
// one from 0 on, and 0 for those that do not fit; the gateway's, of which nobody knows how far they are
// from ours, as by packTime.
type packedSeen struct {
	ours   [4]int32
	theirs [2]int64
}

// early are the times that are packed.
func (s *Seen) early() (ours [4]*time.Time, theirs [2]*time.Time) {
	return [...]*time.Time{&s.Sent, &s.Waiting, &s.Working, &s.Running}, [...]*time.Time{&s.GatewayCreated, &s.GatewayStarted}
}

// pack takes the times that fit, and leaves the others in s.
func (p *packedSeen) pack(s *Seen, made time.Time) {
	ours, theirs := s.early()
	for i, at := range ours {
		since := at.Sub(made)
		if ms := since.Milliseconds(); !at.IsZero() && since%time.Millisecond == 0 && max(ms, -ms) < math.MaxInt32 {
			if ms >= 0 {
				ms++
			}
			p.ours[i], *at = int32(ms), time.Time{} //nolint:gosec // bounded
		}
	}
	for i, at := range theirs {
		p.theirs[i], *at = packTime(*at), time.Time{}
	}
}

// unpack gives a job the times that are packed.
func (p *packedSeen) unpack(s *Seen, made time.Time) {
	ours, theirs := s.early()
	for i, at := range ours {
		switch ms := time.Duration(p.ours[i]); {
		case ms > 0:
			*at = made.Add((ms - 1) * time.Millisecond)
		case ms < 0:
			*at = made.Add(ms * time.Millisecond)
		}
	}
	for i, at := range theirs {
		*at = unpackTime(p.theirs[i])
	}
}

// alike is what many jobs have in common, held once for all of them. Of the draft it has what
// polling needs.
type alike struct {
	profile, group, run    string
	format, queryFormat    string
	modality               client.Modality
	model, modelName, mode string
	installation           string
}

// maxAlike is how many sets of common values are kept for reuse.
const maxAlike = 4096

// pack packs a job; old is what was held of it before, if anything. The draft is taken
// from there, where it is whole. The caller holds b.mu.
func (b *board) pack(j *Job, old *packed) *packed {
	h := &packed{
		id: j.ID, cell: j.Cell, taskID: j.TaskID, rawStatus: j.RawStatus, state: j.State, progress: j.Progress,
		created: packTime(j.CreatedAt), submitted: packTime(j.SubmittedAt), accepted: packTime(j.AcceptedAt),
		ended: packTime(j.EndedAt), updated: packTime(j.UpdatedAt), next: packTime(j.NextPollAt),
		took: j.CreateTook, polls: int32(min(j.Polls, 1<<31-1)), paused: j.Paused, //nolint:gosec // bounded
	}
	a := alike{
		profile: j.Profile, group: j.Group, run: j.Run, format: j.Format, queryFormat: j.QueryFormat, modality: j.Draft.Modality,
		model: j.Draft.Model, modelName: j.Draft.ModelName, mode: j.Draft.Mode,
		installation: j.Installation,
	}
	if old != nil {
		h.id, h.cell = old.id, old.cell
	}
	if old != nil && (!old.cut || j.Draft.Cut) {
		h.draft, h.cut = old.draft, old.cut
	} else {
		h.keep(&j.Draft)
	}
	switch {
	case old != nil && *old.alike == a:
		h.alike = old.alike
	case b.alikes[a] != nil:
		h.alike = b.alikes[a]
	default:
		if len(b.alikes) >= maxAlike {
			clear(b.alikes)
		}
		h.alike = &a
		b.alikes[a] = h.alike
	}
	h.rest = b.restOf(j, &h.saw)
	return h
}

// restOf is everything about a job that is not held packed, so that a new fact of a job needs no
// line here. What was seen it packs where that fits. The caller holds b.mu, which guards the one job used for the comparison.
func (b *board) restOf(j *Job, saw *packedSeen) *Job {
	r := &b.rest
	*r = *j
	r.ID, r.Profile, r.Group, r.Run, r.Cell, r.Format, r.QueryFormat, r.Installation = "", "", "", "", "", "", "", ""
	r.Draft, r.State, r.TaskID, r.RawStatus, r.Progress = client.Draft{}, "", "", "", 0
	r.CreatedAt, r.SubmittedAt, r.AcceptedAt = time.Time{}, time.Time{}, time.Time{}
	r.EndedAt, r.UpdatedAt, r.NextPollAt = time.Time{}, time.Time{}, time.Time{}
	saw.pack(&r.Seen, j.CreatedAt)
	r.CreateTook, r.Polls, r.Paused, r.Seq, r.Foreign = 0, 0, false, 0, false
	if reflect.ValueOf(r).Elem().IsZero() {
		return nil
	}
	rest := shareJob(*r) // the worker goes on with its own
	*r = Job{}
	return &rest
}

// repack packs a job that was not published.
func (b *board) repack(j *Job, old *packed) *packed {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := b.pack(j, old)
	h.rev, h.own, h.token = old.rev, old.own, old.token
	return h
}

// keep packs a draft.
func (h *packed) keep(d *client.Draft) {
	h.draft, _ = json.Marshal(d) //nolint:errcheck // what the history has as JSON; else only the rest is shown
	h.draft, h.cut = slices.Clip(h.draft), d.Cut
}

// working is the job as a worker takes it. For a poll the draft stays packed, and the job has only
// the parts of it that alike holds; see [packed.whole].
func (h *packed) working() Job {
	j := h.bare()
	if workKind(&j) != kindPoll {
		h.whole(&j)
	}
	return j
}

// bare is the job without its draft, except for the parts that alike holds.
func (h *packed) bare() Job {
	var j Job
	if h.rest != nil {
		j = shareJob(*h.rest)
	}
	j.ID, j.Profile, j.Group, j.Format, j.QueryFormat = h.id, h.profile, h.group, h.format, h.queryFormat
	j.Run, j.Cell = h.run, h.cell
	j.Draft = client.Draft{Modality: h.modality, Model: h.model, ModelName: h.modelName, Mode: h.mode, Cut: true}
	j.State, j.TaskID, j.RawStatus, j.Progress = h.state, h.taskID, h.rawStatus, h.progress
	j.CreatedAt, j.SubmittedAt, j.AcceptedAt = unpackTime(h.created), unpackTime(h.submitted), unpackTime(h.accepted)
	j.EndedAt, j.UpdatedAt, j.NextPollAt = unpackTime(h.ended), unpackTime(h.updated), unpackTime(h.next)
	j.Seen = h.seen()
	j.CreateTook, j.Polls, j.Paused, j.Seq, j.Installation = h.took, int(h.polls), h.paused, h.seq, h.installation
	return j
}

func (h *packed) seen() (s Seen) {
	if h.rest != nil {
		s = h.rest.Seen
	}
	h.saw.unpack(&s, unpackTime(h.created))
	return s
}

// whole gives a job its draft, as far as it was read.
func (h *packed) whole(j *Job) {
	var d client.Draft
	if json.Unmarshal(h.draft, &d) == nil {
		j.Draft = d
	}
}

// job is a copy of the whole job, which shares nothing mutable with what is held.
func (h *packed) job() Job {
	j := h.bare()
	h.whole(&j)
	return apart(j)
}

// withDraft is a copy of the job with a draft that was read elsewhere.
func (h *packed) withDraft(d client.Draft) Job {
	j := h.bare()
	j.Draft = d
	return apart(j)
}

// apart is a bare job that shares nothing mutable with what is held.
func apart(j Job) Job {
	j.Tags = slices.Clone(j.Tags)
	if j.Error != nil {
		e := *j.Error
		j.Error = &e
	}
	return j
}

func (h *packed) assets() []client.Asset {
	if h.rest == nil {
		return nil
	}
	return h.rest.Assets
}

func (h *packed) files() []File {
	if h.rest == nil {
		return nil
	}
	return h.rest.Files
}

// sameOwn reports whether what only a person decides is the same as in a job.
func (h *packed) sameOwn(j *Job) bool { return sameOwn(h.ownOf(), j) }

// withOwn is a copy that takes what only a person decides from another job.
func (h *packed) withOwn(from *Job) *packed {
	next, rest := *h, Job{}
	if h.rest != nil {
		rest = *h.rest
	}
	next.paused, rest.Tags, rest.Remark = from.Paused, slices.Clone(from.Tags), from.Remark
	rest.Rejected, rest.RejectedBy = from.Rejected, from.RejectedBy
	if next.rest = &rest; reflect.ValueOf(rest).IsZero() {
		next.rest = nil
	}
	return &next
}

// ownOf is a job with nothing but what only a person decides.
func (h *packed) ownOf() *Job {
	j := &Job{Paused: h.paused}
	if h.rest != nil {
		j.Tags, j.Remark = h.rest.Tags, h.rest.Remark
		j.Rejected, j.RejectedBy = h.rest.Rejected, h.rest.RejectedBy
	}
	return j
}

// packTime is 0 for no time, else nanoseconds.
func packTime(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func unpackTime(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n)
}
