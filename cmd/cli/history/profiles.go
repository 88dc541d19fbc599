package history

import (
	"fmt"
	"maps"
	"slices"

	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
	"darkroom/jobs"
)

// unconfigured is a profile of imported jobs that is not configured here. Nobody works on its jobs:
// there is no gateway to ask.
type unconfigured struct {
	Profile string `json:"profile"`
	Jobs    int    `json:"jobs"`
	Unended int    `json:"unended"` // of these: would be asked for, or have files to come
	Next    string `json:"next"`    // what has them followed from here
}

// profileCounts counts jobs by their profile.
type profileCounts map[string]unconfigured

func (p *profileCounts) add(j jobs.Job) {
	if *p == nil {
		*p = profileCounts{}
	}
	u := (*p)[j.Profile]
	u.Jobs++
	if !jobs.Settled(j) {
		u.Unended++
	}
	(*p)[j.Profile] = u
}

// unconfigured returns those of the profiles that are not known here, sorted by name.
func (p profileCounts) unconfigured(c config.Config) (out []unconfigured) {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		_, known := c.File.Profiles[name]
		if known || name == c.Profile.Name || name == config.Sandbox {
			continue
		}
		u := p[name]
		u.Profile, u.Next = name, makes(name)
		out = append(out, u)
	}
	return out
}

// makes says how to make a profile of this name.
func makes(name string) string {
	switch {
	case config.IsEnv(name):
		return "set " + config.EnvBaseURL + " and " + config.EnvKey + " as they were there"
	case config.CheckName(name) != nil:
		return "no profile can have this name"
	default:
		return "`darkroom auth login --profile " + name + " --base-url URL` makes it"
	}
}

// sayUnconfigured says what becomes of jobs whose profile is not configured here.
func sayUnconfigured(k *kit.Kit, d imported) {
	for _, u := range d.Unconfigured {
		text := fmt.Sprintf("%s of the profile %s, which is not configured here: kept, and listed by `darkroom jobs list --all-profiles`", human.Plural(u.Jobs, "job"), u.Profile)
		if u.Unended > 0 {
			text += fmt.Sprintf("; not ended, and not asked for before there is such a profile: %d; %s", u.Unended, u.Next)
		}
		k.IO.Tell(text)
	}
}
