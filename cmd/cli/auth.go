package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"darkroom/client"
	"darkroom/client/formats"
	"darkroom/cmd/config"
)

const defaultProfile = "default"

func newAuth(g *globals) *cobra.Command {
	cmd := &cobra.Command{Use: "auth", Short: "profiles and their keys", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(newLogin(g), newStatus(g), newLogout(g))
	return cmd
}

type loginOptions struct {
	g       *globals
	baseURL string
	check   bool
}

func newLogin(g *globals) *cobra.Command {
	o := &loginOptions{g: g}
	cmd := &cobra.Command{
		Use:   "login",
		Short: "make a profile and keep its key",
		Long: `Makes or changes a profile and keeps its key: in the system's keyring where there is
one, else in a file that only you may read.

The key is asked for without echo, or read from standard input. There is no flag for it,
since flags can be seen by other users of the machine and stay in the shell's history.`,
		Example: "  darkroom auth login --base-url https://gateway.example\n  darkroom auth login --base-url https://gateway.example <key.txt",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	cmd.Flags().StringVar(&o.baseURL, "base-url", "", "address of the gateway, as https://gateway.example")
	cmd.Flags().BoolVar(&o.check, "check", true, "ask the gateway for its models with the key before keeping it")
	return cmd
}

func (o *loginOptions) run(ctx context.Context) error {
	s := o.g.io
	name := o.g.profile
	if name == "" {
		name = defaultProfile
	}
	if err := config.CheckName(name); err != nil {
		return &exitError{ExitUsage, err}
	}
	file, err := config.ReadFile(s.Paths.Config)
	if err != nil {
		return err
	}
	in := bufio.NewReader(s.In)
	base := o.baseURL
	if base == "" {
		base = file.Profiles[name].BaseURL
	}
	if base == "" {
		if s.TtyIn == nil {
			return usage("the gateway's address is missing: --base-url https://gateway.example")
		}
		s.note("Address of the gateway: ")
		if base, err = in.ReadString('\n'); err != nil {
			return err
		}
	}
	if base, err = config.CheckBaseURL(base); err != nil {
		return &exitError{ExitUsage, err}
	}
	key, err := o.readKey(in)
	if err != nil {
		return err
	}
	if o.check {
		if err := checkKey(ctx, base, key); err != nil {
			return fmt.Errorf("nothing was kept: %w", err)
		}
	}
	where, err := s.Secret(s.Paths, s.Env).Keep(name, key)
	if err != nil {
		return err
	}
	if file.Profiles == nil {
		file.Profiles = map[string]config.ProfileFile{}
	}
	file.Profiles[name] = config.ProfileFile{BaseURL: base}
	if file.Profile == "" {
		file.Profile = name
	}
	if err := config.WriteFile(s.Paths.Config, file); err != nil {
		return err
	}
	s.printf("profile %s: %s, key kept in %s\n", name, base, where)
	return nil
}

// readKey asks without echo on a terminal, else takes the first line of the input.
func (o *loginOptions) readKey(in *bufio.Reader) (string, error) {
	s := o.g.io
	var line string
	if s.TtyIn != nil {
		s.note("Key (it is not shown): ")
		b, err := term.ReadPassword(int(s.TtyIn.Fd()))
		s.note("\n")
		if err != nil {
			return "", err
		}
		line = string(b)
	} else {
		l, err := in.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		line = l
	}
	key := strings.TrimSpace(line)
	if key == "" {
		return "", usage("no key was given: type it when asked, or put it on standard input")
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", usage("the key holds blanks or characters that a header can not carry; was something else pasted?")
	}
	return key, nil
}

func checkKey(ctx context.Context, base, key string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	c, err := client.New(client.Options{BaseURL: base, Formats: formats.All(),
		Key: func() (string, error) { return key, nil }, UserAgent: "darkroom/" + version})
	if err != nil {
		return err
	}
	return c.CheckKey(ctx)
}

// authStatus is what `auth status` tells; the key itself is never part of it.
type authStatus struct {
	Profile string `json:"profile"`
	BaseURL string `json:"base_url,omitempty"`
	From    string `json:"from"`
	Key     string `json:"key"` // where it is kept, or "none"
	Checked bool   `json:"checked"`
	Error   string `json:"error,omitempty"`
}

func newStatus(g *globals) *cobra.Command {
	o := &output{}
	check := true
	cmd := &cobra.Command{
		Use: "status", Short: "which gateway is used, and whether it takes the key", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return runStatus(cmd.Context(), g, o, check)
		},
	}
	o.flag(cmd)
	cmd.Flags().BoolVar(&check, "check", true, "ask the gateway for its models with the key")
	return cmd
}

func runStatus(ctx context.Context, g *globals, o *output, check bool) error {
	c, err := g.config()
	if err != nil {
		return err
	}
	st := authStatus{Profile: c.Profile.Name, BaseURL: c.Profile.BaseURL, From: c.Profile.Source, Key: "none"}
	var failed error
	if c.Profile.Embedded {
		st.Key = "made at each start"
	} else {
		key, where, err := g.secrets().Find(c.Profile.Name)
		if err != nil {
			failed = err
		} else {
			st.Key = where
			if check {
				failed = checkKey(ctx, c.Profile.BaseURL, key)
				st.Checked = failed == nil
			}
		}
	}
	if failed != nil {
		st.Error = client.CleanLine(failed.Error())
	}
	if !o.table() {
		err = o.one(g.io.Out, st)
	} else {
		base := st.BaseURL
		if base == "" {
			base = "the embedded gateway"
		}
		took := map[bool]string{true: "yes"}[st.Checked]
		if took == "" {
			took = "not checked"
		}
		if failed != nil {
			took = "no"
		}
		err = rows(g.io.Out, []string{"PROFILE", "GATEWAY", "FROM", "KEY", "ACCEPTED"}, [][]string{{st.Profile, base, st.From, st.Key, took}})
	}
	if failed != nil {
		return failed
	}
	return err
}

func newLogout(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "logout", Short: "forget a profile's key", Args: cobra.NoArgs,
		Long: "Forgets the key of the profile (--profile, else the default one). The profile and its jobs stay.",
		RunE: func(*cobra.Command, []string) error {
			c, err := g.config()
			if err != nil {
				return err
			}
			if c.Profile.Embedded {
				return usage("the embedded gateway has no key to forget")
			}
			if c.Profile.Name == config.EnvProfileName {
				return usage("the key comes from %s: unset it", config.EnvKey)
			}
			if err := g.secrets().Forget(c.Profile.Name); err != nil {
				return err
			}
			g.io.printf("the key of profile %s is forgotten\n", c.Profile.Name)
			return nil
		},
	}
}
