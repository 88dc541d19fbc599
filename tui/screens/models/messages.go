package models

import "darkroom/client"

// liveMsg is what the gateway's lists answered, joined with the catalog.
type liveMsg struct {
	gen     int
	sources []client.ModelSource
	rows    []row // nil when no list answered
	tally   tally
	err     error
}
