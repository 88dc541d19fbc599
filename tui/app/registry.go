package app

import (
	"time"

	"darkroom/jobs"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/keys"
	"darkroom/tui/screen"
	"darkroom/tui/screens/chat"
	"darkroom/tui/screens/compare"
	"darkroom/tui/screens/compose"
	"darkroom/tui/screens/inspect"
	"darkroom/tui/screens/models"
	"darkroom/tui/screens/queue"
	"darkroom/tui/screens/settings"
)

// Entry is one screen of the console.
type Entry struct {
	ID    screen.ID
	Title string
	// Actions are the rows of the tables of the screen and of its dialogs.
	Actions []keys.Action
	New     func(Services) screen.Screen
}

// Keys is the map of all actions in the console, with the built-in keys: the one place where the
// tables of the shell, the screens and the dialogs come together.
func Keys() keys.Map { return KeysOf(Screens()) }

// KeysOf is [Keys] where the screens are at hand: to list them takes a while.
func KeysOf(list []Entry) keys.Map {
	all := screen.Rows(Commands())
	for _, e := range list {
		all = append(all, e.Actions...)
	}
	return keys.New(all)
}

// detailRest is longer than what lies between the keys of one that is held down.
const detailRest = 150 * time.Millisecond

// Screens is the one list of screens, in the order of their tabs and digits.
func Screens() []Entry {
	return []Entry{
		{screen.Compose, "Compose", compose.Rows(), func(s Services) screen.Screen {
			return compose.New(compose.Deps{
				Catalog: s.Catalog, Gateway: s.Gateway, Jobs: s.Jobs, Keys: s.Keys, Styles: s.Styles, Drafts: s.Drafts, Shelf: s.Shelf,
				Previews: s.Previews, Frames: s.Frames, Marks: s.Marks, Folders: s.Folders, Chat: s.Gateway, ChatModel: s.ChatModel, Talks: s.Talks, ReadOnly: s.Forbidden, Now: s.Now,
				Profile: s.Profile, Host: s.Host, PlanOf: s.PlanOf, Player: s.Player, Looks: s.ComposeLooks,
			})
		}},
		{screen.Queue, "Queue", queue.Rows(), func(s Services) screen.Screen {
			return queue.New(queue.Deps{Catalog: s.Catalog, Jobs: s.Jobs, PlanOf: s.PlanOf, Profile: s.Profile, Host: s.Host, Keys: s.Keys, Styles: s.Styles, Previews: s.Previews, Player: s.Player, Looks: s.Looks, Views: s.Views, Pace: s.Pace, Bodies: s.bodies(), Times: s.Times, Frames: s.Frames != nil, Rest: detailRest, Now: s.Now})
		}},
		{screen.Compare, "Compare", compare.Rows(), func(s Services) screen.Screen {
			return compare.New(compare.Deps{Catalog: s.Catalog, Free: !jobs.Billed(s.Profile), Gateway: s.Gateway, Bench: s.Bench, Plan: s.Plan, Export: s.Report, Votes: s.Votes, Jobs: s.Jobs, Keys: s.Keys, Styles: s.Styles, Previews: s.Previews, Player: s.Player, ReadOnly: s.Forbidden, Now: s.Now})
		}},
		{screen.Inspect, "Inspect", inspect.Rows(), func(s Services) screen.Screen {
			return inspect.New(inspect.Deps{Gateway: s.Gateway, Catalog: s.Catalog, Jobs: s.Jobs, PlanOf: s.PlanOf, Profile: s.Profile, Embedded: s.Embedded, Host: s.Host, Drift: s.Drift, Differs: s.Differs, Tags: s.Jobs, Bodies: s.bodies(), Everywhere: s.Everywhere, Times: s.Times, Keys: s.Keys, Styles: s.Styles, Previews: s.Previews, Player: s.Player, Now: s.Now})
		}},
		{screen.Chat, "Chat", screen.Rows(chat.Commands()), func(s Services) screen.Screen {
			return chat.New(chat.Deps{Gateway: s.Gateway, Model: s.ChatModel, Store: s.Chats, Keys: s.Keys, Styles: s.Styles, ReadOnly: s.Forbidden, Now: s.Now})
		}},
		{screen.Models, "Models", screen.Rows(models.Commands()), func(s Services) screen.Screen {
			return models.New(models.Deps{Catalog: s.Catalog, Gateway: s.Gateway, Probe: s.Probe, Drafts: s.Drafts, Marks: s.Marks, Keys: s.Keys, Styles: s.Styles, Now: s.Now})
		}},
		{screen.Settings, "Settings", screen.Rows(settings.Commands()), func(s Services) screen.Screen {
			return settings.New(settings.Deps{Store: s.Settings, Keys: s.Keys, Styles: s.Styles})
		}},
	}
}

// bodies is what the dialog of bodies works with.
func (s Services) bodies() body.Options {
	s.Bodies.Keys = s.Keys
	return s.Bodies
}
