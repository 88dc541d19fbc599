// Package notices has the licences of what the program is linked with: a list that is made
// from the modules themselves, and embedded.
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

// Std is the name that Go's own library and runtime go by.
const Std = "std"

// Notice is a module that the program is linked with, on one of the systems that it is for.
type Notice struct {
	Module string `json:"module"`
	// Version is as go.mod has it; that of Std is the toolchain's that built the program.
	Version string `json:"version"`
	// Licence has SPDX identifiers; more than one when parts of the module have one of their own.
	Licence string `json:"licence"`
	// Texts are whole, and in the order of their file names.
	Texts []Text `json:"texts,omitempty"`
}

// Text is a file of a module: a licence, a notice, a grant of patents.
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
		if all[i].Module == Std {
			all[i].Version = runtime.Version()
		}
	}
	return all, nil
}
