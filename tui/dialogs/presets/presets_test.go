package presets_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/client/batch"
	"darkroom/client/expand"
	"darkroom/tui/dialogs/presets"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/tuitest"
)

// shelf keeps presets in memory.
type shelf struct {
	mu      sync.Mutex
	presets []expand.PresetFile
	err     error // of everything that writes
	badList error
	reading context.Context // of the last listing
	saved   []expand.Preset
	removed []string
}

func (s *shelf) Presets(ctx context.Context) ([]expand.PresetFile, error) {
	s.reading = ctx
	return s.presets, s.badList
}

func (s *shelf) Draft(p expand.PresetFile, m client.Modality) (client.Draft, error) {
	d := p.Draft.Clone()
	d.Modality = m
	if p.Name == "lost" {
		return d, errors.New("preset: \"gone.png\": it is not there")
	}
	return d, nil
}

func (s *shelf) Save(p expand.Preset, project, replace bool) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return "", s.err
	}
	path := s.Folder(project) + "/" + p.Name + ".yaml"
	for i, x := range s.presets {
		if x.Name != p.Name || x.Project != project {
			continue
		}
		if !replace {
			return "", fmt.Errorf("%w: %s", expand.ErrPresetExists, path)
		}
		s.presets = append(s.presets[:i:i], s.presets[i+1:]...)
		break
	}
	s.saved = append(s.saved, p)
	s.presets = append(s.presets, expand.PresetFile{Preset: p, Path: path, Project: project})
	return path, nil
}

func (s *shelf) Remove(name string, _ bool) (string, error) {
	if s.err != nil {
		return "", s.err
	}
	for i, x := range s.presets {
		if x.Name == name {
			s.presets = append(s.presets[:i:i], s.presets[i+1:]...)
			s.removed = append(s.removed, name)
			return x.Path, nil
		}
	}
	return "", errors.New("there is no such preset")
}

func (s *shelf) Folder(project bool) string {
	if project {
		return "/projects/kites/.darkroom/presets"
	}
	return "/home/me/.config/darkroom/presets"
}

func some() []expand.PresetFile {
	path := func(name string) string { return "/home/me/.config/darkroom/presets/" + name + ".yaml" }
	return []expand.PresetFile{
		{Preset: expand.Preset{Name: "broken"}, Path: path("broken"), Err: errors.New("broken.yaml:3:1: unknown key \"modle\"")},
		{Preset: expand.Preset{Name: "kites", Draft: client.Draft{Modality: client.Video, Prompt: "a kite"}}, Path: path("kites")},
		{Preset: expand.Preset{Name: "lost"}, Path: path("lost")},
		{Preset: expand.Preset{Name: "team", Draft: client.Draft{Prompt: "theirs"}},
			Path: "/projects/kites/.darkroom/presets/team.yaml", Project: true, Hides: path("team")},
	}
}

// bench is a host whose screen opens the dialog that saves when it is asked for.
type bench struct {
	*tuitest.Host
	s *shelf
	o presets.Options
}

func open(t *testing.T, w, h int) *bench {
	t.Helper()
	b := &bench{s: &shelf{presets: some()}}
	b.o = presets.Options{Shelf: b.s, Keys: keys.New(screen.Rows(presets.Commands())), Modality: client.Music,
		Changes: func(_ expand.PresetFile, d client.Draft) []presets.Change {
			if d.Prompt == "" {
				return nil
			}
			return []presets.Change{{Label: "Prompt", Is: d.Prompt}}
		}}
	b.Host = tuitest.NewDialog(t, b.o.Keys, nil, w, h)
	b.list()
	return b
}

func (b *bench) list() { b.Show(presets.New(b.o)) }

// keep opens the dialog that saves, as the last answer asks for it.
func (b *bench) keep() {
	var begin presets.Keep
	if n := len(b.Answers); n > 0 {
		begin, _ = b.Answers[n-1].(presets.Keep)
	}
	b.Show(presets.NewSave(b.o, presets.Form{Draft: client.Draft{Modality: client.Video, Prompt: "mine"}, Mode: batch.EveryPrompt, Vars: map[string]string{"x": "y"}}, begin))
}

func toast(t *testing.T, b *bench) screen.ToastMsg {
	t.Helper()
	msg, ok := tuitest.Last[screen.ToastMsg](b.Driver)
	require.True(t, ok, "there is no toast")
	return msg
}

func TestAPresetIsTaken(t *testing.T) {
	b := open(t, 120, 34)
	b.Type("kit")
	assert.Contains(t, b.View(), "Prompt: not set → a kite")
	b.Key("enter")
	require.Len(t, b.Answers, 1)
	got, ok := b.Answers[0].(presets.Taken)
	require.True(t, ok)
	assert.Equal(t, "kites", got.Preset.Name)
	assert.Equal(t, client.Video, got.Draft.Modality)
	assert.Nil(t, b.Top())
	b.list()
	b.Type("team")
	b.Key("enter")
	require.Len(t, b.Answers, 2)
	got, _ = b.Answers[1].(presets.Taken)
	assert.Equal(t, "team", got.Preset.Name)
	assert.Equal(t, client.Music, got.Draft.Modality, "the form's own, where it names none")
}

func TestPresetsThatCannotBeTaken(t *testing.T) {
	b := open(t, 120, 34)
	b.Type("broken")
	assert.Contains(t, b.View(), `broken.yaml:3:1: unknown key "modle"`)
	b.Key("enter")
	assert.Contains(t, toast(t, b).Text, "cannot be used")
	b.Key("ctrl+u")
	b.Type("lost")
	assert.Contains(t, b.View(), "The form has all of it already.")
	b.Key("enter")
	assert.Contains(t, toast(t, b).Text, "the form is as it was: preset: \"gone.png\"")
	assert.NotNil(t, b.Top())
	assert.Empty(t, b.Answers)
}

func TestThereMayBeNoPresets(t *testing.T) {
	b := open(t, 120, 34)
	b.s.presets, b.s.badList = nil, errors.New("the presets in /x cannot be read: permission denied")
	b.list()
	assert.Contains(t, b.View(), "permission denied")
	b.s.badList = nil
	b.list()
	assert.Contains(t, b.View(), "There are no presets yet. Type a name, then ^S saves")
	assert.Equal(t, "save the form", b.ShortHelp()[0].Help().Desc, "there is none to take")
	assert.NotContains(t, b.View(), "delete")
	b.Resize(40, 12)
	assert.Contains(t, b.View(), "There are no presets yet", "on a small screen, too")
	b.Key("enter", "ctrl+x")
	assert.Contains(t, toast(t, b).Text, "no preset to delete")
	assert.Empty(t, b.Answers)
}

func TestAPresetsNameMayHaveAnyLetters(t *testing.T) {
	b := open(t, 80, 24)
	b.s.presets = append(b.s.presets, expand.PresetFile{Preset: expand.Preset{Name: "凧"}, Path: "/x/凧.yaml"})
	b.list()
	tuitest.CheckFrame(t, b.Frame(), 80, 24)
	b.Type("凧")
	b.Key("enter")
	assert.Len(t, b.Answers, 1)
}

// What was typed and found nothing is the name of a new one.
func TestWhatWasTypedIsTheNameOfANewOne(t *testing.T) {
	b := open(t, 120, 34)
	b.Type("first boat")
	assert.Contains(t, b.View(), "no preset has these letters; ^S saves the form as one")
	b.Key("ctrl+s")
	assert.Equal(t, []any{presets.Keep{Name: "first-boat"}}, b.Answers)
	b.keep()
	b.Key("ctrl+s")
	require.Len(t, b.s.saved, 1)
	assert.Equal(t, "first-boat", b.s.saved[0].Name)
	assert.Equal(t, expand.Every, b.s.saved[0].Expand)
	assert.Equal(t, map[string]string{"x": "y"}, b.s.saved[0].Variables)
	b.Key("ctrl+u")
	b.Type("first")
	assert.Contains(t, b.View(), "first-boat.yaml", "the list was read again")
}

func TestSavingOverAPresetAsks(t *testing.T) {
	b := open(t, 120, 34)
	b.Type("kites")
	b.Key("ctrl+s")
	b.keep()
	b.Key("ctrl+s")
	assert.Contains(t, b.View(), "Replace preset kites?")
	b.Key("enter")
	assert.Empty(t, b.s.saved, "the first answer keeps it")
	b.Key("ctrl+s", "y")
	require.Len(t, b.s.saved, 1)
	_, ok := b.Top().(*presets.Dialog)
	assert.True(t, ok, "back in the list")
}

func TestSavingThatFailsKeepsWhatWasTyped(t *testing.T) {
	b := open(t, 80, 24)
	b.s.err = errors.New("/home/me/presets cannot be made: read-only file system")
	b.keep()
	b.Key("ctrl+s")
	assert.Contains(t, b.View(), "a name is needed")
	b.Type("x")
	b.Key("ctrl+s")
	assert.Contains(t, b.View(), "read-only file system")
	b.s.err = nil
	b.Key("ctrl+s")
	require.Len(t, b.s.saved, 1)
	b.Type("kites")
	b.s.err = errors.New("permission denied")
	b.Key("ctrl+x", "y")
	assert.Contains(t, toast(t, b).Text, "not deleted: permission denied")
}

// What is written once the dialog was left is told all the same.
func TestSavingGoesOnWhenTheDialogIsLeft(t *testing.T) {
	for _, err := range []error{nil, errors.New("the disk is full")} {
		b := open(t, 80, 24)
		b.keep()
		b.Type("x")
		press, _ := keys.Parse("ctrl+s")
		cmd, _ := b.Update(press)
		require.NotNil(t, cmd)
		b.Type("y")
		b.Key("esc")
		b.s.err = err
		b.Send(cmd())
		want := "preset saved, /home/me/.config/darkroom/presets/x.yaml"
		if err != nil {
			want = "the preset was not saved: the disk is full"
		}
		assert.Equal(t, want, toast(t, b).Text)
	}
}

func TestDeletingAPresetAsks(t *testing.T) {
	b := open(t, 120, 34)
	b.Type("broken")
	b.Key("ctrl+x")
	assert.Contains(t, b.View(), "Delete preset broken?")
	b.Key("esc")
	assert.Empty(t, b.s.removed)
	b.Key("ctrl+x")
	b.Click("btn:yes")
	assert.Equal(t, []string{"broken"}, b.s.removed)
	assert.NotContains(t, b.View(), "broken.yaml", "the list is read again")
	b.Key("esc")
	assert.Nil(t, b.Top())
}

// Nobody waits for them any more.
func TestClosingThePresetsEndsTheirReading(t *testing.T) {
	b := open(t, 80, 24)
	require.NoError(t, b.s.reading.Err())
	first := b.s.reading
	b.Key("esc")
	assert.Error(t, first.Err())
	b.list()
	require.NoError(t, b.s.reading.Err())
}

func TestTheFormThatIsKeptFollowsTheFormBelow(t *testing.T) {
	b := open(t, 80, 24)
	b.keep()
	b.Type("x")
	assert.Contains(t, b.View(), "left out")
	b.Send(presets.Form{Draft: client.Draft{Modality: client.Video, Prompt: "\n"}})
	assert.Contains(t, b.View(), "no prompt")
	assert.NotContains(t, b.View(), "left out")
	b.Click("btn:compose-save/send/o1")
	_, ok := b.Top().(*presets.Dialog)
	assert.True(t, ok)
}
