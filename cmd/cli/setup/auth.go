package setup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

const (
	// defaultProfile is the one that login makes when none is named.
	defaultProfile = "default"
)

// NewAuth makes the commands about profiles and their keys.
func NewAuth(k *kit.Kit) *cobra.Command {
	return kit.Parent(&cobra.Command{Use: "auth", Short: "profiles and their keys: login, status, logout",
		Long: `A profile is a gateway's address and a key for it. Without one the embedded gateway is
used, which needs none.`,
		Example: "  darkroom auth login --base-url https://gateway.example\n  darkroom auth status",
	}, newLogin(k), newStatus(k), newLogout(k))
}

type loginOptions struct {
	k       *kit.Kit
	baseURL string
	check   bool
	same    bool
}

func newLogin(k *kit.Kit) *cobra.Command {
	o := &loginOptions{k: k}
	cmd := &cobra.Command{
		Use:   "login",
		Short: "set up a profile and keep its key",
		Long: `Makes or changes a profile and keeps its key: in the system's keyring where there is
one, else in a file that only you may read.

A key is kept for the gateway that it was given for: when the address in the settings leads
to another host later, it is not sent there before you confirm that, when asked in a terminal
or here with --same-key.

You are asked for the key without echo, or it is read from standard input. There is no flag
for it: other users of the machine can see flags, and they stay in the shell's history.`,
		Example: `  darkroom auth login --base-url https://gateway.example
  darkroom auth login --base-url https://gateway.example <key.txt
  darkroom auth login --profile work                  # another key for a profile`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&o.same, "same-key", false, "use the key that is kept for the profile, for the address that the settings or --base-url name now")
	cmd.Flags().StringVar(&o.baseURL, "base-url", "", "address of the gateway, as https://gateway.example")
	cmd.Flags().BoolVar(&o.check, "check", true, "ask the gateway for its models with the key before keeping it")
	_ = cmd.RegisterFlagCompletionFunc("base-url", cobra.NoFileCompletions)
	return cmd
}

// login is what `auth login` did.
type login struct {
	Profile string `json:"profile"`
	BaseURL string `json:"base_url"`
	Key     string `json:"key"` // where it is kept
	Origin  string `json:"key_origin"`
	Default bool   `json:"default"`
	Checked bool   `json:"checked"`
}

func (o *loginOptions) run(ctx context.Context) error {
	s := o.k.IO
	name := o.name()
	if err := config.CheckName(name); err != nil {
		return kit.Exit(kit.ExitUsage, err)
	}
	file, err := config.ReadFile(s.Paths.Config)
	if err != nil {
		return kit.Exit(kit.ExitUsage, err)
	}
	in := bufio.NewReader(io.LimitReader(s.In, maxLogin))
	base, err := o.address(ctx, in, file.Profiles[name].BaseURL)
	if err != nil {
		return err
	}
	key, err := o.key(ctx, in, name)
	if err != nil {
		return err
	}
	if o.check {
		err := app.CheckNewKey(ctx, base, key, o.k.Version)
		if errors.Is(err, client.ErrNoList) {
			s.Notef("the key was not checked: %v\n", err)
			o.check = false
		} else if err != nil {
			return fmt.Errorf("nothing was kept: %w", err)
		}
	}
	where, err := o.k.Secrets().Keep(config.Profile{Name: name, BaseURL: base}, key)
	if err != nil {
		return err
	}
	if file, err = config.SetProfile(s.Paths.Config, name, base); err != nil {
		return fmt.Errorf("the key is kept, the profile is not: %w", err)
	}
	done := login{Profile: name, BaseURL: base, Key: where, Origin: config.OriginOf(base), Default: file.Profile == name, Checked: o.check}
	if !o.k.Out.Table() {
		return o.k.Out.One(done)
	}
	s.Printf("profile %s: %s, key kept in %s for %s\n", name, base, where, done.Origin)
	if !done.Default {
		s.Notef("the default profile is still %s: use this one with --profile %s\n", file.Profile, name)
	}
	if s.Env(config.EnvKey) != "" {
		s.Notef("%s is set, and is used for this profile with --key-from-env alone\n", config.EnvKey)
	}
	return nil
}

// name returns the name of the profile to make.
func (o *loginOptions) name() string {
	for _, name := range []string{o.k.Profile, o.k.IO.Env(config.EnvProfile)} {
		if name != "" {
			return name
		}
	}
	return defaultProfile
}

// address returns the gateway's: from the flag, the one that is known, or asked for on a terminal.
func (o *loginOptions) address(ctx context.Context, in *bufio.Reader, known string) (string, error) {
	base := o.baseURL
	if base == "" {
		base = known
	}
	if base == "" {
		if o.k.IO.TtyIn == nil {
			return "", kit.Usage("the gateway's address is missing: --base-url https://gateway.example")
		}
		o.k.IO.Notef("Address of the gateway: ")
		var err error
		if base, err = kit.Await(ctx, func() (string, error) { return in.ReadString('\n') }); err != nil && base == "" {
			return "", err
		}
	}
	root, err := config.CheckBaseURL(base)
	if err != nil {
		return "", kit.Usage("--base-url: %w", err)
	}
	if n := config.TrimNote(base); n != "" {
		o.k.IO.Tell(n)
	}
	return root, nil
}

// key returns the key to keep: the one that is kept already, or one that is given.
func (o *loginOptions) key(ctx context.Context, in *bufio.Reader, name string) (string, error) {
	if o.same {
		return o.k.Secrets().Same(name)
	}
	return o.readKey(ctx, in)
}

// maxLogin bounds what is read of standard input for a login, in bytes.
const maxLogin = 64 << 10

// readKey asks without echo on a terminal, else takes the first line of the input.
func (o *loginOptions) readKey(ctx context.Context, in *bufio.Reader) (string, error) {
	ask := func() (string, error) {
		line, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return line, err
	}
	if o.k.IO.TtyIn != nil {
		fd := int(o.k.IO.TtyIn.Fd())
		ask = func() (string, error) { return o.askHidden(fd) }
		// After an interruption the read goes on, and the echo stays off: restore it.
		if state, err := term.GetState(fd); err == nil {
			defer func() { _ = term.Restore(fd, state) }()
		}
	}
	line, err := kit.Await(ctx, ask)
	if err != nil {
		return "", err
	}
	if len(line) >= maxLogin {
		return "", kit.Usage("the key has more than %s; was something else put on standard input?", kit.WholeBytes(maxLogin))
	}
	key := strings.TrimSpace(line)
	if key == "" {
		return "", kit.Usage("no key was given: type it when asked, or put it on standard input")
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", kit.Usage("the key holds blanks or characters that a header cannot carry; was something else pasted?")
	}
	return key, nil
}

func (o *loginOptions) askHidden(fd int) (string, error) {
	o.k.IO.Notef("Key (it stays hidden): ")
	b, err := term.ReadPassword(fd)
	o.k.IO.Notef("\n")
	return string(b), err
}
