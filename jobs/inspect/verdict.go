package inspect

import (
	"fmt"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	cut "darkroom/client/text"
	"darkroom/jobs"
)

// From these ages on, a task that waits or works is worth a remark. The gateway names
// no times of its own.
const (
	longQueued  = 10 * time.Minute
	longRunning = 30 * time.Minute
)

// Verdict says in a few words how the id stands, what that means, and what to do next. Its texts
// are clean.
type Verdict struct {
	Status string `json:"-"` // for the sign: a client.Status, "" for none
	Text   string `json:"text"`
	// Means are whole sentences.
	Means string `json:"means"`
	Next  string `json:"next,omitempty"`
	// Long says that the task takes longer than usual.
	Long bool `json:"long,omitempty"`
}

// Sentences says what it means and what to do next.
func (v Verdict) Sentences() string { return strings.TrimSpace(v.Means + " " + v.Next) }

// Ways says how a person who reads the verdict can do what it proposes: by the key of an action, or
// a command.
type Ways struct {
	Again   string // asks again
	Queue   string // shows the job
	Format  string // asks all formats
	Results string // asks the addresses of results
	// Dur writes a time span.
	Dur func(time.Duration) string
	// Catalog says what errors mean; nil for no explanations.
	Catalog *catalog.Catalog
}

// toSupport is the advice where nobody here can do more.
const toSupport = "give the id and the request id to the gateway's support"

// Verdict sums up what has come until now.
func (f *Findings) Verdict(w Ways, now time.Time) Verdict {
	switch t := f.Task(); {
	case t != nil:
		return f.ofTask(t, w, now)
	case f.Busy() > 0 || f.Pending:
		return Verdict{Text: f.Progress()}
	default:
		return f.ofErrors(w)
	}
}

// ofTask says what a task's state means.
func (f *Findings) ofTask(t *client.Task, w Ways, now time.Time) Verdict {
	v := Verdict{Status: string(t.Status), Text: string(t.Status)}
	switch t.Status {
	case client.StatusCompleted:
		v.Means, v.Next = f.finished(t, w, now)
	case client.StatusFailed:
		v.Means, v.Next = f.failed(t, w)
	case client.StatusQueued:
		f.waiting(&v, t, w, now, longQueued, "It waits for its turn", "Waiting")
	case client.StatusRunning:
		f.waiting(&v, t, w, now, longRunning, "It is being made", "Running")
	default:
		v.Means = unlisted(t.RawStatus) + " That is taken for neither an end nor a success."
		v.Next = fmt.Sprintf("%s asks again. If it stays so, %s.", w.Again, toSupport)
	}
	return v
}

// finished says what to know of a task that is finished.
func (f *Findings) finished(t *client.Task, w Ways, now time.Time) (means, next string) {
	means = "It is finished."
	var ended time.Time // the last end of an address, zero where one has none
	urls, elsewhere := 0, 0
	for i := range t.Assets {
		switch a := &t.Assets[i]; {
		case a.URL != "":
			if at := Expiry(a.URL); urls == 0 || at.IsZero() || !ended.IsZero() && at.After(ended) {
				ended = at
			}
			urls++
		case a.Content || len(a.Inline) > 0:
			elsewhere++
		}
	}
	switch {
	case len(t.Assets) == 0:
		return means + " The answer names no result that is known here.", "See the answer as it came."
	case urls == 0 && elsewhere > 0 && t.Assets[0].Content:
		means += " The answer names no address of the result: it is at the task's content path."
	case urls > 0 && !ended.IsZero() && ended.Before(now):
		means += " By its own date, the address of the result ended " + human.Ago(now.Sub(ended)) + "."
		next = w.Results + " asks whether it still answers. "
	}
	if f.Job != nil {
		next += w.Queue + " shows its job, and its files."
	}
	return means, strings.TrimSpace(next)
}

// failed says what to know of a task that failed.
func (f *Findings) failed(t *client.Task, w Ways) (means, next string) {
	means = "It failed at the gateway, which is final."
	if term := strings.ToLower(t.RawStatus); term != "" && !strings.Contains(term, "fail") && !strings.Contains(term, "error") {
		means = fmt.Sprintf("It ended as “%s” at the gateway, without a result, which is final.", short(t.RawStatus))
	}
	if w.Catalog != nil {
		if e, _ := f.Explain(w.Catalog); e.Listed {
			return means, sentence(e.Rule.Next)
		}
	}
	if t.Error == nil || t.Error.Code+t.Error.Message == "" {
		return means + " The answer gives no reason that is known here.", "See the answer as it came; else " + toSupport + "."
	}
	return means, "Where the error's own words name a field or the input, change that and submit it again; else " + toSupport + "."
}

// sentence makes a sentence of a rule's words.
func sentence(s string) string {
	if s = client.CleanLine(s); s == "" {
		return ""
	}
	if s[0] >= 'a' && s[0] <= 'z' {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return strings.TrimSuffix(s, ".") + "."
}

// short is a word of the gateway's, as it stands in a sentence.
func short(s string) string { return cut.Clip(client.CleanLine(s), 80) }

// unlisted says what is known of a state that no list has.
func unlisted(term string) string {
	switch term = short(term); strings.ToLower(term) {
	case "":
		return "The answer names no state."
	case "unknown":
		return fmt.Sprintf("The gateway says “%s”, as other gateways do of a task that they have only just taken.", term)
	default:
		return fmt.Sprintf("“%s” is a state that the interface does not list.", term)
	}
}

// waiting says that a task is under way, and since when where that is long.
func (f *Findings) waiting(v *Verdict, t *client.Task, w Ways, now time.Time, limit time.Duration, what, since string) {
	began := t.CreatedAt
	if began.IsZero() && f.Job != nil {
		began = f.Job.SubmittedAt
	}
	v.Means, v.Next = what+".", w.Again+" asks again."
	p := f.Pace(now)
	switch {
	case p != nil:
		v.Long, v.Means = p.Slow || p.Still > 0, p.Text(since, w.Dur)
		if v.Long {
			v.Next += " If it stays so, " + toSupport + "."
		}
	case began.IsZero() && t.AsSent.Created != "":
		v.Means += " Since when is not certain: the answer's times have no zone."
	case !began.IsZero() && now.Sub(began) >= limit:
		v.Long = true
		v.Means = fmt.Sprintf("%s for %s, which is long.", since, w.Dur(now.Sub(began).Truncate(time.Second)))
		v.Next += " If it stays so, " + toSupport + "."
	}
}

// ofJob is the verdict on a job of the history that the gateway cannot be asked about.
func ofJob(j *jobs.Job, w Ways) Verdict {
	if j.State == jobs.Completed {
		return Verdict{Status: j.State.Coarse(), Text: "completed, without a task",
			Means: "The answer to the create was the result itself, so there is nothing to ask the gateway about.", Next: w.Queue + " shows the job."}
	}
	return Verdict{Status: j.State.Coarse(), Text: "no task yet",
		Means: "This is a job of the history that has no task id, so there is nothing to ask the gateway about.", Next: w.Queue + " shows it."}
}
