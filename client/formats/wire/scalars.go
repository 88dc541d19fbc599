package wire

import (
	"encoding/json"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"darkroom/client"
)

// status normalises a status term, in any case. A term that is not listed, "unknown"
// among them, is client.StatusUnknown: no end, and no success.
func status(term string) client.Status {
	t := strings.ToLower(strings.TrimSpace(term))
	t = strings.Trim(strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' || r == '.' {
			return '_'
		}
		return r
	}, t), "_")
	for strings.Contains(t, "__") {
		t = strings.ReplaceAll(t, "__", "_")
	}
	t = strings.TrimPrefix(t, "task_status_")
	switch t {
	case "queued", "queueing", "queuing", "pending", "created", "submitted", "submitting", "accepted",
		"waiting", "wait", "not_start", "not_started", "notstart", "scheduled", "preparing", "init", "initialized",
		"in_queue", "inqueue", "throttled", "new", "received", "enqueued":
		return client.StatusQueued
	case "running", "processing", "in_progress", "inprogress", "in_process", "generating", "started",
		"streaming", "rendering", "uploading", "working", "executing", "text_success", "first_success",
		"starting", "dreaming", "in_generation", "generation", "ongoing":
		return client.StatusRunning
	case "completed", "complete", "succeeded", "succeed", "success", "successful", "done", "finished", "finish":
		return client.StatusCompleted
	case "failed", "failure", "fail", "error", "cancelled", "canceled", "expired", "timeout", "timed_out",
		"cancel", "rejected", "aborted", "terminated", "time_out", "incomplete", "create_task_failed", "generate_audio_failed",
		"callback_exception", "sensitive_word_error":
		return client.StatusFailed
	default:
		return client.StatusUnknown
	}
}

// progress reads 37, 37.5, "37", "37%"; anything else is -1.
func progress(raw json.RawMessage) float64 {
	s := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text(raw)), "%"))
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || f < 0 {
		return -1
	}
	return math.Min(f, 100)
}

// moment reads a time: seconds, or above 1e11 milliseconds, above 1e14 microseconds, as
// number or string, or RFC 3339. Times without a zone tell no moment and are left out.
func moment(raw json.RawMessage) (time.Time, bool) {
	s := strings.TrimSpace(text(raw))
	if s == "" {
		return time.Time{}, false
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		switch {
		case math.IsNaN(f) || f <= 0 || f > 1e17:
			return time.Time{}, false
		case f > 1e14:
			return time.UnixMicro(int64(f)).UTC(), true
		case f > 1e11:
			return time.UnixMilli(int64(f)).UTC(), true
		default:
			sec, frac := math.Modf(f)
			return time.Unix(int64(sec), int64(frac*1e9)).UTC(), true
		}
	}
	for _, layout := range zoned {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 1 {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// zoned are layouts that name a moment; parsing takes fractions of a second too.
var zoned = []string{
	time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00",
	"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -0700 MST", time.RFC1123, time.RFC1123Z,
}

// moment reads a time from the first of the named members that has one, unless one is known
// already: into at the moment, into sent the text of a time without a zone.
func (o *Obj) moment(at *time.Time, sent *string, names ...string) {
	if o == nil || !at.IsZero() || *sent != "" {
		return
	}
	for _, n := range names {
		raw := o.get(n)
		if t, ok := moment(raw); ok {
			*at = t
			o.take(n)
			return
		}
		if s := strings.TrimSpace(text(raw)); zoneless(s) {
			*sent = s
			o.take(n)
			return
		}
	}
}

// zoneless reports a date with a time of day and without a zone.
func zoneless(s string) bool {
	if len(s) < len("2006-01-02 5:04:05") { // most often: parsing what is not there takes longer than all else
		return false
	}
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006/01/02 15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 1 { // parsing takes fractions of a second, too
			return true
		}
	}
	return false
}

// webURL returns s when it can be downloaded: an absolute http(s) URL without a user, or a path of
// the gateway itself, which the client resolves. Error texts, which some gateways put into
// result_url, are neither.
func webURL(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 16<<10 || strings.ContainsAny(s, " \t\r\n\"<>\\^`{|}") {
		return "", false
	}
	u, err := url.Parse(s)
	if err != nil || u.User != nil {
		return "", false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return s, u.Hostname() != ""
	case "":
		return s, u.Host == "" && len(s) > 1 && s[0] == '/' && s[1] != '/' && !strings.HasPrefix(s, "/9j/") // a JPEG in base64
	default:
		return "", false
	}
}

// The names under which one thing was seen, likeliest first.
var (
	statusNames   = []string{"status", "state", "task_status", "taskStatus", "task_state", "taskState", "job_status"}
	progressNames = []string{"progress", "task_progress", "percent", "percentage"}
	createdNames  = []string{"created_at", "created", "createdAt", "create_time", "createTime", "submit_time", "created_time"}
	startedNames  = []string{"started_at", "startedAt", "start_time", "startTime", "scheduled_time"}
	endedNames    = []string{"ended_at", "completed_at", "completedAt", "finish_time", "end_time", "endTime"}
	updatedNames  = []string{"updated_at", "updatedAt", "update_time", "updateTime"}
)
