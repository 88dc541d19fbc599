package queue

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/jobs"
)

// filterHelp stands under the line in which a filter is typed.
const filterHelp = "words · state:failed · model:famA3 · kind:image · id:…"

// parseFilter reads a filter: words that stand in prompt, ids, title or error, and
// name:value terms. Several states may be given, with commas or as several terms.
func parseFilter(text string) (jobs.Query, error) {
	var (
		q     jobs.Query
		words []string
	)
	for _, w := range strings.Fields(text) {
		name, value, ok := strings.Cut(w, ":")
		if !ok || value == "" || strings.HasPrefix(value, "//") {
			words = append(words, w)
			continue
		}
		switch name {
		case "state", "status":
			for s := range strings.SplitSeq(value, ",") {
				st := jobs.State(strings.ToLower(s))
				if !st.Valid() {
					return q, fmt.Errorf("state:%s is none; there are %s", s, stateNames())
				}
				q.States = append(q.States, st)
			}
		case "model":
			q.Model = value
		case "kind":
			q.Modality = client.Modality(strings.ToLower(value))
			switch q.Modality {
			case client.Video, client.Image, client.Music, client.Speech, client.Chat:
			default:
				return q, fmt.Errorf("kind:%s is none; there are video, image, music", value)
			}
		case "id":
			q.TaskID = value
		default:
			return q, fmt.Errorf("%s: is no term of a filter; there are state: model: kind: id:", name)
		}
	}
	q.Text = strings.Join(words, " ")
	return q, nil
}

func stateNames() string {
	var out []string
	for _, s := range jobs.States() {
		out = append(out, string(s))
	}
	return strings.Join(out, ", ")
}

// plain reports whether a query selects everything, so that new jobs belong into it.
func plain(q jobs.Query) bool {
	return len(q.States) == 0 && q.Model == "" && q.Modality == "" && q.TaskID == "" && q.Text == ""
}
