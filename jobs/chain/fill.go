package chain

import (
	"maps"
	"slices"

	"darkroom/client"
	"darkroom/client/catalog"
)

// Next returns the draft that goes on from another's result: the other's prompt, its settings where
// the target is of the same modality, but not its references and ids, and the result in the
// target's field. The job is its only parent.
func Next(c *catalog.Catalog, from client.Draft, t Target, use Use, kind, ref, job string) client.Draft {
	d := client.Draft{Modality: t.Modality, Model: t.Model, ModelName: t.ModelName, Mode: t.Mode, Prompt: from.Prompt, Cut: from.Cut}
	if from.Modality == t.Modality {
		d.Values = from.Values.Clone()
		maps.DeleteFunc(d.Values, func(name string, _ any) bool { return own(c, t.Modality, name) })
	}
	return Add(c, d, t, use, kind, ref, job)
}

// own reports whether a field belongs to one request alone.
func own(c *catalog.Catalog, m client.Modality, name string) bool {
	f, ok := c.Field(m, name)
	return ok && len(f.MediaKinds) > 0 ||
		slices.Contains([]string{"video_id", "task_id", client.FieldExternalTaskID, "callback_url", "image_list", "subjects"}, name)
}

// Add returns a draft with a result in the target's field, at the end if that is a list, and with
// its job as a parent; job may be "". The draft given stays as it is.
func Add(c *catalog.Catalog, d client.Draft, t Target, use Use, kind, ref, job string) client.Draft {
	d = d.Clone()
	d.Modality, d.Model, d.ModelName, d.Mode = t.Modality, t.Model, t.ModelName, t.Mode
	if d.Values == nil {
		d.Values = client.Values{}
	}
	f, _ := c.Field(t.Modality, t.Field)
	d.Values[t.Field] = Put(f, d.Values[t.Field], use, kind, ref)
	if job != "" {
		d.Parents = WithParent(d.Parents, client.Parent{Job: job, As: string(use), Ref: ref})
	}
	return d
}

// WithParent adds a parent at the end, in place of one with the same job and reference.
func WithParent(all []client.Parent, p client.Parent) []client.Parent {
	out := slices.DeleteFunc(slices.Clone(all), func(x client.Parent) bool { return x.Job == p.Job && x.Ref == p.Ref })
	return append(out, p)
}

// Put returns the value of a field with one more reference in it.
func Put(f catalog.Field, value any, use Use, kind, ref string) any {
	switch f.Kind {
	case catalog.Medias:
		return append(list(value), ref)
	case catalog.Content:
		role := "reference_" + kind
		if use == I2V && kind == "image" {
			role = "first_frame"
		}
		return append(list(value), map[string]any{"type": kind + "_url", kind + "_url": map[string]any{"url": ref}, "role": role})
	default:
		return ref
	}
}

// list returns a copy of a value as a list.
func list(value any) []any { return slices.Clone(client.Values{"": value}.List("")) }
