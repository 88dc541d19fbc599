package expand

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// SeedMode says which seeds the jobs of a batch get.
type SeedMode string

// The seed modes. A drawn seed is put into the draft, so each job shows its own.
const (
	SeedsAsTheyAre SeedMode = ""
	SeedFixed      SeedMode = "fixed"  // all have the draft's, or one that is drawn
	SeedRandom     SeedMode = "random" // each has one of its own
	SeedCount      SeedMode = "count"  // from the draft's on, or from a drawn one, one more for each job of a row
)

// SeedModes returns the modes that change anything.
func SeedModes() []SeedMode { return []SeedMode{SeedFixed, SeedRandom, SeedCount} }

// FieldSeed is the canonical name of the seed.
const FieldSeed = "seed"

// seedLimit bounds drawn seeds: a larger one does not fit into a signed 32-bit integer, and the
// range of allowed seeds is not shown.
const seedLimit = 1 << 31

// HasSeed reports whether the catalog has a seed for a draft in a format; "" is the preferred
// format of its model. The client's Preview shows whether the codec drops it.
func HasSeed(c *catalog.Catalog, d client.Draft, format string) bool {
	if format == "" {
		format = c.DraftFormat(d)
	}
	for _, f := range c.FieldsFor(d, format) {
		if f.Name == FieldSeed {
			return true
		}
	}
	return false
}

// Alike reports whether some copies cannot be told apart: a prompt has several, and at least one
// row does not give each a seed of its own.
func (p *Plan) Alike() bool {
	repeats := p.o.Count > 1
	if p.o.Mode == Random {
		repeats = false
		for _, x := range p.rows {
			repeats = repeats || x.root.count.Cmp(big.NewInt(int64(p.o.Count))) < 0
		}
	}
	if !repeats {
		return false
	}
	for _, s := range p.seeded {
		if !s || p.o.Seeds == SeedFixed {
			return true
		}
	}
	return false
}

// Unseeded returns the number of rows that asked for seeds but take none.
func (p *Plan) Unseeded() int {
	if p.o.Seeds == SeedsAsTheyAre {
		return 0
	}
	n := 0
	for _, s := range p.seeded {
		if !s {
			n++
		}
	}
	return n
}

func checkSeed(m SeedMode, d client.Draft, seeded bool) error {
	switch m {
	case SeedsAsTheyAre, SeedFixed, SeedRandom:
		return nil
	case SeedCount:
		if s, ok := ownSeed(d); seeded && ok {
			if _, ok := new(big.Int).SetString(s, 10); !ok {
				return fmt.Errorf("seed %q is not a whole number, which counting needs", show(s))
			}
		}
		return nil
	default:
		return fmt.Errorf("seeds %q: allowed are fixed, random, count", show(string(m)))
	}
}

// ownSeed returns the seed set in the draft.
func ownSeed(d client.Draft) (string, bool) {
	s, ok := d.Values.Text(FieldSeed)
	s = strings.TrimSpace(s)
	return s, ok && s != ""
}

// seeder assigns seeds to the jobs of a plan, in order.
type seeder struct {
	mode  SeedMode
	deck  *deck
	first *big.Int // for drafts without one
}

func newSeeder(o Options) *seeder {
	s := &seeder{mode: o.Seeds, deck: newDeck(newDice(o.Seed, streamSeeds), big.NewInt(seedLimit))}
	if o.Seeds == SeedFixed || o.Seeds == SeedCount {
		s.first = s.deck.deal()
	}
	return s
}

// put gives the n-th job of a row its seed. A seed that is text stays text.
func (s *seeder) put(d *client.Draft, n int) {
	own, has := ownSeed(*d)
	_, isText := d.Values[FieldSeed].(string)
	var seed *big.Int
	switch {
	case s.mode == SeedRandom:
		seed = s.deck.deal()
	case s.mode == SeedFixed && has:
		return
	default:
		seed = new(big.Int).Set(s.first)
		if has {
			seed.SetString(own, 10)
		}
		if s.mode == SeedCount {
			seed.Add(seed, big.NewInt(int64(n)))
		}
	}
	if d.Values == nil {
		d.Values = client.Values{}
	}
	if has && isText {
		d.Values[FieldSeed] = seed.String()
		return
	}
	d.Values[FieldSeed] = json.Number(seed.String())
}
