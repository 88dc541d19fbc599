package intake

import (
	"slices"
	"strings"

	"darkroom/client"
)

// way is a format for one kind of request.
type way struct {
	format   client.Format
	modality client.Modality
}

// sentinel stands for the model in a path.
const sentinel = "darkroom-model"

// byPath is the format that creates at a path, and the model that the path names.
func (r Reader) byPath(path string) (f client.Format, model string, ok bool) {
	longest := 0
	for _, x := range r.Formats {
		if len(x.Modalities()) == 0 {
			continue
		}
		for _, want := range r.paths(x) {
			head, tail, inPath := strings.Cut(want, sentinel)
			at := strings.LastIndex(path, head)
			if want == "" || at < 0 || !strings.HasSuffix(path, tail) || len(want) <= longest {
				continue
			}
			inner := strings.TrimSuffix(path[at+len(head):], tail)
			if inPath == (inner == "") || strings.Contains(inner, "/") {
				continue
			}
			f, model, ok, longest = x, inner, true, len(want)
		}
	}
	return f, model, ok
}

// paths are the paths at which a format creates: its own, the one that the profile names, and where
// the interface shows none, the beginning of its query path.
func (r Reader) paths(f client.Format) []string {
	if req, _, err := f.EncodeCreate(client.Draft{Model: sentinel, Prompt: "x"}); err == nil && req.Path != "" {
		return []string{req.Path}
	}
	return []string{r.CreatePaths[f.Name()], strings.TrimSuffix(f.Query(sentinel).Path, "/"+sentinel)}
}

// Points by which the likeliest format of a body is found.
const (
	ownName   = 3  // a place that the format itself writes
	otherName = 1  // another name of a field that it has
	unknown   = -2 // nothing that the catalog knows
	reaches   = 4  // the model is reached by it
	reachless = -6 // the model is not
	supposed  = 1  // what the hint says
)

// ways are the possible formats of a body, likeliest first. Formats that fit none of its names are
// left out.
func (r Reader) ways(body map[string]any, h Hint, only client.Format) []way {
	type scored struct {
		way
		points int
	}
	var list []scored
	model, _ := body[client.FieldModel].(string)
	if model == "" {
		model = h.Model
	}
	for _, f := range r.Formats {
		if only != nil && f.Name() != only.Name() {
			continue
		}
		for _, m := range f.Modalities() {
			points, fits := r.fit(f, m, body)
			if !fits && only == nil {
				continue
			}
			points += r.modelPoints(f, m, model)
			if m == h.Modality {
				points += supposed
			}
			if f.Name() == h.Format {
				points += ownName
			}
			if m == client.Speech && r.speaks(body) {
				points += 2
			}
			list = append(list, scored{way{f, m}, points})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return b.points - a.points })
	out := make([]way, len(list))
	for i := range list {
		out[i] = list[i].way
	}
	return out
}

// fit counts how well the names in a body match a format; fits is false when none does.
func (r Reader) fit(f client.Format, m client.Modality, body map[string]any) (points int, fits bool) {
	fields := f.Fields()
	for name, v := range body {
		own := false
		for _, w := range fields {
			head, rest, nested := strings.Cut(w.Wire, ".")
			if strings.TrimSuffix(head, "[]") != name {
				continue
			}
			_, isText := v.(string)
			switch {
			case !nested:
				own = own || w.Canonical != client.FieldPrompt || isText || w.Wire == fieldMessages
			default:
				_, has := holder(body, head)[rest]
				own = own || has
			}
		}
		_, known := r.Catalog.Canonical(m, name)
		switch {
		case own:
			points, fits = points+ownName, true
		case known, isOwn(name):
			points, fits = points+otherName, true
		default:
			points += unknown
		}
	}
	return points, fits
}

// modelPoints says how likely a format is for a model.
func (r Reader) modelPoints(f client.Format, m client.Modality, model string) int {
	if _, known := r.Catalog.Model(model); !known {
		return 0
	}
	x, ok := r.Catalog.ModelFor(m, model)
	i := slices.Index(x.Formats, f.Name())
	switch {
	case !ok || i < 0:
		return reachless
	case i == 0:
		return reaches + 1
	default:
		return reaches
	}
}

// speaks reports whether the engine that a body names is one for speech.
func (r Reader) speaks(body map[string]any) bool {
	f, ok := r.Catalog.Field(client.Speech, "upstream_model")
	for _, name := range append([]string{f.Name}, f.Aliases...) {
		engine, isText := body[name].(string)
		_, other := f.ValueAliases[engine]
		if ok && isText && (other || slices.Contains(f.Allowed, engine)) {
			return true
		}
	}
	return false
}

// isOwn reports whether a name is one of the draft's own fields.
func isOwn(name string) bool {
	switch name {
	case client.FieldModel, client.FieldModelName, client.FieldMode, client.FieldPrompt:
		return true
	default:
		return false
	}
}
