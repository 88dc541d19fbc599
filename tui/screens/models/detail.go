package models

import (
	"slices"
	"strings"

	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/tui/widgets"
)

func (m *Model) buttonLines() int {
	if m.h < buttonsFrom {
		return 0
	}
	return 2
}

// detailBox is everything about the model under the cursor.
func (m *Model) detailBox() string {
	w, focus := m.detailWidth(), m.focus == detailPane
	if m.probe.shown {
		return widgets.Box(m.st, m.title("Probe of the gateway", detailPane), m.probe.state(), m.detail.View(m.st), w, m.h, focus)
	}
	r := m.selected()
	if r == nil {
		return widgets.Box(m.st, m.title("Model", detailPane), "", "\n"+m.ink.muted.Text("no model"), w, m.h, focus)
	}
	iw, _ := widgets.Inner(w, m.h)
	body := m.detail.View(m.st)
	if n := m.buttonLines(); n > 0 {
		line := ""
		for _, b := range m.commands.Buttons(m) {
			line += widgets.Button(m.st, b.ID, b.Word, false, false) + " "
		}
		body += strings.Repeat("\n", n) + widgets.Line(line, iw)
	}
	return widgets.Box(m.st, m.title(widgets.Truncate(r.name, max(4, w-20)), detailPane), kindCell(r), body, w, m.h, focus)
}

// fillDetail makes the lines of the detail, if it shows and the model or the width has changed.
func (m *Model) fillDetail() {
	if !m.detailShows() {
		return
	}
	iw, ih := widgets.Inner(m.detailWidth(), m.h)
	if m.probe.shown {
		m.detail.SetSize(iw, ih)
		if want := (drawn{look: look{w: iw, st: m.st, probe: m.probe.changes}, ready: true}); want != m.drawn {
			m.drawn = want
			s := &sheet{catalog: m.deps.Catalog, ink: &m.ink, w: max(1, iw-2)}
			m.probe.sheet(s)
			m.detail.SetLines(s.lines)
		}
		return
	}
	m.detail.SetSize(iw, max(0, ih-m.buttonLines()))
	r := m.selected()
	if r == nil {
		return
	}
	want := drawn{id: r.id, look: look{w: iw, st: m.st, live: m.live.changes, star: m.stars.changes}, ready: true}
	if want == m.drawn {
		return
	}
	m.drawn = want
	m.detail.SetLines(m.page(r, want.look))
}

// page are the lines about a model, from the cache if they are there.
func (m *Model) page(r *row, as look) []string {
	p := &m.pages
	if p.look != as || len(p.lines) >= maxPages {
		*p = pages{look: as, lines: map[string][]string{}}
	}
	lines, ok := p.lines[r.id]
	if !ok {
		s := &sheet{catalog: m.deps.Catalog, ink: &m.ink, w: max(1, as.w-2)}
		m.sheet(s, r)
		lines = s.lines
		p.lines[r.id] = lines
	}
	return lines
}

// sheet writes down everything known about a model.
func (m *Model) sheet(s *sheet, r *row) {
	k := s.ink
	s.text(k.strong, 0, m.stars.mark(r))
	sign, ink := m.origin(r, false)
	s.pair("Origin", strings.SplitN(sign, " ", 2)[0]+" "+m.live.originText(r), ink)
	if len(r.known) == 0 {
		s.unknown(r)
	}
	for i := range r.known {
		x := &r.known[i]
		if len(r.known) > 1 {
			s.head("As " + string(x.Modality))
		}
		s.known(x)
	}
	s.remote(r.live)
}

// originText is where a model comes from, in a sentence.
func (l *live) originText(r *row) string {
	if len(r.known) == 0 {
		return "offered and not in the catalog (" + r.live.lists + ")"
	}
	where := "in the catalog"
	if r.offer.Origin() == catalog.FromOverlay {
		where = "in the catalog by your catalog.yaml"
	}
	switch {
	case r.live != nil:
		return where + ", and offered (" + r.live.lists + ")"
	case l.have:
		return where + " and not offered"
	case l.loading:
		return where + "; the gateway's lists are being asked"
	default:
		return where + "; no list of the gateway has answered"
	}
}

// unknown says what it means that only the lists have a model.
func (s *sheet) unknown(r *row) {
	s.text(s.ink.muted, 0, "Its kind, modes and fields are not in the catalog, and the lists do not tell them. A file catalog.yaml in the configuration folder can describe it.")
	if near := s.catalog.Suggest(r.id, 3); len(near) > 0 {
		s.pair("Near it", strings.Join(near, ", "), s.ink.code)
	}
}

// known is what the catalog says of a model for one kind.
func (s *sheet) known(x *catalog.Model) {
	k := s.ink
	s.pair("Kind", string(x.Modality), k.text)
	family := x.Family
	for _, f := range s.catalog.Families() {
		if f.Token == x.Family {
			family += familyText(&f)
		}
	}
	s.pair("Family", family, k.text)
	s.pair("Note", x.Note, k.text)
	if len(x.ModelNames) > 0 {
		rule := "usual, whether it is required is not documented: "
		switch {
		case x.ModelNameHard:
			rule = "required, one of "
		case x.ModelNameListed:
			rule = "whether it is required is not documented; if given, one of "
		}
		s.pair("Model name", rule+strings.Join(x.ModelNames, ", "), k.text)
	}
	for _, f := range sortedKeys(x.Fixed) {
		s.pair("Fixed", s.catalog.LabelOf(x.Modality, f)+" is "+x.Fixed[f]+" by the model; another value is refused", k.text)
	}
	s.pair("References", maxRefs(x.MaxRefs), k.text)
	for _, a := range x.Advice {
		text := "• " + a.Text
		if len(a.Modes) > 0 {
			text += " (" + strings.Join(a.Modes, ", ") + ")"
		}
		s.pair("Advice", cite(text, a.Source), k.info)
	}
	for _, c := range x.Caveats {
		s.pair("Caveat", cite("• "+c.About+": "+c.Text, c.Source), k.warn)
	}
	s.pair("Source", x.Source, k.muted)
	s.modes(x)
	s.formats(x)
	s.fields(x)
}

func familyText(f *catalog.Family) string {
	out := ""
	if f.Title != "" && f.Title != f.Token {
		out += " " + f.Title
	}
	if f.Kind != "" {
		out += ", " + f.Kind
	}
	if f.Note != "" {
		out += ": " + f.Note
	}
	return out
}

// cite appends the section of the gateway's interface to what it says.
func cite(text, source string) string {
	if source == "" {
		return text
	}
	return strings.TrimSpace(text + " (" + source + ")")
}

// maxRefs is the greatest number of references of each kind in a request.
func maxRefs(most map[string]int) string {
	var out []string
	for _, kind := range sortedKeys(most) {
		one, many := kind, kind+"s"
		if kind == "audio" {
			one, many = "audio file", "audio files"
		}
		out = append(out, plural(most[kind], one, many))
	}
	if len(out) == 0 {
		return ""
	}
	return "at most " + strings.Join(out, ", ") + " over all fields; more are refused"
}

// formats are the ways to create with a model, and the routes that know its tasks.
func (s *sheet) formats(x *catalog.Model) {
	k := s.ink
	s.head("Created through, preferred first")
	for _, name := range x.Formats {
		info, ok := s.catalog.Format(name)
		if !ok {
			s.item(name, "not in the catalog", k.warn)
			continue
		}
		switch {
		case info.Reserved:
			s.item(name, "reserved: "+info.Create, k.warn)
		case info.Configured:
			s.item(name, "configured, not documented", k.warn)
		default:
			s.item(name, info.Create, k.text)
		}
		if info.Note != "" {
			s.more(k.muted, cite(info.Note, info.Source))
		}
		for _, n := range info.Needs {
			s.more(k.muted, "always needs "+n.Text)
		}
	}
	if len(x.Formats) == 0 {
		s.text(k.muted, 2, "no format of the catalog creates with it")
	}
	s.head("Queried through, in this order")
	for _, name := range x.Routes {
		info, _ := s.catalog.Format(name)
		query := info.Query
		if query == "" {
			query = "no query: the answer to the create is the result"
		}
		s.item(name, query, k.text)
	}
	if len(x.Routes) == 0 {
		s.text(k.muted, 2, "no route is documented")
	}
}

// remote is what the gateway's lists say of a model.
func (s *sheet) remote(l *remote) {
	if l == nil {
		return
	}
	k := s.ink
	s.head("The gateway's lists say")
	s.pair("Lists", l.lists, k.text)
	s.pair("Name", l.title, k.text)
	s.pair("Version", l.version, k.text)
	s.pair("Owner", l.owner, k.text)
	s.pair("Methods", strings.Join(l.methods, ", "), k.text)
	var tokens []string
	if l.input > 0 {
		tokens = append(tokens, "input "+human.Count(int(l.input)))
	}
	if l.output > 0 {
		tokens = append(tokens, "output "+human.Count(int(l.output)))
	}
	s.pair("Tokens", strings.Join(tokens, ", "), k.text)
	s.pair("Text", l.text, k.muted)
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
