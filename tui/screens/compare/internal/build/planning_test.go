package build

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/jobs/compare"
	"darkroom/jobs/compare/suite"
)

// TestThePlanPromisesNoSeedThatIsNotSent: some models take none, and cells that cannot run send nothing.
func TestThePlanPromisesNoSeedThatIsNotSent(t *testing.T) {
	t.Parallel()
	drawn := compare.Cell{Seeds: suite.SeedEach}
	fixed := compare.Cell{Draft: client.Draft{Values: client.Values{expand.FieldSeed: "42"}}}
	without, cannot := compare.Cell{}, compare.Cell{Cannot: "it has no such mode"}
	for _, c := range []struct {
		seed  string
		cells []compare.Cell
		want  string
	}{
		{suite.SeedEach, nil, "one for each repeat, the same for all models"},
		{suite.SeedEach, []compare.Cell{drawn, drawn, cannot}, "one for each repeat, the same for all models"},
		{suite.SeedEach, []compare.Cell{drawn, without, without, cannot}, "one for each repeat, the same for all models; 2 of 3 cells take none"},
		{suite.SeedSame, []compare.Cell{without, cannot}, "none: no chosen model takes one"},
		{"42", []compare.Cell{fixed, fixed}, "42"},
		{suite.SeedNone, []compare.Cell{without}, "none is sent"},
	} {
		p := planning{cells: cellsOf(&compare.Run{Cells: c.cells})}
		assert.Equal(t, c.want, p.seedText(c.seed))
	}
}
