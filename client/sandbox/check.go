package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/sandbox/script"
	"darkroom/client/text"
)

// asked is a create request that passed the rules.
type asked struct {
	client.Draft
	script script.Script
	seed   int64
	model  catalog.Model
	// fields are those of the model and mode, limits merged in, by canonical name.
	fields map[string]catalog.Field
	// sent is the name under which the request had a canonical field.
	sent map[string]string
	// parameters is the object of that name, under canonical names.
	parameters map[string]any
	// owner is whose key it came with.
	owner string
}

// check reads a create request through the catalog, where all rules of GATEWAY.md are
// kept as data. What blocks there is a 400 here that names the field, the value and
// what is allowed; what only warns is let through. format is the one that the path
// takes, "" where the model has one alone.
func (s *Server) check(w http.ResponseWriter, r *http.Request, m client.Modality, format string, body map[string]any, rules ...rule) (*asked, error) {
	cat, err := s.rules()
	if err != nil {
		return nil, internal("catalog", err)
	}
	if err := checkModel(cat, m, body); err != nil {
		return nil, err
	}
	liftPrompt(body)
	d, problems := cat.Normalize(m, body)
	a := &asked{Draft: d, owner: ownerOf(w), sent: map[string]string{}, fields: map[string]catalog.Field{}}
	for _, k := range slices.Sorted(maps.Keys(body)) {
		if name, ok := cat.Canonical(m, k); ok {
			a.sent[name] = k
		}
	}
	a.readParameters(cat)
	for _, f := range cat.Fields(d) {
		a.fields[f.Name] = f
	}
	if err := a.checkAddresses(); err != nil {
		return nil, err
	}
	problems = append(problems, cat.CheckFor(d, format)...)
	for _, rule := range rules {
		if err := rule(a, problems); err != nil {
			return nil, err
		}
	}
	if err := a.refuse(problems); err != nil {
		return nil, err
	}
	if model, ok := cat.Model(d.Model); ok {
		a.model = model
	}
	sc, prompt, err := script.OfPrompt(d.Prompt)
	if err != nil {
		return nil, badRequest(client.FieldPrompt, "prompt: %s", err)
	}
	a.Prompt = prompt
	a.script = s.course.Decide(s.faults.Task().With(requested(w).Kept()).With(sc), d.Model, a.whole, s.now())
	if err := s.play(w, r, a.script, d.Prompt); err != nil {
		return nil, err
	}
	a.ignore()
	if a.seed, err = s.seedOf(a, d.Prompt); err != nil {
		return nil, err
	}
	return a, nil
}

// whole is all that the request asks for; equal ones have equal text. The name that the caller gives
// the task is no part of that: clients make one up for each.
func (a *asked) whole() []byte {
	d := a.Draft
	d.Values = maps.Clone(d.Values)
	delete(d.Values, client.FieldExternalTaskID)
	return []byte(jsonText(d))
}

// checkModel refuses a missing, unknown or wrong model before anything else, as its
// rules decide what the rest of the request means.
func checkModel(cat *catalog.Catalog, m client.Modality, body map[string]any) error {
	v, ok := body[client.FieldModel]
	id, isText := v.(string)
	switch {
	case !ok || v == nil || isText && id == "":
		return badRequest(client.FieldModel, "model is required: a %s model, see GET /v1beta/models", m)
	case !isText:
		return badRequest(client.FieldModel, "model must be text, as \"%s\"", cat.Default(m).Model)
	}
	model, known := cat.Model(id)
	if !known {
		hint := "see GET /v1beta/models"
		if near := cat.Suggest(id, 3); len(near) > 0 {
			hint = "the nearest are " + strings.Join(near, ", ")
		}
		return badRequest(client.FieldModel, "model %q is unknown: %s", text.Clip(id, 80), hint)
	}
	if !sameModality(model.Modality, m) {
		return badRequest(client.FieldModel, "model %q makes %s, this path takes %s models", id, model.Modality, m)
	}
	return nil
}

// sameModality: music and speech share one path.
func sameModality(a, b client.Modality) bool {
	if a == client.Speech {
		a = client.Music
	}
	return a == b
}

// liftPrompt takes the prompt from the text items of content where there is no
// top-level one, as public clients send it.
func liftPrompt(body map[string]any) {
	if p, ok := body[client.FieldPrompt]; ok && p != nil && p != "" {
		return
	}
	items, _ := body["content"].([]any)
	var texts []string
	for _, it := range items {
		if o, ok := it.(map[string]any); ok && o["type"] == "text" {
			if t, ok := o["text"].(string); ok && t != "" {
				texts = append(texts, t)
			}
		}
	}
	if len(texts) > 0 {
		body[client.FieldPrompt] = strings.Join(texts, "\n")
	}
}

// refuse makes the blocking problems into one 400.
func (a *asked) refuse(ps []catalog.Problem) error {
	var messages []string
	param := ""
	for _, p := range ps {
		if p.Severity != catalog.Block {
			continue
		}
		msg := p.Message
		name := p.Field
		if sent := a.sent[p.Field]; sent != "" && sent != p.Field {
			name, msg = sent, fmt.Sprintf("%s (sent as %s)", msg, sent)
		}
		if param == "" {
			param = name
		}
		if messages = append(messages, msg); len(messages) == 5 {
			break
		}
	}
	if len(messages) == 0 {
		return nil
	}
	return badRequest(param, "%s", strings.Join(messages, "; "))
}

// name is how the request called a canonical field.
func (a *asked) name(field string) string {
	if n := a.sent[field]; n != "" {
		return n
	}
	return field
}

// value is a field's value: at the top, or inside the parameters object.
func (a *asked) value(field string) any {
	if v, ok := a.Values[field]; ok && v != nil && v != "" {
		return v
	}
	return a.parameters[field]
}

// readParameters reads the object that some request shapes put values into.
func (a *asked) readParameters(cat *catalog.Catalog) {
	p, _ := a.Values["parameters"].(map[string]any)
	a.parameters = make(map[string]any, len(p))
	for _, k := range slices.Sorted(maps.Keys(p)) {
		if name, ok := cat.Canonical(a.Modality, k); ok {
			a.parameters[name] = p[k]
		}
	}
}

// checkAddresses refuses media values that no gateway could take. It goes before the
// catalog's own check, which lets file:// pass: that is for drafts on the console's
// side, and must never be read here.
func (a *asked) checkAddresses() error {
	for _, name := range slices.Sorted(maps.Keys(a.fields)) {
		if f := a.fields[name]; !f.Kind.Refers() {
			continue
		}
		for _, v := range a.Values.Strings(name) {
			if err := checkAddress(v); err != nil {
				return badRequest(a.name(name), "%s %q: %s", a.name(name), text.Clip(v, 60), err)
			}
		}
	}
	return nil
}

// text is a scalar value as text, "" when it is not set or no scalar.
func (a *asked) text(field string) string {
	t, _ := client.Values{"v": a.value(field)}.Text("v")
	return strings.TrimSpace(t)
}

// number is a numeric value, sent as a number or as text, or def when it is not set.
func (a *asked) number(field string, def, low, high float64) (float64, error) {
	t := a.text(field)
	if t == "" {
		if a.value(field) != nil && a.value(field) != "" {
			return 0, badRequest(a.name(field), "%s: a number is required", a.name(field))
		}
		return def, nil
	}
	f, err := strconv.ParseFloat(t, 64)
	if err != nil || math.IsNaN(f) || f < low || f > high {
		return 0, badRequest(a.name(field), "%s %q: the embedded gateway takes a number from %s to %s",
			a.name(field), text.Clip(t, 60), plain(low), plain(high))
	}
	return f, nil
}

func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// flag is a boolean value, sent as a boolean or as text.
func (a *asked) flag(field string) bool {
	b, _ := strconv.ParseBool(a.text(field))
	return b
}

// seedOf is the seed that was asked, also where the format shows no such field (images),
// or the server's: equal requests have equal results. Requests that differ in their
// external_task_id are different ones, as the copies of one draft. Seeds beyond 64 bits
// count by their text.
func (s *Server) seedOf(a *asked, whole string) (int64, error) {
	t := a.text("seed")
	if raw := a.Extra["seed"]; t == "" && len(raw) > 0 {
		t = strings.Trim(string(raw), "\" \t\n")
	}
	if t == "" {
		if id := a.text(client.FieldExternalTaskID); id != "" {
			return int64(mix(s.opts.Seed, id+whole) % 1_000_000_000), nil // short, since the picture tells it
		}
		if len(whole) > promptKept {
			return int64(mix(s.opts.Seed, whole) >> 1), nil
		}
		return s.opts.Seed, nil
	}
	if n, err := strconv.ParseInt(t, 10, 64); err == nil {
		return n, nil
	}
	if strings.Trim(t, "0123456789") == "" || strings.Trim(t[1:], "0123456789") == "" && t[0] == '-' {
		return int64(mix(0, t) >> 1), nil
	}
	return 0, badRequest(a.name("seed"), "%s %q: an integer is required", a.name("seed"), text.Clip(t, 60))
}

// rawNumber writes a float the way people write numbers, into JSON.
func rawNumber(f float64) json.Number { return json.Number(plain(math.Round(f*1000) / 1000)) }
