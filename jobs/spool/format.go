package spool

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"darkroom/jobs"
)

const (
	// room is the size of a slot that is reserved, in bytes.
	room = 128 << 10
	// maxRecord bounds a record with the bodies of its result, in bytes.
	maxRecord = 256 << 20

	magic    = "darkroom spool 1 "
	head     = len(magic) + sizeLen + 1 + hex64 + 1
	sizeLen  = 9
	hex64    = 2 * sha256.Size
	emptySum = "-"
)

// Record is what a file of the spool holds.
type Record struct {
	// History names the history that is to have it.
	History string       `json:"history"`
	Outcome jobs.Outcome `json:"outcome"`
}

// errEmpty says that a slot was reserved, and never filled.
var errEmpty = errors.New("nothing is kept in it")

// errForeign says that a record is intact, but was written by another version of the program.
var errForeign = errors.New("another version of the program wrote it")

// header returns the first line of a file, which says how many of the bytes after it count, and
// their sum.
func header(body []byte) []byte {
	sum := emptySum
	if body != nil {
		digest := sha256.Sum256(body)
		sum = hex.EncodeToString(digest[:])
	}
	return fmt.Appendf(nil, "%s%0*d %-*s\n", magic, sizeLen, len(body), hex64, sum)
}

// encode returns the body of a record.
func encode(r Record) ([]byte, error) { return json.Marshal(r) }

// decode reads a file. It is strict: a header of ours, the very bytes that it names, and an outcome
// that a history can have. What follows them is the room that was left.
func decode(b []byte) (Record, error) {
	var r Record
	size, sum, err := readHeader(b)
	if err != nil {
		return r, err
	}
	if sum == emptySum {
		return r, errEmpty
	}
	if size > len(b)-head {
		return r, fmt.Errorf("%d bytes are announced and %d are there", size, len(b)-head)
	}
	body := b[head : head+size]
	if digest := sha256.Sum256(body); hex.EncodeToString(digest[:]) != sum {
		return r, errors.New("it was not written to its end, or was changed")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err = d.Decode(&r)
	switch {
	case err != nil:
	case d.More():
		err = errors.New("there is more than one record")
	case r.History == "":
		err = errors.New("it names no history")
	default:
		err = r.Outcome.Check()
	}
	if err != nil {
		return Record{}, fmt.Errorf("%w: %w", errForeign, err)
	}
	return r, nil
}

func readHeader(b []byte) (size int, sum string, err error) {
	if len(b) < head || string(b[:len(magic)]) != magic || b[head-1] != '\n' || b[len(magic)+sizeLen] != ' ' {
		return 0, "", errors.New("it is not a record of a create")
	}
	digits := string(b[len(magic) : len(magic)+sizeLen])
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || n > maxRecord {
		return 0, "", fmt.Errorf("%q is not a size of a record", digits)
	}
	sum = string(bytes.TrimRight(b[len(magic)+sizeLen+1:head-1], " "))
	if len(sum) != hex64 && (sum != emptySum || n != 0) {
		return 0, "", errors.New("it has no checksum")
	}
	return int(n), sum, nil
}

// lighter returns versions of an outcome that need less and less room: the whole, one without the
// bodies of its answer, and one with nothing but what tells of the task.
func lighter(o jobs.Outcome) []jobs.Outcome {
	bare := o
	bare.Payloads = nil
	bare.Events = append([]jobs.Event(nil), o.Events...)
	for i := range bare.Events {
		bare.Events[i].PayloadSHA = ""
	}
	least := bare
	least.Exchanges, least.Events = nil, nil
	j := jobs.Job{
		ID: o.Job.ID, Profile: o.Job.Profile, Format: o.Job.Format, QueryFormat: o.Job.QueryFormat, State: o.Job.State,
		TaskID: o.Job.TaskID, Progress: o.Job.Progress, CreatedAt: o.Job.CreatedAt, SubmittedAt: o.Job.SubmittedAt,
		AcceptedAt: o.Job.AcceptedAt, EndedAt: o.Job.EndedAt, UpdatedAt: o.Job.UpdatedAt, Seen: o.Job.Seen,
	}
	least.Job = j
	return []jobs.Outcome{o, bare, least}
}
