// Package run stub.
package run

import (
	"time"

	"darkroom/jobs/compare"
)

type Head struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Profile   string         `json:"profile"`
	Host      string         `json:"host,omitempty"`
	SuiteHash string         `json:"suite_hash"`
	CreatedAt time.Time      `json:"created_at"`
	EndedAt   time.Time      `json:"ended_at,omitzero"`
	Status    compare.Status `json:"status"`
	Tally     compare.Tally  `json:"tally"`
	Live bool `json:"live"`
	Error string `json:"error,omitempty"`
}

type News struct {
	Run     string
	Name    string
	Status  compare.Status
	EndedAt time.Time
	Live    bool
	Trouble string
	Trials []compare.Trial
	Checks     []compare.Check
	CellChecks map[int][]compare.Check
}

func Left(r *compare.Run) (missing, again int) { return 0, 0 }
