package follow

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs"
)

func TestMoneyIsSpokenOfWhereThereIsSome(t *testing.T) {
	t.Parallel()
	j := jobs.Job{ID: "0195a000-0000-7000-8000-000000000005", State: jobs.Ambiguous, Profile: "studio"}
	assert.Contains(t, Next(j), "(it may be made twice, and billed twice)")
	j.Profile = jobs.Embedded
	assert.Contains(t, Next(j), "(it may be made twice)")
}
