package queue

import (
	"fmt"

	"darkroom/jobs"
	"darkroom/tui/widgets/format"
)

// saving is how far the files of jobs are on their way to the disk.
type saving struct {
	left        int   // files that are not there yet
	done, total int64 // bytes; total is -1 while nobody knows it
}

// savingOf adds up the files of a job; the zero value when none is to come. Files that
// failed count for nothing.
func savingOf(j *jobs.Job) (s saving) {
	for i := range j.Files {
		f := &j.Files[i]
		switch f.State {
		case jobs.FileFailed:
			continue
		case jobs.FileSaved:
		default:
			s.left++
			if f.Total <= 0 {
				s.total = -1
			}
		}
		s.done += max(0, f.Bytes)
		if s.total >= 0 {
			s.total += max(f.Total, f.Bytes)
		}
	}
	if s.left == 0 {
		return saving{}
	}
	return s
}

func (s saving) plus(o saving) saving {
	if o.left == 0 {
		return s
	}
	sum := saving{left: s.left + o.left, done: s.done + o.done, total: s.total + o.total}
	if s.total < 0 || o.total < 0 {
		sum.total = -1
	}
	return sum
}

// fraction is from 0 to 1; false while nobody knows.
func (s saving) fraction() (float64, bool) {
	if s.left == 0 || s.total <= 0 {
		return 0, false
	}
	return min(float64(s.done)/float64(s.total), 1), true
}

// text is "2 files to come, 3.1 MB of 9.1 MB", as far as it is known; "" for nothing.
func (s saving) text() string {
	if s.left == 0 {
		return ""
	}
	text := fmt.Sprintf("%d files to come", s.left)
	if s.left == 1 {
		text = "1 file to come"
	}
	switch {
	case s.total >= 0:
		text += ", " + format.Bytes(s.done) + " of " + format.Bytes(s.total)
	case s.done > 0:
		text += ", " + format.Bytes(s.done) + " so far"
	}
	return text
}

// progress is how far a task, or saving its files, is, from 0 to 1; false when nobody
// knows.
func progress(j *jobs.Job) (float64, bool) {
	if j.State == jobs.Running && j.Progress >= 0 {
		return min(j.Progress/100, 1), true
	}
	return savingOf(j).fraction()
}

// sumUp adds up what is being saved of all jobs in the list.
func (m *Model) sumUp() {
	m.saving = saving{}
	for i := range m.jobs.len() {
		if j := m.jobs.at(i); len(j.Files) > 0 {
			m.saving = m.saving.plus(savingOf(j))
		}
	}
}
