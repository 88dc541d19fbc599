package inspect

import (
	"darkroom/client"
)

// taskOut is a task as -o json prints it.
type taskOut struct {
	*client.Task
	Meta metaOut `json:"meta"`
}

// metaOut is what an exchange told, as -o json prints it.
type metaOut struct {
	client.Meta
	Latency   *struct{} `json:"latency,omitempty"`
	LatencyMS int64     `json:"latency_ms"`
}

func newTaskOut(t *client.Task) *taskOut {
	if t == nil {
		return nil
	}
	return &taskOut{Task: t, Meta: metaOut{Meta: t.Meta, LatencyMS: t.Meta.Latency.Milliseconds()}}
}
