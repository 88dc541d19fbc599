package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client/catalog"
)

// TestTheHelpSaysWhatIsKnown: what is not documented is said where it matters, by the checks.
func TestTheHelpSaysWhatIsKnown(t *testing.T) {
	for help, want := range map[string]string{
		"shape <w>:<h>; allowed values are not documented":                     "shape <w>:<h>",
		"default 1; bounds are not documented; whole numbers":                  "default 1; whole numbers",
		"ids are not documented":                                               "ids are not documented",
		"subject-library input; the keys are not documented, so raw JSON":      "subject-library input; the keys are not documented, so raw JSON",
		"output resolution; allowed values are not documented for most models": "output resolution",
	} {
		assert.Equal(t, want, (&catalog.Field{Help: help}).Says())
	}
}
