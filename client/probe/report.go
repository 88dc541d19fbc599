package probe

import (
	"slices"

	"darkroom/client/dialect"
)

// Verdict is what an answer says about a path.
type Verdict string

// Verdicts.
const (
	// There: the path exists.
	There Verdict = "there"
	// Absent: the gateway has no such path.
	Absent Verdict = "absent"
	// Refused: the key does not reach it.
	Refused Verdict = "refused"
	// Unclear: the answer says neither.
	Unclear Verdict = "unclear"
	// NotAsked: only a create would tell, and none is sent.
	NotAsked Verdict = "not asked"
)

// What is asked.
const (
	List    = "list"
	Query   = "query"
	Content = "content"
	Create  = "create"
)

// Row is one question and what its answer says. Texts are as the gateway sent them: clean them
// before showing.
type Row struct {
	What   string `json:"what"`             // list, query, content or create
	Format string `json:"format,omitempty"` // "" for a list
	// Path has {id} in place of the id.
	Path    string  `json:"path"`
	HTTP    int     `json:"http_status,omitempty"`
	Verdict Verdict `json:"verdict"`
	Said    string  `json:"said,omitempty"`
	// Dialect is the name of the dialect whose words were tried, "" for the one in use.
	Dialect string `json:"dialect,omitempty"`
}

// Report is everything the probe found.
type Report struct {
	Rows []Row `json:"rows"`
	// Offered are the models of the catalog that a list names, Missing the others, and Unknown the
	// listed names that belong to no model of the catalog. All are nil when no list answered.
	Offered []string `json:"offered"`
	Missing []string `json:"missing"`
	Unknown []string `json:"unknown"`
	// Proposal is the dialect in use with the findings added; Found counts those.
	Proposal dialect.File `json:"proposal"`
	Found    int          `json:"found"`
	Notes    []string     `json:"notes,omitempty"`
}

// Any reports whether any part of the gateway's interface was found.
func (r Report) Any() bool {
	return slices.ContainsFunc(r.Rows, func(x Row) bool { return x.Verdict == There })
}
