package storetest

import (
	"testing"

	"darkroom/jobs"
)

func TestMem(t *testing.T) {
	t.Parallel()
	Run(t, func(*testing.T) jobs.Store { return NewMem() })
}
