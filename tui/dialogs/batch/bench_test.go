package batch

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	rules "darkroom/client/batch"
	"darkroom/client/catalog"
	"darkroom/client/catalog/catalogtest"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// gateway makes requests without any I/O.
type gateway struct{ catalog *catalog.Catalog }

func (g gateway) FormatsFor(d client.Draft) []string {
	m, _ := g.catalog.ModelFor(d.Modality, d.Model)
	return m.Formats
}

func (g gateway) Preview(d client.Draft, format string) (client.Preview, error) {
	p := client.Preview{Format: format}
	if _, ok := d.Values["callback_url"]; ok {
		p.Dropped = []client.Dropped{{Field: "callback_url", Reason: "this gateway has no callbacks"}}
	}
	return p, nil
}

// bench is a dialog that is open, and what it was opened with.
type bench struct {
	*tuitest.Host
	d    *Dialog
	form Form
	o    Options
}

// desk is a bench whose form has a model and a prompt.
func desk(t testing.TB, model, prompt string, w, h int) *bench {
	t.Helper()
	c := catalogtest.Catalog(t)
	if model == "" {
		model = c.Default(client.Video).Model
	}
	n := uint64(41)
	files := fstest.MapFS{"colour.txt": {Data: []byte("red\nblue\n{light|dark} green\n")}}
	b := &bench{form: Form{Draft: client.Draft{Modality: client.Video, Model: model, Mode: "t2v", Prompt: prompt, Values: client.Values{}}, Copies: 1}}
	b.o = Options{
		Memory: &Memory{}, Catalog: c, Gateway: gateway{c}, Keys: keys.New(screen.Rows(Commands())),
		Wildcards: func() (fs.FS, func(), error) { return files, func() {}, nil },
		Seed:      func() uint64 { n++; return n },
		Show:      func(v any) string { return fmt.Sprint(v) },
	}
	b.Host = tuitest.NewDialog(t, b.o.Keys, nil, w, h)
	b.Limit = time.Minute
	return b
}

func (b *bench) open(k Kind) *Dialog {
	b.o.Kind, b.o.Form = k, b.form
	b.d = New(b.o)
	b.Show(b.d)
	return b.d
}

// table writes a file, and opens the dialog with it.
func (b *bench) table(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	b.open(OfFile)
	b.Paste(path)
	return path
}

// sent are the jobs that were to be sent.
func (b *bench) sent() (out []rules.Job) {
	for _, a := range b.Answers {
		if s, ok := a.(Submit); ok {
			out = append(out, s.Jobs...)
		}
	}
	return out
}

// said are those jobs, as "prompt #seed".
func (b *bench) said() []string {
	var out []string
	for _, j := range b.sent() {
		text := j.Draft.Prompt
		if seed, ok := j.Draft.Values.Text("seed"); ok {
			text += " #" + seed
		}
		out = append(out, text)
	}
	return out
}

func toast(t *testing.T, b *bench) screen.ToastMsg {
	t.Helper()
	msg, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok, "there is no toast")
	return msg
}

// dialogText is what the dialog says, its lines and borders taken out.
func (b *bench) dialogText() string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "\n", " ").Replace(tuitest.Plain(b.d.View()))), " ")
}
