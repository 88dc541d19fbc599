package settings

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/dialogs/ask"
	"darkroom/tui/screen"
)

func addProfile(m *Model) tea.Cmd {
	store, all := m.deps.Store, m.sheet.Profiles
	return m.stack.Open(ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "A new profile", Hint: "Letters, digits, - and _.", Button: "Next"},
		Prompt: "❯ ", Placeholder: "work", Subject: "What do you call the gateway?", About: naming{},
		Check: func(text string) string {
			for _, p := range all {
				if p.Name == text {
					return "there is a profile " + text + " already"
				}
			}
			return store.CheckProfile(NewProfile{Name: text})
		},
	}))
}

func askAddress(m *Model, p NewProfile) tea.Cmd {
	store := m.deps.Store
	return m.stack.Open(ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "A new profile: " + p.Name, Hint: "Such as https://gateway.example; plain http only on this machine.", Button: "Next"},
		Prompt: "❯ ", Placeholder: "https://gateway.example", Subject: "What is the gateway's address?", About: placing{p},
		Check: func(text string) string { return store.CheckProfile(NewProfile{Name: p.Name, Address: text}) },
	}))
}

// maxKey bounds a key, in characters.
const maxKey = 8_000

// keyLine asks for a key, which is not shown.
func keyLine(title, button string, about any) *ask.Line {
	return ask.ForLine(ask.Options{
		Look:   ask.Look{Title: title, Hint: "It is kept in the system's keyring, or in a file that only you can read.", Button: button},
		Prompt: "❯ ", Placeholder: "paste it here", Subject: "The key; it stays hidden.", About: about, Secret: true, Limit: maxKey,
		Check: func(text string) string {
			switch text = strings.TrimSpace(text); {
			case text == "":
				return "paste the key, or esc to cancel"
			case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
				return "it has blanks, or characters that a key cannot have"
			}
			return ""
		},
	})
}

func askKey(m *Model, p NewProfile) tea.Cmd {
	return m.stack.Open(keyLine("A new profile: "+p.Name, "Test and keep", keying{p}))
}

func otherKey(m *Model) tea.Cmd {
	p := m.current().profile
	return m.stack.Open(keyLine("The key of "+p.Name, "Test and keep", rekeying{p.Name}))
}

// add asks the gateway whether it takes the key, and makes the profile.
func add(m *Model, p NewProfile) tea.Cmd {
	store := m.deps.Store
	p.Key = strings.TrimSpace(p.Key)
	m.asking = "asking " + clean(p.Address) + " whether it takes the key …"
	m.at[profiles] = "profile:" + p.Name
	return func() tea.Msg {
		where, err := store.AddProfile(context.Background(), p)
		return doneMsg{good: "profile " + p.Name + " is made, its key kept in " + where, err: err, profile: p.Name}
	}
}

func rekey(m *Model, profile, key string) tea.Cmd {
	store := m.deps.Store
	m.asking = "asking the gateway of " + clean(profile) + " whether it takes the key …"
	return func() tea.Msg {
		where, err := store.SetKey(context.Background(), profile, strings.TrimSpace(key))
		return doneMsg{good: "the key of " + profile + " is kept in " + where, err: err, profile: profile}
	}
}

func test(m *Model) tea.Cmd {
	store, name := m.deps.Store, m.current().profile.Name
	m.asking = "asking the gateway of " + clean(name) + " …"
	return func() tea.Msg {
		said, err := store.Test(context.Background(), name)
		return testedMsg{name, tested{said, err}}
	}
}

func switchTo(m *Model) tea.Cmd {
	name := m.current().profile.Name
	return func() tea.Msg { return screen.SwitchMsg{Profile: name} }
}

func beginWith(m *Model) tea.Cmd {
	store, name := m.deps.Store, m.current().profile.Name
	return act("the console starts with the profile "+name, func(ctx context.Context) error { return store.Set(ctx, "profile", name) })
}
