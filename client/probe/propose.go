package probe

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/dialect"
)

// confirm adopts a candidate's words for a path that was found by them.
func (p *prober) confirm(c Candidate, absent Row) {
	if !slices.Contains(p.confirmed, c.Name) {
		p.confirmed = append(p.confirmed, c.Name)
	}
	if own := c.File.Paths[absent.Format].Query; own != "" {
		p.path(absent.Format, func(at *dialect.Paths) { at.Query = own })
		return
	}
	for s := range strings.SplitSeq(absent.Path, "/") {
		if w := c.File.Segments[s]; w != "" && p.Proposal.Segments[s] == "" {
			p.Proposal.Segments = set(p.Proposal.Segments, s, w)
			p.Found++
		}
	}
	if create := c.File.Paths[absent.Format].Create; create != "" && p.Proposal.Paths[absent.Format].Create == "" {
		p.path(absent.Format, func(at *dialect.Paths) { at.Create = create })
		p.Notes = append(p.Notes, "the create path "+create+" is that of the dialect "+c.Name+": only a create would tell")
	}
	for field, name := range c.File.WireNames[absent.Format] {
		p.Proposal.WireNames = set(p.Proposal.WireNames, absent.Format, set(p.Proposal.WireNames[absent.Format], field, name))
		p.Notes = append(p.Notes, field+" is sent as "+name+" in "+absent.Format+", as in the dialect "+c.Name+": only a create would tell")
	}
}

// path changes the paths of a format in the proposal.
func (p *prober) path(format string, change func(*dialect.Paths)) {
	at := p.Proposal.Paths[format]
	change(&at)
	p.Proposal.Paths = set(p.Proposal.Paths, format, at)
	p.Found++
}

// set returns a copy of a map with one more entry: the proposal starts as the dialect in use, which
// must not change.
func set[V any](m map[string]V, key string, value V) map[string]V {
	out := maps.Clone(m)
	if out == nil {
		out = map[string]V{}
	}
	out[key] = value
	return out
}

// models compares the catalog's models with those that the lists name.
func (p *prober) models(offered []client.RemoteModel) {
	if offered == nil {
		return
	}
	p.Offered, p.Missing, p.Unknown = []string{}, []string{}, []string{}
	byID := map[string]bool{}
	for _, m := range offered {
		byID[m.ID] = true
		if _, known := p.o.Catalog.Model(m.ID); !known {
			p.Unknown = append(p.Unknown, m.ID)
		}
	}
	for _, m := range p.o.Catalog.Models("") {
		if byID[m.ID] {
			p.Offered = append(p.Offered, m.ID)
		} else {
			p.Missing = append(p.Missing, m.ID)
		}
	}
	for _, c := range p.o.Candidates {
		p.fromCandidate(c)
	}
	p.fromNames()
}

// name proposes the gateway's name for a model that is missing.
func (p *prober) name(id, name string) {
	i := slices.Index(p.Missing, id)
	if i < 0 || p.Proposal.Models[id] != nil {
		return
	}
	p.Proposal.Models = set(p.Proposal.Models, id, dialect.Names{name})
	p.Found++
}

// fromCandidate adopts the names of a candidate that a list has.
func (p *prober) fromCandidate(c Candidate) {
	named := false
	for _, plain := range slices.Sorted(maps.Keys(c.File.ModelNames)) {
		if w := c.File.ModelNames[plain]; slices.Contains(p.Unknown, w) && p.Proposal.ModelNames[plain] == "" {
			p.Proposal.ModelNames = set(p.Proposal.ModelNames, plain, w)
			p.Found++
			named = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.File.Models)) {
		for _, name := range c.File.Models[id] {
			if name == client.NamePlaceholder && named || slices.Contains(p.Unknown, name) {
				p.name(id, name)
			}
		}
	}
}

// Matching of nearly equal names: those of a family are the catalog's with one word in place of the
// token. A word counts when it makes two names, or one that is no coincidence.
const (
	enough   = 2
	unlikely = 8 // characters behind the word
)

// fromNames looks, family by family, for the word that turns the family's own names into the most
// unknown names.
func (p *prober) fromNames() {
	taken := map[string]bool{} // names that are somebody's already
	for _, names := range p.Proposal.Models {
		for _, n := range names {
			taken[n] = true
		}
	}
	for _, w := range p.Proposal.ModelNames {
		taken[w] = true
	}
	for _, family := range p.o.Catalog.Families() {
		words := map[string]map[string]string{} // word -> id -> name
		for _, id := range family.Models {
			rest := strings.TrimPrefix(id, family.Token)
			for _, name := range p.Unknown {
				if word, ok := wordOf(name, rest); ok && !taken[name] && slices.Contains(p.Missing, id) {
					words[word] = set(words[word], id, name)
				}
			}
		}
		for id, name := range likeliest(words, family.Token) {
			p.name(id, name)
			taken[name] = true
		}
	}
}

// wordOf is the part of a name before the rest of an identifier.
func wordOf(name, rest string) (string, bool) {
	low := strings.ReplaceAll(strings.ToLower(name), "_", "-")
	word, ok := strings.CutSuffix(low, strings.ReplaceAll(strings.ToLower(rest), "_", "-"))
	if !ok || word == "" || rest == "" {
		return "", false
	}
	if digit(rest[0]) && digit(word[len(word)-1]) {
		return "", false // the end of another number
	}
	return word, true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// likeliest are the names that the best word makes, none where two words are equally good.
func likeliest(words map[string]map[string]string, token string) map[string]string {
	best := slices.SortedFunc(maps.Keys(words), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(words[b]), len(words[a])), cmp.Compare(longest(words[b], token), longest(words[a], token)), cmp.Compare(a, b))
	})
	if len(best) == 0 {
		return nil
	}
	first := words[best[0]]
	switch {
	case len(first) < enough && longest(first, token) < unlikely:
		return nil
	case len(best) > 1 && len(words[best[1]]) == len(first) && longest(words[best[1]], token) == longest(first, token):
		return nil
	default:
		return first
	}
}

// longest is the longest part of an identifier after the token.
func longest(names map[string]string, token string) (n int) {
	for id := range names {
		n = max(n, len(strings.TrimPrefix(id, token)))
	}
	return n
}

// rest finishes the proposal.
func (p *prober) rest() {
	if p.Found == 0 {
		return
	}
	p.Proposal.Title = cmp.Or(p.Proposal.Title, "proposed by a probe of "+p.o.Client.Origin())
	origin := "what the gateway's lists and paths showed"
	if len(p.confirmed) > 0 {
		origin += ", by words of " + strings.Join(p.confirmed, ", ")
	}
	p.Proposal.Origin = cmp.Or(p.Proposal.Origin, origin)
}
