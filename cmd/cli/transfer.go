package cli

import (
	"fmt"
	"strings"
	"time"

	"darkroom/jobs"
	"darkroom/tui/widgets/format"
)

// transfer is how far the files of jobs are.
type transfer struct {
	left        int   // files that are not on the disk yet
	done, total int64 // bytes; total is -1 while one of them is not known
	why         string
}

// transferOf adds up the files of a job; the zero transfer when none is to come.
func transferOf(j jobs.Job) (t transfer) {
	for _, f := range j.Files {
		switch f.State {
		case jobs.FileFetching, jobs.FileWanted:
			t.left++
			if f.State == jobs.FileWanted && f.Error != "" {
				t.why = f.Error // why it waits
			}
			if f.Total < 0 || f.Total == 0 && f.Bytes == 0 {
				t.total = -1
			}
		case jobs.FileFailed:
			continue
		}
		t.done += f.Bytes
		if t.total >= 0 {
			t.total += max(f.Total, f.Bytes)
		}
	}
	if t.left == 0 {
		return transfer{}
	}
	return t
}

func (t transfer) plus(o transfer) transfer {
	if o.left == 0 {
		return t
	}
	sum := transfer{left: t.left + o.left, done: t.done + o.done, total: t.total + o.total}
	if t.total < 0 || o.total < 0 {
		sum.total = -1
	}
	return sum
}

// fraction is from 0 to 1; 0 while nobody knows.
func (t transfer) fraction() float64 {
	if t.total <= 0 {
		return 0
	}
	return min(float64(t.done)/float64(t.total), 1)
}

// text is "3.1 MB of 9.0 MB, 1.2 MB/s, 5s left", as far as it is known.
func (t transfer) text(rate float64) string {
	parts := []string{format.Bytes(t.done)}
	if t.total >= 0 {
		parts[0] += " of " + format.Bytes(t.total)
	}
	if rate > 0 {
		parts = append(parts, format.Bytes(int64(rate))+"/s")
		if left := float64(t.total - t.done); t.total > 0 && left > 0 {
			parts = append(parts, format.Dur(time.Duration(left/rate*float64(time.Second)))+" left")
		}
	}
	return strings.Join(parts, ", ")
}

// speed is a rate in bytes a second, smoothed. What was there when it began is not counted.
type speed struct {
	at     time.Time
	bytes  int64
	rate   float64
	weight float64
}

const (
	speedEvery = 400 * time.Millisecond // between two samples
	speedNew   = 0.3                    // what a sample counts against those before
)

func (s *speed) see(now time.Time, bytes int64) float64 {
	took := now.Sub(s.at)
	switch {
	case s.at.IsZero() || bytes < s.bytes: // begun, or begun again
		*s = speed{at: now, bytes: bytes}
	case took >= speedEvery:
		sample := float64(bytes-s.bytes) / took.Seconds()
		if s.weight == 0 {
			s.rate, s.weight = sample, 1
		}
		s.rate += speedNew * (sample - s.rate)
		s.at, s.bytes = now, bytes
	}
	return s.rate
}

// speed is the rate of a job's files, or with "" of all.
func (l *live) speed(id string, t transfer) float64 {
	if t.left == 0 {
		delete(l.speeds, id)
		return 0
	}
	s := l.speeds[id]
	if s == nil {
		s = &speed{}
		l.speeds[id] = s
	}
	return s.see(time.Now(), t.done)
}

// filesOf are a line for each file of a job that has several and saves some of them.
func filesOf(j jobs.Job) (lines []string) {
	if len(j.Files) < 2 || transferOf(j).left == 0 {
		return nil
	}
	for _, f := range j.Files {
		t := transfer{left: 1, done: f.Bytes, total: f.Total}
		text := t.text(0)
		switch {
		case f.State == jobs.FileSaved:
			t.done, t.total, text = 1, 1, "saved, "+format.Bytes(f.Bytes)
		case f.State == jobs.FileFailed:
			text = "failed: " + f.Error
		case f.Error != "":
			text = "waiting: " + f.Error
		case f.State == jobs.FileWanted:
			text = "comes next"
		}
		lines = append(lines, fmt.Sprintf("  %-27s %s %s", f.Kind, bar(t.fraction()), text))
	}
	return lines
}

// fileLines are those of all jobs.
func (l *live) fileLines() (lines []string) {
	for _, id := range l.order {
		lines = append(lines, filesOf(l.byID[id])...)
	}
	return lines
}

// sum is the line about all files, "" where one job has them all.
func (l *live) sum() string {
	var all transfer
	having := 0
	for _, j := range l.byID {
		t := transferOf(j)
		all = all.plus(t)
		if t.left > 0 {
			having++
		}
	}
	rate := l.speed("", all)
	if having < 2 {
		return ""
	}
	return fmt.Sprintf("%-29s %s %d files to come, %s", "all", bar(all.fraction()), all.left, all.text(rate))
}

func bar(fraction float64) string {
	const w = 20
	full := int(fraction*w + 0.5)
	return strings.Repeat("█", full) + strings.Repeat("░", w-full)
}
