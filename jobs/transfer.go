package jobs

// Transfer is how far the files of jobs are on their way to the disk; the zero value when
// none is to come.
type Transfer struct {
	Left int // files that are not there yet
	// Done and Total are in bytes, with those of files that are there already. Total is -1
	// while the length of one of them is not known.
	Done, Total int64
	// Why a file of one job waits to be tried again; "" when none does.
	Why string
}

// TransferOf adds up the files of a job. Files that failed count for nothing.
func TransferOf(files []File) (t Transfer) {
	for i := range files {
		f := &files[i]
		switch f.State {
		case FileFailed:
			continue
		case FileSaved:
		default:
			t.Left++
			if f.Total <= 0 { // no result is empty
				t.Total = -1
			}
			if f.State == FileWanted && f.Error != "" {
				t.Why = f.Error
			}
		}
		t.Done += max(0, f.Bytes)
		if t.Total >= 0 {
			t.Total += max(f.Total, f.Bytes, 0)
		}
	}
	if t.Left == 0 {
		return Transfer{}
	}
	return t
}

// Plus adds up the transfers of several jobs.
func (t Transfer) Plus(o Transfer) Transfer {
	switch {
	case o.Left == 0:
		return t
	case t.Left == 0:
		o.Why = ""
		return o
	}
	sum := Transfer{Left: t.Left + o.Left, Done: t.Done + o.Done, Total: -1}
	if t.Total >= 0 && o.Total >= 0 {
		sum.Total = t.Total + o.Total
	}
	return sum
}

// Fraction is from 0 to 1; false while nobody knows.
func (t Transfer) Fraction() (float64, bool) {
	if t.Left == 0 || t.Total <= 0 {
		return 0, false
	}
	return min(float64(t.Done)/float64(t.Total), 1), true
}
