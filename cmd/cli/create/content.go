package create

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/cmd/cli/kit"
)

// contentHelp explains --content, in addition to the catalog's words about the field.
const contentHelp = "one item, in order: [TYPE:]ROLE[:NAME]=FILE-OR-ADDRESS, TYPE=FILE-OR-ADDRESS, text=WORDS, or JSON"

// contentLong is the paragraph about --content in the help.
const contentLong = `

--content adds one item to the content array, in the order of the flags; what begins with
{ or [ is JSON, an item or an array of them, and takes its turn among the others:
  --content text="the hero of Image 1 walks"      a text
  --content first_frame=kite.png                  a role; its type follows from the role,
                                                  else from the file or the address
  --content reference_image:hero=https://…/h.png  a role and a name to refer to
  --content video:opening=https://…/clip          a type said outright: image, video, audio
  --content audio=voice.mp3                       a type and no role
  --content image::hero=h.png                     a type and a name, and no role`

// contentRoles are the roles that the interface shows, for completion (GATEWAY: Content item);
// others are accepted, too.
var contentRoles = []string{"reference_image", "reference_video", "reference_audio", "first_frame"}

// contentTypes are the media types of content items, as --content names them.
var contentTypes = []string{"image", "video", "audio"}

var (
	roleShape = text.Pattern(`^[A-Za-z0-9_.-]*$`)
	scheme    = text.Pattern(`(?i)^(https?|data|file):`)
)

// contentItem makes an item from the short form of --content. A path becomes a file:// URL, which is
// read when it is sent.
func contentItem(s string) (map[string]any, error) {
	label, ref, ok := strings.Cut(s, "=")
	if !ok || scheme().MatchString(label) {
		return nil, fmt.Errorf("%q says no role: give ROLE=FILE-OR-ADDRESS, as first_frame=kite.png, or text=WORDS, or JSON", kit.FirstLine(s, 60))
	}
	if label == "text" {
		return map[string]any{"type": "text", "text": ref}, nil
	}
	kind, role, name, err := contentLabel(label)
	if err != nil {
		return nil, err
	}
	if ref == "" {
		return nil, fmt.Errorf("%s= is followed by no file and no address", label)
	}
	if ref, err = localFile(ref); err != nil {
		return nil, fmt.Errorf("%s: %w", label, err)
	}
	if kind == "" {
		if kind, err = contentKind(role, ref); err != nil {
			return nil, err
		}
	}
	return mediaItem(kind, role, name, ref), nil
}

// mediaItem is a media item of a content array (GATEWAY: Content item).
func mediaItem(kind, role, name, url string) map[string]any {
	key := kind + "_url"
	item := map[string]any{"type": key, key: map[string]any{"url": url}}
	if role != "" {
		item["role"] = role
	}
	if name != "" {
		item["name"] = name
	}
	return item
}

// contentLabel parses [TYPE:]ROLE[:NAME] and TYPE.
func contentLabel(label string) (kind, role, name string, err error) {
	first, rest, more := strings.Cut(label, ":")
	if t := strings.TrimSuffix(first, "_url"); slices.Contains(contentTypes, t) {
		kind = t
		role, name, _ = strings.Cut(rest, ":")
	} else {
		role, name = first, rest
		if role == "" || more && name == "" {
			return "", "", "", fmt.Errorf("%q: put [TYPE:]ROLE[:NAME] in front of the =, as reference_image:hero", label)
		}
	}
	if !roleShape().MatchString(role) {
		return "", "", "", fmt.Errorf("%q is not a role: letters, digits, _, - and . are; roles that are shown: %s", client.CleanLine(role), strings.Join(contentRoles, ", "))
	}
	return kind, role, name, nil
}

// contentKind is the type that a role implies, or else the type of the file or the address. If both
// are known they must agree.
func contentKind(role, ref string) (string, error) {
	is := client.MediaKind(ref)
	if path, ok := client.FilePath(ref); ok {
		mt, err := client.SniffMedia(path)
		if err != nil {
			return "", err
		}
		is, _, _ = strings.Cut(mt, "/")
	}
	kind := roleKind(role)
	switch {
	case kind == "" && is == "":
		return "", fmt.Errorf("%s: neither the role nor the address says whether it is an image, a video or an audio; say so: image:%s=…", role, role)
	case kind == "":
		return is, nil
	case is != "" && is != kind:
		return "", fmt.Errorf("%s stands for %s, and %q is %s; if that is meant, say so: %s:%s=…", role, kind, kit.FirstLine(ref, 60), is, is, role)
	default:
		return kind, nil
	}
}

// roleKind is the type that a role's name implies; "" if it implies none.
func roleKind(role string) string {
	switch {
	case strings.HasSuffix(role, "_image"), strings.HasSuffix(role, "_frame"):
		return "image"
	case strings.HasSuffix(role, "_video"):
		return "video"
	case strings.HasSuffix(role, "_audio"):
		return "audio"
	default:
		return ""
	}
}

// parseContent parses the value of one --content flag: the short form, or JSON.
func (f *fieldFlag) parseContent(i int) (any, error) {
	s := strings.TrimSpace(f.text[i])
	if s == "" {
		return nil, fmt.Errorf("--%s: %s", f.names[i], contentHelp)
	}
	if s[0] == '{' || s[0] == '[' {
		v, err := client.ParseJSON(s)
		if err != nil {
			return nil, fmt.Errorf("--%s: it begins like JSON and is none: %w", f.names[i], err)
		}
		if items, ok := v.([]any); ok {
			return items, nil
		}
		return []any{v}, nil
	}
	item, err := contentItem(f.text[i])
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", f.names[i], err)
	}
	return []any{item}, nil
}

// completeContent completes what may stand before the =, and files after it.
func completeContent(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	if strings.Contains(word, "=") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var out []string
	for _, name := range slices.Concat([]string{"text"}, contentRoles, contentTypes) {
		out = append(out, name+"=")
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
