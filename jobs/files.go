package jobs

import (
	"path/filepath"
	"slices"

	"darkroom/client"
)

// FileState says how far a result is on its way to the disk.
type FileState string

// States of a file.
const (
	FileWanted   FileState = "wanted"
	FileFetching FileState = "fetching"
	FileSaved    FileState = "saved"
	FileFailed   FileState = "failed"
	// FileRemoved: it was saved, and removed again because the job was rejected.
	FileRemoved FileState = "removed"
)

// File is one asset of a job on its way to, or on, the disk.
type File struct {
	Index     int              `json:"index"`
	Kind      client.AssetKind `json:"kind"`
	State     FileState        `json:"state"`
	Path      string           `json:"path,omitempty"` // absolute, when saved
	Bytes     int64            `json:"bytes"`
	Total     int64            `json:"total"` // -1 when not known
	SHA256    string           `json:"sha256,omitempty"`
	MediaType string           `json:"media_type,omitempty"`
	Error     string           `json:"error,omitempty"`
	// Proof says which installation saved it, see [Installation.Saved]; "" if unknown.
	Proof string `json:"proof,omitempty"`
	// Elsewhere: another installation saved it, or claims so, and the path must not be used here.
	// An engine sets it in what it returns; see [File.Here].
	Elsewhere bool `json:"elsewhere,omitempty"`
}

// Here reports whether this installation saved the file on this machine's disk: only then may its
// path be opened, played or read.
func (f *File) Here() bool { return f.State == FileSaved && !f.Elsewhere }

// filesPending reports whether a file is still on its way.
func filesPending(files []File) bool {
	return slices.ContainsFunc(files, func(f File) bool {
		return f.State == FileWanted || f.State == FileFetching
	})
}

// Saving reports whether files of the job are still to come.
func (j *Job) Saving() bool { return filesPending(j.Files) }

// Fetching reports whether a file of the job is on its way just now.
func (j *Job) Fetching() bool {
	return slices.ContainsFunc(j.Files, func(f File) bool { return f.State == FileFetching })
}

// Unsaved returns how many files of a completed job could not be saved and are not tried again.
func (j *Job) Unsaved() (n int) {
	for i := range j.Files {
		if j.State == Completed && j.Files[i].State == FileFailed {
			n++
		}
	}
	return n
}

// Saved reports whether every file of the job is on the disk, as far as is known.
func (j *Job) Saved() bool {
	return len(j.Files) > 0 && len(j.Files) >= len(j.Assets) &&
		!slices.ContainsFunc(j.Files, func(f File) bool { return f.State != FileSaved })
}

// SavesOnly reports whether saving its files is all that is left to do for the job: dropping it
// stops only that.
func (j *Job) SavesOnly() bool { return !j.State.Active() && j.State != Ambiguous && j.Saving() }

// Wordy reports whether the result can be words only: the job has completed without media.
func (j *Job) Wordy() bool { return j.State == Completed && len(j.Assets)+len(j.Files) == 0 }

// Done returns the progress of a task, or of saving its files, from 0 to 1; false if unknown.
func (j *Job) Done() (float64, bool) {
	if j.State == Running && j.Progress >= 0 {
		return min(j.Progress/100, 1), true
	}
	return TransferOf(j.Files).Fraction()
}

// OpenPath is the first file on the disk, the result itself before a picture that stands for it;
// "" if there is none.
func (j *Job) OpenPath() string {
	best := ""
	for i := range j.Files {
		f := &j.Files[i]
		if !f.Here() {
			continue
		}
		if f.Kind == client.AssetVideo || f.Kind == client.AssetImage || f.Kind == client.AssetAudio {
			return f.Path
		}
		if best == "" {
			best = f.Path
		}
	}
	return best
}

// Folder is the one folder that holds all of the job's files on the disk; "" if there are several.
func (j *Job) Folder() string {
	dir := ""
	for i := range j.Files {
		if f := &j.Files[i]; f.Here() {
			d := filepath.Dir(f.Path)
			if dir != "" && d != dir {
				return ""
			}
			dir = d
		}
	}
	return dir
}

// Result is a file on the disk that can be looked at. Poster is a picture that stands for it where
// it cannot be shown itself, and Spare replaces a Poster that was removed; "" for none.
type Result struct {
	Path, Poster, Spare string
	Kind                client.AssetKind
}

// Face is the result that stands for the job, see [Job.Showpiece]. Without a Path there is none,
// nor is there for a nil job. Its Kind is not set.
func (j *Job) Face() Result {
	if j == nil {
		return Result{}
	}
	path, poster := j.Showpiece()
	return Result{Path: path, Poster: poster, Spare: j.spare(poster)}
}

// Filmed reports whether the file that stands for the job is a video.
func (j *Job) Filmed() bool {
	path, _ := j.Showpiece()
	return slices.ContainsFunc(j.Files, func(f File) bool {
		return f.Kind == client.AssetVideo && f.Here() && f.Path == path
	})
}

// spare is the last frame, unless that is the poster itself.
func (j *Job) spare(poster string) string {
	if poster == "" {
		return ""
	}
	for i := range j.Files {
		if f := &j.Files[i]; f.Kind == client.AssetLastFrame && f.Here() && f.Path != poster {
			return f.Path
		}
	}
	return ""
}

// Results are the saved files that are the job's result, or its pictures if nothing else was
// saved. A nil job has none.
func (j *Job) Results() []Result {
	if j == nil {
		return nil
	}
	var all, posters []Result
	for i := range j.Files {
		f := &j.Files[i]
		switch {
		case !f.Here():
		case f.Kind == client.AssetCover || f.Kind == client.AssetLastFrame:
			posters = append(posters, Result{Path: f.Path, Kind: f.Kind})
		default:
			all = append(all, Result{Path: f.Path, Kind: f.Kind})
		}
	}
	if len(all) == 0 {
		return posters
	}
	if len(all) == 1 && all[0].Kind != client.AssetImage {
		_, all[0].Poster = j.Showpiece()
		all[0].Spare = j.spare(all[0].Poster)
	}
	return all
}

// Showpiece is the saved file that shows the result, and the picture that stands for it
// where it cannot be shown itself: a cover before a last frame. Both are "" while
// nothing is saved; a picture alone is the result too.
func (j *Job) Showpiece() (path, poster string) {
	for i := range j.Files {
		f := &j.Files[i]
		if !f.Here() {
			continue
		}
		switch f.Kind {
		case client.AssetCover:
			poster = f.Path
		case client.AssetLastFrame:
			if poster == "" {
				poster = f.Path
			}
		default:
			if path == "" {
				path = f.Path
			}
		}
	}
	if path == "" {
		path = poster
	}
	return path, poster
}

// Transfer is the progress of saving the files of jobs; zero if none is to come.
type Transfer struct {
	Left int // files that are not there yet
	// Done and Total are in bytes, with those of files that are there already. Total is -1
	// while the length of one of them is not known.
	Done, Total int64
	// Why says why a file of one job waits for another try; "" if none does.
	Why string
}

// TransferOf adds up the files of a job. Files that failed count for nothing.
func TransferOf(files []File) (t Transfer) {
	for i := range files {
		f := &files[i]
		switch f.State {
		case FileFailed, FileRemoved:
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

// Fraction is the progress from 0 to 1; false while it is unknown.
func (t Transfer) Fraction() (float64, bool) {
	if t.Left == 0 || t.Total <= 0 {
		return 0, false
	}
	return min(float64(t.Done)/float64(t.Total), 1), true
}
