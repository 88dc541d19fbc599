package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client/catalog"
)

func TestAFindingCallsItsFieldByAnotherName(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ field, name, message, want string }{
		{"duration", "Length", "duration is 5; usual: 4", "Length is 5; usual: 4"},
		{"images", "Images", "images[1]: images differ", "Images[1]: images differ"},
		{"parameters", "Parameters", "parameters.seed is x", "Parameters.seed is x"},
		{"image", "Image", "image", "Image"},
		{"image", "Image", "image_list is x", "image_list is x"},
		{"image", "Image", "images are x", "images are x"},
		{"prompt", "Prompt", "the prompt is sent as it is", "the prompt is sent as it is"},
		{"seed", "", "seed is x", "seed is x"},
		{"", "Seed", "seed is x", "seed is x"},
	} {
		p := catalog.Problem{Field: x.field, Message: x.message}
		assert.Equal(t, x.want, p.Called(x.name))
		assert.Equal(t, x.message, p.Message, "for a command it stays")
	}
}
