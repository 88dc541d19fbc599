package catalog

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestModesAreCalledByWhatTheyDo(t *testing.T) {
	m := Model{Modes: []Mode{{Name: "i2v", Label: "image to video"}, {Name: "t2v", Label: "text to video"}, {Name: "t2v_hd", Label: "text to video"}, {Name: "bare"}, {Label: "only one"}}}
	for name, want := range map[string]string{"i2v": "image to video", "t2v": "text to video t2v", "t2v_hd": "text to video t2v_hd", "bare": "bare", "unknown": "unknown", "": "only one"} {
		assert.Equal(t, want, m.ModeCalled(name), name)
	}
}
