package postgres

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Schema is where the tables lie, unless the address says search_path.
const Schema = "darkroom"

// identifier is made when it is first asked for: at the start of every command it is seldom needed.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`) })

// isDSN reports whether a history is an address of a PostgreSQL database.
func isDSN(s string) bool {
	return strings.HasPrefix(s, "postgres://") || strings.HasPrefix(s, "postgresql://")
}

// SchemaOf is where the tables of a history lie in its database.
func SchemaOf(dsn string) string {
	_, schema, err := parse(dsn)
	if err != nil {
		return Schema
	}
	return schema
}

// Name names the database of an address and the schema in it, whoever connects to it and how.
func Name(dsn string) string {
	cfg, schema, err := parse(dsn)
	if err != nil {
		return "postgres"
	}
	return fmt.Sprintf("postgres %s:%d/%s %s", cfg.ConnConfig.Host, cfg.ConnConfig.Port, cfg.ConnConfig.Database, schema)
}

// CheckDSN says what is wrong with an address, without repeating it: it may hold a password.
func CheckDSN(dsn string) error {
	_, _, err := parse(dsn)
	return err
}

// Redact returns an address as it may be shown: without the password.
func Redact(dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil || !isDSN(dsn) {
		return "postgres://…"
	}
	if _, has := u.User.Password(); has {
		u.User = url.UserPassword(u.User.Username(), "xxxxx")
	}
	q := u.Query()
	for _, k := range []string{"password", "sslpassword"} {
		if q.Has(k) {
			q.Set(k, "xxxxx")
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

var errDSN = errors.New("give an address like postgres://user@host/database (the password belongs in PGPASSWORD or ~/.pgpass)")

// parse reads an address; no error repeats any of it.
func parse(dsn string) (cfg *pgxpool.Config, schema string, err error) {
	u, err := url.Parse(dsn)
	if err != nil || !isDSN(dsn) || strings.Trim(u.Path, "/") == "" {
		return nil, "", errDSN
	}
	if cfg, err = pgxpool.ParseConfig(dsn); err != nil {
		return nil, "", fmt.Errorf("%w, with settings that libpq knows", errDSN)
	}
	if !u.Query().Has("sslmode") && os.Getenv("PGSSLMODE") == "" {
		if err := requireTLS(&cfg.ConnConfig.Config); err != nil {
			return nil, "", err
		}
	}
	params := cfg.ConnConfig.RuntimeParams
	schema = Schema
	if p := params["search_path"]; p != "" {
		first, _, _ := strings.Cut(p, ",")
		if schema = strings.TrimSpace(first); !identifier().MatchString(schema) {
			return nil, "", errors.New("search_path of the address: give a name of lower-case letters, digits and _")
		}
	} else {
		params["search_path"] = schema
	}
	for k, v := range map[string]string{
		"application_name":                    "darkroom",
		"statement_timeout":                   "30s",
		"lock_timeout":                        "10s",
		"idle_in_transaction_session_timeout": "30s",
	} {
		if params[k] == "" {
			params[k] = v
		}
	}
	return cfg, schema, nil
}

var errNoTLS = errors.New("TLS is required for a server on another machine: the password and the prompts would travel readable; `sslmode=disable` in the address says that this is meant")

// requireTLS removes from a configuration the ways to another machine without TLS. libpq's default
// mode, prefer, falls back to them, and anybody on the way can force that. Whoever sets sslmode, in
// the address or in PGSSLMODE, gets what it says.
func requireTLS(c *pgconn.Config) error {
	plain := func(host string, tls bool) bool { return !tls && !local(host) }
	c.Fallbacks = slices.DeleteFunc(c.Fallbacks, func(f *pgconn.FallbackConfig) bool { return plain(f.Host, f.TLSConfig != nil) })
	if !plain(c.Host, c.TLSConfig != nil) {
		return nil
	}
	if len(c.Fallbacks) == 0 {
		return errNoTLS
	}
	first := c.Fallbacks[0]
	c.Host, c.Port, c.TLSConfig, c.Fallbacks = first.Host, first.Port, first.TLSConfig, c.Fallbacks[1:]
	return nil
}

// local reports whether a host is this machine: a socket, a loopback address or localhost.
func local(host string) bool {
	if filepath.IsAbs(host) || strings.HasPrefix(host, "@") || strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
