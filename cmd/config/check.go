package config

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"darkroom/jobs/store/postgres"
)

// maxName bounds the name of a profile, which is also a file name.
const maxName = 40

// CheckName says whether a profile may have this name.
func CheckName(name string) error {
	switch {
	case name == Sandbox || name == envProfileName:
		return fmt.Errorf("profile name %q is taken: %s is the embedded gateway, %s is %s", name, Sandbox, envProfileName, EnvBaseURL)
	case name == "" || len(name) > maxName ||
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "":
		return fmt.Errorf("profile name %q: 1 to %d letters, digits, - and _ are allowed", name, maxName)
	}
	return nil
}

// versions are the version segments that documented paths begin with, longest first (GATEWAY:
// Versioning).
var versions = []string{"/api/v3", "/api/v1", "/ent/v2", "/v1beta", "/v1"}

// CheckBaseURL returns a gateway's base address without a trailing slash and without a version
// segment at its end, since paths have their own (see [TrimNote]), or says what is wrong with it.
// Plain http is allowed for loopback hosts only: elsewhere the key would travel in clear text.
func CheckBaseURL(s string) (string, error) {
	s = strings.TrimSpace(s)
	u, err := url.Parse(s)
	switch {
	case strings.Contains(s, "@"): // not repeated: what stands before it may be a secret
		return "", errors.New("leave user and password out of the address; the key is kept apart")
	case err != nil:
		return "", fmt.Errorf("%q is not an address like https://gateway.example", s)
	case u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return "", fmt.Errorf("%q: give an address like https://gateway.example", s)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", fmt.Errorf("%q: leave query and fragment out of the address", s)
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return "", fmt.Errorf("%q: plain http would send the key in the clear; use https (http is for loopback only)", s)
	}
	root, _ := trimVersion(strings.TrimRight(u.String(), "/"))
	return root, nil
}

// trimVersion takes the version segment off an address that ends in one.
func trimVersion(base string) (root, version string) {
	for _, v := range versions {
		if root, ok := strings.CutSuffix(base, v); ok && strings.Contains(root, "://") && !strings.HasSuffix(root, "/") {
			return strings.TrimRight(root, "/"), v
		}
	}
	return base, ""
}

// TrimNote tells a person that the version segment was dropped from the end of an address; "" for
// an address without one, or one that [CheckBaseURL] refuses.
func TrimNote(given string) string {
	root, err := CheckBaseURL(given)
	if err != nil {
		return ""
	}
	_, version := trimVersion(strings.TrimRight(strings.TrimSpace(given), "/"))
	if version == "" {
		return ""
	}
	return fmt.Sprintf("the address ends in %s, which the gateway's paths have of their own: %s is used", version, root)
}

// loopback accepts loopback addresses and the one reserved name; 127.evil.example is neither.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// historyFile is the value of history that means the file on this machine.
const historyFile = "sqlite"

// CheckHistory returns the address where jobs are kept, "" for the file on this machine, or says
// what is wrong with it. It does not repeat its input, which may hold a password.
func CheckHistory(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" || s == historyFile {
		return "", nil
	}
	if err := postgres.CheckDSN(s); err != nil {
		return "", fmt.Errorf("%s (the file on this machine), or %w", historyFile, err)
	}
	return s, nil
}

// Shared is the address of the shared history, fit to be shown; "" for none.
func (p Profile) Shared() string {
	if p.History == "" {
		return ""
	}
	return postgres.Redact(p.History)
}
