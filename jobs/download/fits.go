package download

import (
	"darkroom/client"
	"darkroom/client/sniff"
)

// fits reports whether bytes of a type can be what an asset is said to be, and returns the type
// under which they are kept.
func fits(kind client.AssetKind, t sniff.Type) (sniff.Type, bool) {
	if t.Class == sniff.Unknown {
		return t, true // kept as .bin: better than nothing, and no lie
	}
	switch kind {
	case client.AssetVideo:
		return t, t.Class == sniff.Video || t.MediaType == "image/gif"
	case client.AssetAudio:
		if t.MediaType == "video/mp4" { // MP4 with a general brand may hold sound alone
			return sniff.Type{Class: sniff.Audio, MediaType: "audio/mp4", Ext: "m4a"}, true
		}
		return t, t.Class == sniff.Audio || t.MediaType == "video/webm"
	case client.AssetImage, client.AssetCover, client.AssetLastFrame:
		return t, t.Class == sniff.Image
	default:
		return t, t.Class != sniff.Text
	}
}
