package linear

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/disk"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/compare/suite"
)

// compare asks for what a comparison needs, and keeps it as a suite, which is then run. With words it is
// the command.
func (s *session) compare(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return s.pass(ctx, append([]string{"compare"}, args...))
	}
	out, err := s.suite(ctx)
	if err != nil {
		if errors.Is(err, errLeave) || errors.Is(err, errBack) {
			s.say("Left. Nothing was sent.")
			return nil
		}
		return err
	}
	file, err := s.save(ctx, out)
	if err != nil {
		return err
	}
	if err := s.pass(ctx, []string{"compare", "run", file, "--dry-run"}); err != nil {
		return err
	}
	typed, err := s.ask(ctx, "Run it? yes or no:")
	if err != nil {
		return err
	}
	if t := strings.ToLower(typed); t != "y" && t != "yes" {
		s.say("Not sent. compare run %s does it later.", file)
		return nil
	}
	return s.pass(ctx, []string{"compare", "run", file, "--yes"})
}

// suite asks for prompts, models and repeats.
func (s *session) suite(ctx context.Context) (suite.Suite, error) {
	kinds := kit.Kinds()
	i, err := s.pick(ctx, "What is compared", kinds, 0)
	if err != nil {
		return suite.Suite{}, err
	}
	out := suite.New("comparison", client.Modality(kinds[i]))
	out.Mode = s.desk.Catalog.Default(out.Kind).Mode
	if out.Prompts, err = s.prompts(ctx); err != nil {
		return out, err
	}
	if out.Models, err = s.models(ctx, out.Kind); err != nil {
		return out, err
	}
	for {
		typed, err := s.ask(ctx, fmt.Sprintf("Repeats of each, 1 to %d (enter: 3):", suite.MaxRepeats))
		switch n, wrong := strconv.Atoi(typed); {
		case err != nil:
			return out, err
		case typed == ".":
			return out, errLeave
		case typed == "":
			out.Repeats = 3
			return out, nil
		case wrong == nil && n >= 1 && n <= suite.MaxRepeats:
			out.Repeats = n
			return out, nil
		}
		s.say("Repeats %s: 1 to %d are allowed.", typed, suite.MaxRepeats)
	}
}

func (s *session) prompts(ctx context.Context) ([]suite.Prompt, error) {
	var out []suite.Prompt
	for {
		typed, err := s.ask(ctx, fmt.Sprintf("Prompt %d (enter ends them):", len(out)+1))
		switch {
		case err != nil:
			return nil, err
		case typed == ".":
			return nil, errLeave
		case typed == "" && len(out) == 0:
			s.say("One prompt is needed.")
		case typed == "":
			return out, nil
		default:
			out = append(out, suite.Prompt{Text: typed})
		}
	}
}

func (s *session) models(ctx context.Context, kind client.Modality) ([]suite.Model, error) {
	names := kit.ModelIDs(s.k, kind)
	var out []suite.Model
	for {
		typed, err := s.ask(ctx, fmt.Sprintf("Model %d (a name, a part of one, a number; ? reads them all, enter ends them):", len(out)+1))
		switch {
		case err != nil:
			return nil, err
		case typed == ".":
			return nil, errLeave
		case typed == "?":
			s.say("%s.", strings.Join(numbered(names), ", "))
			continue
		case typed == "" && len(out) < 2:
			s.say("Two models are needed.")
			continue
		case typed == "":
			return out, nil
		}
		i, why := choose(names, typed)
		if why != "" {
			s.say("%s", why)
			continue
		}
		m, err := s.model(ctx, kind, names[i])
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(x suite.Model) bool { return x.Model == m.Model && x.ModelName == m.ModelName }) {
			s.say("%s is taken in already.", names[i])
			continue
		}
		out = append(out, m)
		s.say("%s is taken in.", names[i])
	}
}

// model is a model of a comparison, with its version where it needs one.
func (s *session) model(ctx context.Context, kind client.Modality, id string) (suite.Model, error) {
	m, _ := s.desk.Catalog.ModelFor(kind, id)
	if !m.ModelNameHard || len(m.ModelNames) == 0 {
		return suite.Model{Model: id}, nil
	}
	i, err := s.pick(ctx, "Version of "+id, m.ModelNames, -1)
	if err != nil {
		return suite.Model{}, err
	}
	return suite.Model{Model: id, ModelName: m.ModelNames[i]}, nil
}

// save writes a suite to a file of its own, whose name it asks for.
func (s *session) save(ctx context.Context, out suite.Suite) (string, error) {
	for {
		typed, err := s.ask(ctx, "Keep it as (enter: comparison.yaml):")
		if err != nil {
			return "", err
		}
		if typed == "" {
			typed = "comparison.yaml"
		}
		if _, err := os.Lstat(typed); err == nil {
			again, err := s.ask(ctx, typed+" is there already. Replace it? yes or no:")
			if err != nil {
				return "", err
			}
			if t := strings.ToLower(again); t != "y" && t != "yes" {
				continue
			}
		}
		err = disk.Replace(typed, func(f *os.File) error { _, err := f.Write(out.YAML()); return err })
		if err == nil {
			return typed, nil
		}
		s.say("%v.", err)
	}
}
