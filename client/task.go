package client

import (
	"cmp"
	"encoding/json"
	"time"
)

// Status is the normalised state of a task. The answer's own term is always kept beside it.
type Status string

// Normalised states (GATEWAY: States and transitions). StatusUnknown is a term that is not listed:
// it is never an end and never a success.
const (
	StatusUnknown   Status = "unknown"
	StatusQueued    Status = "queued"
	StatusRunning   Status = "running"
	StatusCompleted Status = "completed"
	StatusFailed    Status = "failed"
)

// Terminal reports whether polling ends at this state.
func (s Status) Terminal() bool { return s == StatusCompleted || s == StatusFailed }

// AssetKind says what an asset is.
type AssetKind string

// Kinds of assets.
const (
	AssetVideo     AssetKind = "video"
	AssetImage     AssetKind = "image"
	AssetAudio     AssetKind = "audio"
	AssetCover     AssetKind = "cover"      // poster of a video, cover of a song
	AssetLastFrame AssetKind = "last_frame" // last frame of a video
)

// Asset is one piece of a result: behind a URL, or inline.
type Asset struct {
	Kind AssetKind `json:"kind"`
	// URL is an absolute http(s) URL, or "" when the asset is inline or available only at the
	// format's content path.
	URL string `json:"url,omitempty"`
	// Content says that the bytes are available at the task's content path in its format (GATEWAY:
	// GET /v1/videos/{id}/content).
	Content bool `json:"content,omitempty"`
	// Inline is the decoded bytes where the answer carried them (b64_json). They go to disk and
	// never into the history.
	Inline    []byte `json:"-"`
	MediaType string `json:"media_type,omitempty"`
	Title     string `json:"title,omitempty"`
}

// TaskError is a failure that a task reports about itself.
type TaskError struct {
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	Type    string `json:"type,omitempty"`
	Param   string `json:"param,omitempty"`
}

// Task is the normalised view of an answer about a task, with the untouched body. All texts are as
// the gateway sent them: clean them (see [Clean]) before showing.
type Task struct {
	// ID is the id to query by; "" for an answer that is a finished result.
	ID string `json:"id,omitempty"`
	// AltIDs are further ids that the answer carries.
	AltIDs []string `json:"alt_ids,omitempty"`
	// Own are the ids that say which task the answer is about; see [Task.About].
	Own Own `json:"-"`
	// Format names the format whose query path knows the task: the one that created
	// it, or another one (an image answer that is a response object).
	Format string `json:"format"`
	Model  string `json:"model,omitempty"`

	// Absent is set where the answer is the format's own term for a task that does not exist, which
	// is not a state. The term is kept in RawStatus; Absent says, for people, why the task may not
	// be there, as "not found there, or older than 24 hours".
	Absent string `json:"-"`

	RawStatus string `json:"raw_status,omitempty"`
	Status    Status `json:"status"`
	// Progress is 0..100, or -1 when the answer has none.
	Progress float64 `json:"progress"`

	Assets []Asset         `json:"assets,omitempty"`
	Error  *TaskError      `json:"error,omitempty"`
	Usage  json.RawMessage `json:"usage,omitempty"`

	Title  string `json:"title,omitempty"`
	Lyrics string `json:"lyrics,omitempty"`
	// Text is the answer of a chat model or of a text item of a response.
	Text string `json:"text,omitempty"`

	// When the task was created, when work on it began, when it ended, and when anything in it last
	// changed. Zero when the answer has none, or one without a zone, which names no moment and is
	// in AsSent. A time above 1e11 was taken as milliseconds. EndedAt is set for an ended task
	// alone: some gateways stamp each change with it.
	CreatedAt time.Time `json:"created_at,omitzero"`
	StartedAt time.Time `json:"started_at,omitzero"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at,omitzero"`
	// AsSent are the times without a zone, as they were sent.
	AsSent AsSent `json:"times_as_sent,omitzero"`

	// Extra are the fields that no part of the normalised view uses, by name.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
	// Raw is the body as it came (after decompression and the size cap).
	Raw []byte `json:"-"`
	// Meta is about the HTTP exchange itself.
	Meta Meta `json:"meta,omitzero"`
}

// AsSent are times that name no moment, since they have no zone; "" for none.
type AsSent struct {
	Created string `json:"created,omitempty"`
	Started string `json:"started,omitempty"`
	Ended   string `json:"ended,omitempty"`
	Updated string `json:"updated,omitempty"`
}

// Words are the text of the answer: a text, or a song's lyrics; "" for none.
func (t Task) Words() string { return cmp.Or(t.Text, t.Lyrics) }

// Meta is what one HTTP exchange shows besides its body.
type Meta struct {
	HTTPStatus int           `json:"http_status,omitempty"`
	RequestID  string        `json:"request_id,omitempty"` // X-Request-Id or a known kin of it
	Path       string        `json:"path,omitempty"`       // method and path, no host, no key
	At         time.Time     `json:"at,omitzero"`          // when the answer was complete
	Latency    time.Duration `json:"latency,omitempty"`    // request written to answer complete
}
