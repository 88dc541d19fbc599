package create

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// listLimit bounds what the gateway's lists of models may take.
const listLimit = 30 * time.Second

// liveModels asks the gateway's lists of models, once in a command and only when somebody wants to
// know.
func liveModels(ctx context.Context, gw *app.Gateway) func() ([]string, error) {
	return sync.OnceValues(func() ([]string, error) {
		if err := gw.CheckKey(); err != nil {
			return nil, err
		}
		ctx, stop := context.WithTimeout(ctx, listLimit)
		defer stop()
		list, err := gw.Client.Models(ctx)
		var ids []string
		for _, m := range list.Models {
			ids = append(ids, m.ID)
		}
		return ids, err
	})
}

// try says whether a model that the catalog does not know may be sent: one that the gateway lists
// may, and any where it has no lists. The catalog's own warning tells that nothing is known of it.
func (o *options) try(model string) error {
	if o.insist {
		return nil
	}
	listed, err := o.live()
	switch {
	case slices.Contains(listed, model):
		return nil
	case err == nil:
		names := append(kit.ModelIDs(o.k, o.modality), listed...)
		slices.Sort(names)
		text := ""
		if near := catalog.Nearest(model, slices.Compact(names), 4); len(near) > 0 {
			text = "; near it are: " + client.CleanLine(strings.Join(near, ", "))
		}
		return kit.Usage("--model %q is not in the catalog, nor does the gateway list it%s; --insist sends it all the same", client.CleanLine(model), text)
	case client.Missing(err), o.dryRun && errors.Is(err, config.ErrNoKey):
		o.once.Do(func() { // and not for each job of a batch
			o.note("whether the gateway has " + model + " is not known: its lists of models cannot be read: " + err.Error())
		})
		return nil
	default:
		return kit.Usage("--model %w, and the gateway's lists of models cannot be read: %w; --insist sends it all the same", kit.UnknownModel(o.cat, model), err)
	}
}
