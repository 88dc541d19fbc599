// Package formats is the explicit list of the wire formats. A new format is one folder
// and one line here.
package formats

import (
	"darkroom/client"
	"darkroom/client/formats/chat"
	"darkroom/client/formats/content"
	"darkroom/client/formats/ent"
	"darkroom/client/formats/images"
	"darkroom/client/formats/models"
	"darkroom/client/formats/music"
	"darkroom/client/formats/native"
	"darkroom/client/formats/responses"
	"darkroom/client/formats/status"
	"darkroom/client/formats/tasks"
	"darkroom/client/formats/videos"
)

// All returns every format, in the order in which screens list them.
func All() []client.Format {
	return []client.Format{
		videos.New(),
		content.New(),
		ent.New(),
		tasks.New(),
		status.New(),
		images.New(),
		music.New(),
		responses.New(),
		chat.New(),
		native.New(),
	}
}

// ModelLists returns the codecs of all model lists, those with a shown path first.
func ModelLists() []client.ModelLister {
	return []client.ModelLister{models.Native{}, models.OpenAI{}}
}
