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

// Row is what was asked, and what the answer says. Texts are as the gateway sent them: clean
// them before showing.
type Row struct {
	What   string `json:"what"`             // list, query, content or create
	Format string `json:"format,omitempty"` // "" for a list
	// Path has {id} where the id stood.
	Path    string  `json:"path"`
	HTTP    int     `json:"http_status,omitempty"`
	Verdict Verdict `json:"verdict"`
	Said    string  `json:"said,omitempty"`
	// Dialect is the one whose words were tried, "" for those in use.
	Dialect string `json:"dialect,omitempty"`
}

// Report is all that was found out.
type Report struct {
	Rows []Row `json:"rows"`
	// Offered are the models of the catalog that a list names, Missing the others, and Unknown
	// the names that no model of the catalog goes by. All are nil when no list answered.
	Offered []string `json:"offered"`
	Missing []string `json:"missing"`
	Unknown []string `json:"unknown"`
	// Proposal is the dialect in use with what was found beside it; Found counts that.
	Proposal dialect.File `json:"proposal"`
	Found    int          `json:"found"`
	Notes    []string     `json:"notes,omitempty"`
}

// Any reports whether anything of the gateway's interface was found at all.
func (r Report) Any() bool {
	return slices.ContainsFunc(r.Rows, func(x Row) bool { return x.Verdict == There })
}
