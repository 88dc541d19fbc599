// Package notices has the licences of the modules linked into the program: an embedded list made
// from the modules themselves.
package notices

import (
	_ "embed"
	"encoding/json"
	"runtime"
)

//go:generate go test -count=1 -run TestNoticesAreCurrent -update .

// embedded is not read before it is asked for.
//
//go:embed notices.json
var embedded []byte

// std is the name for Go's own library and runtime.
const std = "std"

// Notice is a module linked into the program on at least one of its systems.
type Notice struct {
	Module string `json:"module"`
	// Version is as in go.mod; for std it is that of the toolchain that built the program.
	Version string `json:"version"`
	// Licence holds SPDX identifiers; several if parts of the module have their own.
	Licence string `json:"licence"`
	// Texts are complete, and in the order of their file names.
	Texts []Text `json:"texts,omitempty"`
}

// Text is one file of a module: a licence, a notice or a patent grant.
type Text struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// All lists the notices by module path. An error means that the program was built wrongly.
func All() ([]Notice, error) {
	var all []Notice
	if err := json.Unmarshal(embedded, &all); err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].Module == std {
			all[i].Version = runtime.Version()
		}
	}
	return all, nil
}
