package script

import (
	"fmt"
	"maps"
	"path"
	"strconv"

	"darkroom/client/text"
)

// Rule is a script for some tasks alone.
type Rule struct {
	// Model is a pattern of model names, as "famB*"; "" for every model.
	Model string
	// Rate is the part of those tasks that it concerns; 0 for all of them.
	Rate   float64
	Script Script
}

// Arguments that any rule of a prompt or of the options may have.
const (
	argModel = "model"
	argRate  = "rate"
)

// place is where a list of rules stands.
type place struct {
	// classes are the requests that a fault of answers concerns if it names none itself.
	classes map[string]Class
	// some says that rules may be for some tasks alone, and drift that they may name a drift.
	some, drift bool
}

// The places of rules. A rule for some tasks alone is as if it stood in their prompts.
var (
	inPrompt  = place{classes: classesInPrompt, some: true}
	inHeader  = place{}
	inOptions = place{classes: classesInOptions, some: true, drift: true}
)

// condition takes the arguments that say which tasks a directive is for out of it; ok is false for a
// directive without any.
func (d directive) condition(where place) (Rule, directive, bool, error) {
	model, hasModel := d.args[argModel]
	rate, hasRate := d.args[argRate]
	if !hasModel && !hasRate {
		return Rule{}, d, false, nil
	}
	name := text.Clip(d.name, 40)
	if !where.some {
		return Rule{}, d, false, fmt.Errorf("sandbox directive %s: model and rate are for prompts and the options of the server", name)
	}
	r := Rule{Model: model}
	if _, err := path.Match(model, ""); err != nil || hasModel && model == "" {
		return r, d, false, fmt.Errorf("sandbox directive %s: model=%s: a name or a pattern as famB* is needed", name, text.Clip(model, 40))
	}
	if hasRate {
		n, err := strconv.ParseFloat(rate, 64)
		if err != nil || !(n > 0 && n <= 1) {
			return r, d, false, fmt.Errorf("sandbox directive %s: rate=%s: a part of the tasks above 0 and up to 1, as 0.3", name, text.Clip(rate, 40))
		}
		r.Rate = n
	}
	args := maps.Clone(d.args)
	delete(args, argModel)
	delete(args, argRate)
	return r, directive{name: d.name, args: args}, true, nil
}

// Matches reports whether a rule is for tasks of a model.
func (r Rule) Matches(model string) bool {
	if r.Model == "" {
		return true
	}
	ok, err := path.Match(r.Model, model)
	return ok && err == nil
}
