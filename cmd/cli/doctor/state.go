package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/disk"
	"darkroom/client/human"
	"darkroom/client/sandbox/media/fonts"
	"darkroom/cmd/app"
	"darkroom/cmd/config"
	"darkroom/jobs/download"
	"darkroom/jobs/spool"
	"darkroom/jobs/store"
	"darkroom/themes"
)

// Bounds on waiting for others, and the room from which a disk counts as roomy.
const (
	gatewayLimit = 15 * time.Second
	historyLimit = 15 * time.Second
	roomy        = 2 << 30
	oldBackup    = 48 * time.Hour
)

// load reads the settings; where that fails, the defaults stand in for them.
func (x *examiner) load() {
	if x.c, x.failed = x.k.Config(); x.failed == nil {
		x.report.Profile = x.c.Profile.Name
		return
	}
	x.c.Paths = x.k.IO.Paths
	if x.c.Downloads == "" {
		x.c.Downloads = x.k.IO.Paths.Downloads
	}
}

// settings looks at the files that a person writes.
func (x *examiner) settings(context.Context) {
	path := x.k.IO.Paths.Config
	_, missing := os.Stat(path)
	switch {
	case x.failed != nil:
		x.add("settings", Broken, x.failed.Error(), "`darkroom config edit` opens it, and checks it before it is kept")
	case errors.Is(missing, fs.ErrNotExist):
		x.add("settings", OK, path+" is not there: the defaults hold", "")
	default:
		x.add("settings", OK, path, "")
	}
	x.themes()
	cat, err := x.k.Catalog()
	if err != nil {
		x.add("catalog", Broken, err.Error(), "`darkroom models lint` shows the place")
		return
	}
	if x.failed == nil {
		if _, err := x.c.Profile.Dialect.Client(cat); err != nil {
			x.add("dialect", Broken, err.Error(), "`darkroom gateway dialects lint` shows the place")
		}
	}
}

// themes looks at the person's own, if there are any.
func (x *examiner) themes() {
	l, err := themes.Open(x.k.IO.Paths.Themes)
	var bad []string
	for _, name := range l.Own() {
		if all, err := l.Lint(name); err != nil || len(all) > 0 {
			bad = append(bad, name)
		}
	}
	switch {
	case err != nil:
		x.add("themes", Better, "your own cannot be read: "+err.Error(), "make "+x.k.IO.Paths.Themes+" readable for you")
	case len(bad) > 0:
		x.add("themes", Better, "there are mistakes in "+strings.Join(bad, ", "), "`darkroom themes lint` shows each")
	case len(l.Own()) > 0:
		x.add("themes", OK, strings.Join(l.Own(), ", "), "")
	}
	if c := x.c.Theme; x.failed == nil && c != "" && c != "auto" {
		if _, err := l.Get(c); err != nil {
			x.add("theme", Better, err.Error()+"; dark is used", "`darkroom config set theme auto`, or one of `darkroom themes list`")
		}
	}
}

// gateway asks the profile's gateway whether it takes the key.
func (x *examiner) gateway(ctx context.Context) {
	p := x.c.Profile
	switch {
	case x.failed != nil:
		x.add("gateway", Broken, "not known without the settings", "see settings")
		return
	case p.Embedded:
		x.add("gateway", OK, "the embedded one, which needs no key ("+p.Source+")", "`darkroom auth login --base-url https://…` makes a profile for another")
		x.fonts(fonts.New(fonts.System(x.k.IO.Env)...))
		return
	}
	at := p.Name + ", " + p.BaseURL
	if !x.online {
		x.add("gateway", OK, at+", not asked", "")
		x.keyAlone()
		return
	}
	ctx, cancel := context.WithTimeout(ctx, gatewayLimit)
	defer cancel()
	err := app.CheckKey(ctx, app.GatewayOptions{Config: x.c, Secrets: x.k.Secrets(), Version: x.k.Version})
	var api *client.APIError
	switch {
	case err == nil:
		x.add("gateway", OK, at, "")
		x.add("key", OK, "the gateway takes it", "")
	case config.IsKeyError(err):
		x.add("gateway", OK, at+", not asked without a key", "")
		x.badKey(err)
	case errors.Is(err, client.ErrNoList):
		x.add("gateway", Better, at+": it answers, and has no list that could tell about the key", "`darkroom gateway probe` tells what it has")
	case errors.As(err, &api) && (api.HTTPStatus == 401 || api.HTTPStatus == 403):
		x.add("gateway", OK, at, "")
		x.add("key", Broken, "the gateway refuses it: "+err.Error(), "`darkroom auth login --profile "+p.Name+"` replaces it")
	case errors.As(err, &api):
		x.add("gateway", Broken, at+": "+err.Error(), "try again; `darkroom gateway probe` tells what it has")
	default:
		x.add("gateway", Broken, at+": "+err.Error(), "check the network, and the address: `darkroom auth status`")
	}
}

// keyAlone looks for the key and sends it nowhere.
func (x *examiner) keyAlone() {
	if _, where, err := x.k.Secrets().Find(x.c.Profile); err != nil {
		x.badKey(err)
	} else {
		x.add("key", OK, "kept in "+where, "")
	}
}

func (x *examiner) badKey(err error) {
	do := "`darkroom auth login --profile " + x.c.Profile.Name + "`"
	if errors.As(err, new(*config.OriginError)) {
		do += " keeps another key; with --same-key, this one is used"
	}
	x.add("key", Broken, err.Error(), do)
}

// history opens the history as other commands do, and looks for what waits beside it.
func (x *examiner) history(ctx context.Context) {
	path, shared := x.c.Paths.History, x.c.Profile.Shared()
	all, _ := store.Backups(path)
	if _, err := os.Stat(path); shared == "" && errors.Is(err, fs.ErrNotExist) && len(all) == 0 {
		x.add("history", OK, "none yet: it begins with the first job, in "+path, "")
		return
	}
	if shared != "" && !x.online {
		x.add("history", OK, shared+", not asked", "")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, historyLimit)
	defer cancel()
	var told []string
	st, err := app.ReadStore(ctx, x.c, func(s string) { told = append(told, s) })
	if err != nil {
		do := "`darkroom history doctor` says what is wrong, and what can be saved"
		if shared != "" {
			do = "look whether its server runs and can be reached"
		}
		x.add("history", Broken, err.Error(), do)
		return
	}
	if err := st.Close(); err != nil {
		told = append(told, err.Error())
	}
	switch what := x.opened(path, shared); {
	case len(told) > 0:
		x.add("history", Better, what+": "+strings.Join(told, "; "), "`darkroom history doctor` looks through all of it")
	case shared == "" && (len(all) == 0 || time.Since(all[0].Made) > oldBackup):
		x.add("history", Better, what+"; "+backup(all), "`darkroom history backup`; `darkroom history doctor` looks for damage")
	default:
		x.add("history", OK, what+"; `darkroom history doctor` looks for damage", "")
	}
	if waits, err := spool.Kept(x.c.Paths.Spool); err == nil && len(waits) > 0 {
		x.add("spool", Better, fmt.Sprintf("the outcomes of %d creates wait for the history, in %s", len(waits), x.c.Paths.Spool), "`darkroom jobs list` takes them over, where the history can be written")
	}
}

func (x *examiner) opened(path, shared string) string {
	if shared != "" {
		return shared + " opens"
	}
	size := int64(0)
	if info, err := os.Stat(path); err == nil {
		size = info.Size()
	}
	return path + " opens, " + human.Bytes(size)
}

func backup(all []store.Backup) string {
	if len(all) == 0 {
		return "there is no backup yet"
	}
	return "the newest backup is " + human.Age(time.Since(all[0].Made)) + " old"
}

// room looks at the disks that are written to.
func (x *examiner) room(context.Context) {
	for _, f := range []struct{ check, path string }{
		{"results", x.c.Downloads}, {"state", filepath.Dir(x.c.Paths.History)},
	} {
		dir := existing(f.path)
		free := disk.Free(dir)
		found := f.path + ", " + human.Bytes(free) + " free"
		if free < 0 {
			found = f.path
		}
		switch err := disk.Writable(dir); {
		case err != nil:
			x.add(f.check, Broken, f.path+" cannot be written: "+err.Error(), "make "+dir+" writable for you")
		case !download.HasRoom(dir, x.c.Saving.MinFree):
			x.add(f.check, Broken, found+", below the limit keep_free", "make room on its disk")
		case free >= 0 && free < roomy:
			x.add(f.check, Better, found, "make room on its disk")
		default:
			x.add(f.check, OK, found, "")
		}
	}
}

// existing is the nearest folder of a path that is there.
func existing(path string) string {
	for {
		info, err := os.Stat(path)
		up := filepath.Dir(path)
		if err == nil && info.IsDir() || up == path {
			return path
		}
		path = up
	}
}
