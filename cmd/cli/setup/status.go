package setup

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// authStatus is what `auth status` tells; the key itself is never part of it.
type authStatus struct {
	Profile string `json:"profile"`
	BaseURL string `json:"base_url,omitempty"` // "" for the embedded gateway
	From    string `json:"from"`
	// ReadOnly names the setting that forbids to create, change or delete; "" for none.
	ReadOnly string `json:"read_only,omitempty"`
	Banner   string `json:"banner,omitempty"`
	// CreatePaths are configured, not documented; see createPath.
	CreatePaths map[string]string `json:"create_paths,omitempty"`
	Key         string            `json:"key"`                  // where it is kept, or "none"
	KeyOrigin   string            `json:"key_origin,omitempty"` // of the gateway that it is kept for
	Checked     bool              `json:"checked"`              // the gateway took the key just now
	unclear     bool              // it was asked, and has nothing that could tell
	Error       string            `json:"error,omitempty"`
}

func newStatus(k *kit.Kit) *cobra.Command {
	check := true
	cmd := &cobra.Command{
		Use: "status", Short: "print which gateway is used, and whether it takes the key", Args: cobra.NoArgs,
		Long: `Prints the profile in use, where it is configured, where its key is kept, and whether the
gateway takes it. It ends with 4 when there is no key or it is refused.`,
		Example: "  darkroom auth status\n  darkroom auth status --check=false -o json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runStatus(cmd.Context(), k, check) },
	}
	cmd.Flags().BoolVar(&check, "check", true, "ask the gateway for its models with the key")
	return cmd
}

func runStatus(ctx context.Context, k *kit.Kit, check bool) error {
	c, err := k.Config()
	if err != nil {
		return err
	}
	st := authStatus{Profile: c.Profile.Name, BaseURL: c.Profile.BaseURL, From: c.Profile.Source, ReadOnly: c.Profile.ReadOnly, Banner: c.Profile.Banner, CreatePaths: c.Profile.CreatePaths, Key: "none"}
	failed := st.look(ctx, k, c, check)
	if failed != nil {
		st.Error = client.CleanLine(failed.Error())
	}
	if !k.Out.Table() {
		err = k.Out.One(st)
	} else {
		err = kit.Rows(k.IO.Out, []string{"PROFILE", "GATEWAY", "FROM", "KEY", "KEY FOR", "ACCEPTED", "SENDS"},
			[][]string{{st.Profile, st.gateway(), st.From, st.Key, cmp.Or(st.KeyOrigin, "-"), st.accepted(), st.sends()}})
	}
	return errors.Join(failed, err)
}

// look finds the key and asks the gateway about it.
func (st *authStatus) look(ctx context.Context, k *kit.Kit, c config.Config, check bool) error {
	if c.Profile.Embedded {
		st.Key = "made at each start"
		return nil
	}
	key, where, err := k.Secrets().Find(c.Profile)
	if moved, ok := errors.AsType[*config.OriginError](err); ok {
		st.Key, st.KeyOrigin = "kept for another gateway", moved.Kept
	}
	if err != nil {
		return err
	}
	st.Key, st.KeyOrigin = where, config.OriginOf(c.Profile.BaseURL)
	if !check {
		return nil
	}
	err = app.CheckNewKey(ctx, c.Profile.BaseURL, key, k.Version)
	if st.Checked = err == nil; errors.Is(err, client.ErrNoList) {
		st.unclear = true
		k.IO.Notef("the key was not checked: %v\n", err)
		return nil
	}
	return err
}

func (st *authStatus) gateway() string {
	if st.BaseURL == "" {
		return "the embedded gateway"
	}
	return st.BaseURL
}

func (st *authStatus) sends() string {
	if st.ReadOnly != "" {
		return "read-only (" + st.ReadOnly + ")"
	}
	return "all"
}

func (st *authStatus) accepted() string {
	switch {
	case st.Error != "":
		return "no"
	case st.Checked:
		return "yes"
	case st.unclear:
		return "not known"
	default:
		return "not asked"
	}
}

func newLogout(k *kit.Kit) *cobra.Command {
	return &cobra.Command{
		Use: "logout", Short: "forget a profile's key", Args: cobra.NoArgs,
		Long:    "Forgets the key of the profile (--profile, else the default one). The profile and its jobs stay.",
		Example: "  darkroom auth logout --profile work",
		RunE: func(*cobra.Command, []string) error {
			c, err := k.Config()
			if err != nil {
				return err
			}
			if c.Profile.Embedded {
				return kit.Usage("the embedded gateway has no key to forget")
			}
			if config.IsEnv(c.Profile.Name) {
				return kit.Usage("the key comes from %s: unset it", config.EnvKey)
			}
			return runLogout(k, c.Profile.Name)
		},
	}
}

func runLogout(k *kit.Kit, profile string) error {
	kept, _ := k.Secrets().Look(profile) // what cannot be read is forgotten all the same
	if err := k.Secrets().Forget(profile); err != nil {
		return err
	}
	if k.IO.Env(config.EnvKey) != "" {
		k.IO.Notef("%s is still set: it serves %s, and with --key-from-env this profile\n", config.EnvKey, config.EnvBaseURL)
	}
	if !k.Out.Table() {
		return k.Out.One(map[string]string{"profile": profile, "key": "none", "forgotten_for": kept.Origin})
	}
	of := ""
	if kept.Origin != "" {
		of = " for " + kept.Origin
	}
	k.IO.Printf("the key of profile %s%s is forgotten\n", profile, of)
	return nil
}
