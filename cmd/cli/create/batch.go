package create

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"darkroom/client/expand"
	"darkroom/cmd/cli/kit"
)

// batchLong is the paragraph about batches in the help.
const batchLong = `

With --expand the prompt is a template: {red|blue} is one of them, ${name} a variable,
__name__ a line of the wildcard file name.txt. --batch reads a table with a draft a row,
or a prompt a line; --count and --seed-mode make copies; --preset begins with what was kept.
All of it is one group of jobs, which is counted before anything is sent; --dry-run shows
its jobs. docs/TEMPLATES.md explains them:
  --expand 'a {red|blue} kite at {dawn|dusk}' --dry-run
  --expand=random --count 5 'a __colour__ kite' --seed-mode random
  --batch shots.csv --map City='$city' --expand 'a kite over ${city}'`

// batch holds the flags for many jobs in one command.
type batch struct {
	expand    string
	count     int
	seeds     string
	seed      uint64
	vars      []string
	file      string
	maps      []string
	separator string
	lines     bool
	max       int
	preset    string
	save      string

	flags *pflag.FlagSet // to see which were given
}

func (b *batch) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	b.flags = f
	f.StringVar(&b.expand, "expand", "", "the prompt is a template: all of its combinations, or =random for --count of them; =off: it is none")
	f.Lookup("expand").NoOptDefVal = string(expand.Every)
	f.IntVar(&b.count, "count", 1, "how many jobs of each prompt; with --expand=random how many prompts")
	f.StringVar(&b.seeds, "seed-mode", "", "seeds of a batch: fixed, random or count")
	f.Uint64Var(&b.seed, "expand-seed", 0, "the number that random prompts and seeds follow from, to repeat a batch (default: a new one)")
	f.StringArrayVar(&b.vars, "var", nil, "NAME=VALUE of a variable, as ${NAME}, in the prompt")
	f.StringVar(&b.file, "batch", "", "table (CSV) with one draft per row, or .txt with one prompt per line; - is a table on standard input")
	f.StringArrayVar(&b.maps, "map", nil, "COLUMN=FIELD of the table, =$NAME for a variable, =- to pass it over")
	f.StringVar(&b.separator, "separator", "", "of the table's cells: , ; or tab (default: what its first line has)")
	f.BoolVar(&b.lines, "lines", false, "--batch has one prompt per line, whatever its name")
	f.IntVar(&b.max, "max-jobs", expand.Cap, fmt.Sprintf("refuse a batch of more jobs than this, up to %d", expand.HardCap))
	f.StringVar(&b.preset, "preset", "", "start from a preset; 'darkroom presets' lists them")
	f.StringVar(&b.save, "save-preset", "", "save the draft as a preset of this name, and send nothing")
}

// check checks what can be judged without anything else.
func (b *batch) check(args []string) error {
	modes := []string{string(expand.Every), string(expand.Random), "off"}
	switch {
	case b.given("expand") && !slices.Contains(modes, b.expand):
		return kit.Usage("--expand %q: allowed are all, random, off", b.expand)
	case b.expand == string(expand.Every) && len(args) == 1 && slices.Contains(modes, args[0]):
		return kit.Usage("%q is the prompt as this is written: --expand=%s is meant?", args[0], args[0])
	case b.count < 1 || b.count > expand.HardCap:
		return kit.Usage("--count %d: 1 to %d are allowed", b.count, expand.HardCap)
	case b.max < 1 || b.max > expand.HardCap:
		return kit.Usage("--max-jobs %d: 1 to %d are allowed", b.max, expand.HardCap)
	case b.seeds != "" && !slices.Contains(expand.SeedModes(), expand.SeedMode(b.seeds)):
		return kit.Usage("--seed-mode %q: allowed are fixed, random, count", b.seeds)
	case b.file == "" && (len(b.maps) > 0 || b.separator != "" || b.lines):
		return kit.Usage("--map, --separator and --lines are about the file of --batch, which is missing")
	case b.lines && len(b.maps) > 0:
		return kit.Usage("--lines: lines have no columns that --map could place")
	}
	return nil
}

func (b *batch) given(flag string) bool { return b.flags != nil && b.flags.Changed(flag) }

// many reports whether the result is a batch, even one of a single job.
func (b *batch) many(mode expand.Mode) bool {
	return b.count > 1 || mode != expand.AsIs || b.file != "" || b.seeds != ""
}

func (b *batch) mode() expand.Mode {
	if b.expand == "off" {
		return expand.AsIs
	}
	return expand.Mode(b.expand)
}

// variables are the preset's and those of --var, which wins.
func (b *batch) variables(preset map[string]string) (map[string]string, error) {
	out := map[string]string{}
	maps.Copy(out, preset)
	for _, s := range b.vars {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, kit.Usage("--var %q: give NAME=VALUE, as place='the sea'", kit.FirstLine(s, 60))
		}
		if err := expand.CheckVariable(name); err != nil {
			return nil, kit.Usage("--var: %w", err)
		}
		out[name] = value
	}
	return out, nil
}

// columns are the entries of --map. The last = separates: field names contain none.
func (b *batch) columns() (map[string]string, error) {
	out := map[string]string{}
	for _, s := range b.maps {
		i := strings.LastIndexByte(s, '=')
		if i < 1 || i == len(s)-1 {
			return nil, kit.Usage("--map %q: give COLUMN=FIELD, as Sekunden=duration", kit.FirstLine(s, 60))
		}
		if _, twice := out[s[:i]]; twice {
			return nil, kit.Usage("--map: column %q is mapped twice", kit.FirstLine(s[:i], 60))
		}
		out[s[:i]] = s[i+1:]
	}
	return out, nil
}

func (b *batch) comma() (rune, error) {
	switch b.separator {
	case "":
		return 0, nil
	case ",", ";", "\t":
		return rune(b.separator[0]), nil
	case "tab", `\t`:
		return '\t', nil
	}
	return 0, kit.Usage("--separator %q: allowed are , ; and tab", kit.FirstLine(b.separator, 20))
}

// chance is the seed for drawing prompts and seeds; nil if nothing is drawn.
func (b *batch) chance(mode expand.Mode) *uint64 {
	switch {
	case b.given("expand-seed"):
		return &b.seed
	case mode == expand.Random || b.seeds != "":
		seed := uint64(rand.Uint32()) //nolint:gosec // a number to repeat a batch with, no secret
		return &seed
	default:
		return nil
	}
}
