package create

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/cmd/cli/kit"
)

// fieldFlag holds the values given to the flags of one catalog field: the flag of its name and those
// of its aliases.
type fieldFlag struct {
	field catalog.Field
	text  []string
	names []string // of the flags, beside text
}

// list reports whether the field takes one item per flag.
func (f *fieldFlag) list() bool {
	return slices.Contains([]catalog.Kind{catalog.Medias, catalog.List, catalog.Content}, f.field.Kind)
}

// flagValue is one flag of a field; it implements pflag.Value.
type flagValue struct {
	*fieldFlag
	name string
}

// String is the default value in the help: none.
func (v flagValue) String() string { return "" }

// Set takes a value. For a field that is no list the last one counts, as with other flags.
func (v flagValue) Set(s string) error {
	if strings.HasPrefix(s, "--") && v.field.Kind != catalog.Text && v.field.Kind != catalog.Lines {
		return fmt.Errorf("%s stands where its value is missing", kit.FirstLine(s, 40))
	}
	if !v.list() && slices.Contains(v.names, v.name) {
		i := slices.Index(v.names, v.name)
		v.text[i] = s
		return nil
	}
	v.text, v.names = append(v.text, s), append(v.names, v.name)
	return nil
}

// Type is the kind of value in the help.
func (v flagValue) Type() string { return string(v.field.Kind) }

// addFieldFlags makes a flag for every field; aliases are accepted but not listed.
func (o *options) addFieldFlags(cmd *cobra.Command) {
	cat, err := o.k.Catalog()
	if err != nil {
		// Said instead of "unknown flag", and by run where there is none.
		cmd.SetFlagErrorFunc(func(*cobra.Command, error) error { return err })
		return
	}
	cmd.Long += formatsHelp(cat, o.modality)
	flags := cmd.Flags()
	for _, field := range cat.AllFields(o.modality) {
		name := kit.FlagName(field.Name)
		if flags.Lookup(name) != nil {
			continue
		}
		f := &fieldFlag{field: field}
		o.fields = append(o.fields, f)
		add := func(name string, hidden bool) {
			flag := &pflag.Flag{Name: name, Usage: flagHelp(field), Value: flagValue{f, name}, Hidden: hidden}
			if field.Kind == catalog.Boolean {
				flag.NoOptDefVal = "true"
			}
			flags.AddFlag(flag)
		}
		add(name, false)
		values := field.Offered()
		if field.Kind == catalog.Boolean {
			values = []string{"true", "false"}
		}
		switch field.Kind {
		case catalog.Media, catalog.Medias: // those are files
		case catalog.Content:
			_ = cmd.RegisterFlagCompletionFunc(name, completeContent)
		default:
			_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
		for _, alias := range field.Aliases {
			if a := kit.FlagName(alias); flags.Lookup(a) == nil {
				add(a, true)
			}
		}
	}
}

func flagHelp(f catalog.Field) string {
	help := f.Help
	if f.Kind == catalog.Content {
		help += "; " + contentHelp
	}
	if f.Unit != "" {
		help += " [" + f.Unit + "]"
	}
	if a := kit.AllowedOf(f); a != "" {
		help += " (" + a + ")"
	}
	return strings.ReplaceAll(help, "`", "'") // pflag takes a back-quoted word for the type
}

// complete declares the completions for flags that every kind has.
func (o *options) complete(cmd *cobra.Command) {
	values := func(flag string, f func() []string) {
		if cmd.Flags().Lookup(flag) == nil {
			return
		}
		_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return f(), cobra.ShellCompDirectiveNoFileComp
		})
	}
	model := func() (m catalog.Model) {
		if cat, err := o.k.Catalog(); err == nil {
			m, _ = cat.ModelFor(o.modality, o.modelID(cat))
		}
		return m
	}
	values("model-name", func() []string { return model().ModelNames })
	values("mode", func() []string { return model().ModeNames() })
	values("format", o.completeFormats)
	values("prompt", func() []string { return nil })
	values("expand", func() []string { return []string{string(expand.Every), string(expand.Random), "off"} })
	values("seed-mode", func() []string {
		return []string{string(expand.SeedFixed), string(expand.SeedRandom), string(expand.SeedCount)}
	})
	values("preset", func() []string { names, _ := o.k.CompletePresets(nil, nil, ""); return names })
	for _, free := range []string{"var", "map", "separator", "expand-seed", "count", "max-jobs", "save-preset"} {
		values(free, func() []string { return nil })
	}
	values("set", func() []string { return nil })
}

// modelID is the model in use: the named one, else the catalog's first.
func (o *options) modelID(cat *catalog.Catalog) string {
	if o.given.Model != "" {
		return o.given.Model
	}
	return cat.Default(o.modality).Model
}

// refusedValues names all values that cannot be read. If missing files are the only problem, the
// error is one of a missing file.
func refusedValues(problems []error) error {
	if len(problems) == 0 {
		return nil
	}
	lines, missing := make([]string, len(problems)), true
	for i, err := range problems {
		lines[i] = client.CleanLine(err.Error())
		missing = missing && errors.Is(err, fs.ErrNotExist)
	}
	text := strings.Join(lines, "\n")
	if missing {
		return kit.NotFound("%s", text)
	}
	return kit.Usage("%s", text)
}

// value is the field's value as the catalog parses it; for a list, the items of all flags together.
// Errors name the flag that was given.
func (f *fieldFlag) value() (any, error) {
	if !f.list() {
		if len(f.names) > 1 {
			return nil, fmt.Errorf("--%s and --%s are the same field: give one of them", f.names[0], f.names[1])
		}
		return f.parse(0)
	}
	all := []any{}
	for i := range f.text {
		v, err := f.parse(i)
		if err != nil {
			return nil, err
		}
		items, ok := v.([]any)
		if !ok {
			return v, nil // blank text, say: the check says what it thinks of it
		}
		all = append(all, items...)
	}
	return all, nil
}

func (f *fieldFlag) parse(i int) (any, error) {
	if f.field.Kind == catalog.Content {
		return f.parseContent(i)
	}
	if !utf8.ValidString(f.text[i]) && !f.field.Kind.Refers() { // a path may be so
		return nil, fmt.Errorf("--%s is not text (it is not UTF-8)", f.names[i])
	}
	v, err := f.field.Parse(f.text[i])
	if err != nil {
		return nil, fmt.Errorf("--%s: %s", f.names[i], strings.TrimPrefix(err.Error(), f.field.Name+": "))
	}
	switch f.field.Kind {
	case catalog.Media, catalog.Medias:
		v, err = localFiles(v)
	}
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", f.names[i], err)
	}
	return v, nil
}

// localFiles turns paths among media values into file:// URLs; it refuses a path that does not exist,
// before anything is journalled.
func localFiles(v any) (any, error) {
	switch v := v.(type) {
	case string:
		if v == "" {
			return v, nil
		}
		return localFile(v)
	case []any:
		for i, x := range v {
			u, err := localFiles(x)
			if err != nil {
				return nil, err
			}
			v[i] = u
		}
	case map[string]any: // an object with its address under one of the known keys
		for _, key := range catalog.RefKeys() {
			s, text := v[key].(string)
			if !text || s == "" {
				continue
			}
			u, err := localFile(s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			v[key] = u
		}
	}
	return v, nil
}

func localFile(s string) (string, error) {
	for _, scheme := range []string{"http://", "https://", "data:", "file://"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return s, nil
		}
	}
	path, err := filepath.Abs(s)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	var bad *os.PathError
	switch {
	case errors.As(err, &bad):
		return "", fmt.Errorf("%q is neither an address (http, https, data) nor a file: %w", kit.FirstLine(s, 120), bad.Err)
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%q is not a file", kit.FirstLine(s, 120))
	}
	return client.FileURL(path), nil
}
