package create

import (
	"context"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/intake"
	"darkroom/cmd/cli/kit"
)

// maxBody bounds a body read by --body, in bytes: the most that a create may send.
const maxBody = client.DefaultMaxBody

// readBody makes the draft that --body starts from.
func (f *filler) readBody(ctx context.Context) error {
	if f.body == "" {
		return nil
	}
	if err := noRequest("--body", f.body); err != nil {
		return err
	}
	text, err := f.k.IO.Read(ctx, "--body", f.body, maxBody)
	if err != nil {
		return err
	}
	name := client.CleanLine(f.body)
	v, err := client.ParseJSON(string(text))
	if err != nil {
		return kit.Usage("--body %s: it is not JSON: %w", name, err)
	}
	body, ok := v.(map[string]any)
	if !ok {
		return kit.Usage("--body %s: line 1, column 1: give a JSON object, as {\"model\": \"…\", \"prompt\": \"…\"}", name)
	}
	all := f.gw.Client.Formats()
	if i := slices.IndexFunc(all, func(x client.Format) bool { return x.Name() == f.format }); i >= 0 {
		// Its own names first; a body in another format's is read all the same.
		all = slices.Concat(all[i:i+1], all[:i], all[i+1:])
	}
	for _, x := range all {
		if slices.Contains(x.Modalities(), f.modality) {
			lift(f.gw.Catalog, f.modality, x, body)
		}
	}
	d, problems := f.gw.Catalog.Normalize(f.modality, body)
	var blocks []string
	for _, p := range problems {
		if p.Severity == catalog.Block {
			blocks = append(blocks, "  "+client.CleanLine(p.Message))
		} else {
			f.k.IO.Tell("--body: " + p.Message)
		}
	}
	if len(blocks) > 0 {
		return kit.Usage("--body %s:\n%s", name, strings.Join(blocks, "\n"))
	}
	f.draft = d
	return f.mayAttach(ctx, "--body", f.body, sendsFiles, intake.Result{Draft: d}.Files())
}

// lift moves values at a format's own places, such as "input.prompt", to the canonical field names,
// if the catalog knows the place. Other values stay.
func lift(cat *catalog.Catalog, m client.Modality, f client.Format, body map[string]any) {
	fields := f.Fields()
	sharing := map[string]int{} // fields that go to one place
	for _, w := range fields {
		sharing[w.Wire]++
	}
	for _, w := range fields {
		head, inner, nested := strings.Cut(w.Wire, ".")
		if _, known := cat.Canonical(m, head); known && slices.ContainsFunc(fields, func(x client.WireField) bool { return x.Wire == head }) {
			continue // the field that holds it is one of its own
		}
		if !nested {
			liftRenamed(cat, m, w, body)
			continue
		}
		if _, set := body[w.Canonical]; set || sharing[w.Wire] > 1 && w.Canonical != fieldContent {
			continue
		}
		obj := holder(body, head)
		v, ok := obj[inner]
		if ok && sharing[w.Wire] > 1 {
			v, ok = contentOf(v)
		}
		if _, text := v.(string); !ok || w.Canonical == client.FieldPrompt && !text {
			continue
		}
		body[w.Canonical] = v
		delete(obj, inner)
		if len(obj) == 0 {
			delete(body, strings.TrimSuffix(head, "[]"))
		}
	}
}

const fieldContent = "content"

// liftRenamed is lift for a member of the body that the catalog does not know by its name.
func liftRenamed(cat *catalog.Catalog, m client.Modality, w client.WireField, body map[string]any) {
	_, known := cat.Canonical(m, w.Wire)
	own := []string{client.FieldModel, client.FieldModelName, client.FieldMode, client.FieldPrompt}
	v, ok := body[w.Wire]
	if known || !ok || w.Wire == w.Canonical || slices.Contains(own, w.Wire) {
		return
	}
	_, text := v.(string)
	if _, set := body[w.Canonical]; set || w.Canonical == client.FieldPrompt && !text {
		return
	}
	body[w.Canonical] = v
	delete(body, w.Wire)
}

// holder is the object under a name; for "name[]", the only object in a list.
func holder(body map[string]any, name string) map[string]any {
	name, list := strings.CutSuffix(name, "[]")
	v := body[name]
	if items, ok := v.([]any); list && ok && len(items) == 1 {
		v = items[0]
	}
	obj, _ := v.(map[string]any)
	return obj
}

// contentOf makes content items from a list whose items are {type: ROLE, url: URL}, as in
// input.media. A list with other items does not count.
func contentOf(v any) ([]any, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	var out []any
	for _, x := range list {
		m, _ := x.(map[string]any)
		role, _ := m["type"].(string)
		url, _ := m["url"].(string)
		kind := roleKind(role)
		if kind == "" || url == "" || len(m) != 2 {
			return nil, false
		}
		out = append(out, mediaItem(kind, role, "", url))
	}
	return out, true
}
