package follow

import (
	"fmt"
	"strings"
	"time"

	"darkroom/client/human"
	"darkroom/jobs"
)

// transferText is "3.1 MB of 9.0 MB, 1.2 MB/s, 5s left", as far as known.
func transferText(t jobs.Transfer, rate float64) string {
	parts := []string{human.Bytes(t.Done)}
	if t.Total > 0 {
		parts[0] += " of " + human.Bytes(t.Total)
	}
	if rate > 0 {
		parts = append(parts, human.Bytes(int64(rate))+"/s")
		if left := float64(t.Total - t.Done); t.Total > 0 && left > 0 {
			parts = append(parts, human.Dur(time.Duration(left/rate*float64(time.Second)))+" left")
		}
	}
	return strings.Join(parts, ", ")
}

// speed is a smoothed rate in bytes a second. It does not count what was there at the start.
type speed struct {
	at     time.Time
	bytes  int64
	rate   float64
	weight float64
}

const (
	speedEvery = 400 * time.Millisecond // between two samples
	speedNew   = 0.3                    // the weight of a new sample
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

// speed is the rate for a job's files, or for all files with "".
func (l *live) speed(id string, t jobs.Transfer) float64 {
	if t.Left == 0 {
		delete(l.speeds, id)
		return 0
	}
	s := l.speeds[id]
	if s == nil {
		s = &speed{}
		l.speeds[id] = s
	}
	return s.see(time.Now(), t.Done)
}

// filesOf has a line for each file of a job that has several and saves some of them.
func filesOf(j jobs.Job) (lines []string) {
	if len(j.Files) < 2 || jobs.TransferOf(j.Files).Left == 0 {
		return nil
	}
	for _, f := range j.Files {
		t := jobs.Transfer{Left: 1, Done: f.Bytes, Total: f.Total}
		text := transferText(t, 0)
		switch {
		case f.State == jobs.FileSaved:
			t.Done, t.Total, text = 1, 1, "saved, "+human.Bytes(f.Bytes)
		case f.State == jobs.FileFailed:
			text = "failed: " + f.Error
		case f.Error != "":
			text = "waiting: " + f.Error
		case f.State == jobs.FileWanted:
			text = "comes next"
		}
		lines = append(lines, fmt.Sprintf("  %-27s %s %s", f.Kind, barOf(t), text))
	}
	return lines
}

// fileLines are the lines of filesOf for all jobs.
func (l *live) fileLines() (lines []string) {
	for _, id := range l.order {
		lines = append(lines, filesOf(l.byID[id])...)
	}
	return lines
}

// sum is the line about all files; "" if they all belong to one job.
func (l *live) sum() string {
	var all jobs.Transfer
	having := 0
	for _, j := range l.byID {
		t := jobs.TransferOf(j.Files)
		all = all.Plus(t)
		if t.Left > 0 {
			having++
		}
	}
	rate := l.speed("", all)
	if having < 2 {
		return ""
	}
	return fmt.Sprintf("%-29s %s %d files to come, %s", "all", barOf(all), all.Left, transferText(all, rate))
}

// barOf is the bar of a transfer, empty while its progress is not known.
func barOf(t jobs.Transfer) string {
	fraction, _ := t.Fraction()
	return bar(fraction)
}

func bar(fraction float64) string {
	const w = 20
	full := int(fraction*w + 0.5)
	return strings.Repeat("█", full) + strings.Repeat("░", w-full)
}
