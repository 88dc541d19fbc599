package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
)

func TestAFindingSpeaksAsTheFormDoes(t *testing.T) {
	t.Parallel()
	c := catalogtest.Catalog(t)
	for _, x := range []struct{ field, label, message, want string }{
		{"reference_images", "References", "reference_images is missing: mode r2v of famI-omni needs a reference (any of reference_images, images, image, content)",
			"References is missing: “reference to video” of famI-omni needs a reference (any of References, Images, First image, Content)"},
		{"mode", "Mode", "mode is not set: for famA3 pass it together with image; one of t2v, i2v_first_last, reference_images",
			"Mode is not set: for famA3 pass it together with First image; one of text to video, first and last frame, reference images"},
		{"end_image", "Last image", "end_image goes with generate_audio and x_y", "Last image goes with Audio track and x_y"},
		{"image", "First image", `image: "aspect_ratio" in https://e.org/end_image.png and parameters.aspect_ratio`,
			`First image: "aspect_ratio" in https://e.org/end_image.png and parameters.aspect_ratio`},
		{"size", "Size", "size is an image of 5 s at 24 fps", "Size is an image of 5 s at 24 fps"},
	} {
		assert.Equal(t, x.want, c.Worded(client.Video, &catalog.Problem{Field: x.field, Message: x.message}, x.label))
	}
}
