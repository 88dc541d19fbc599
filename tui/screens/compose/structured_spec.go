package compose

import "darkroom/tui/widgets/items"

var itemWords = map[string]string{
	items.Add: "add", items.Edit: "edit", items.Named: "name", items.Role: "role", items.Up: "up", items.Down: "down",
	items.Duplicate: "copy", items.Delete: "delete", items.Undo: "undo", items.Redo: "redo", items.Repair: "repair",
	items.Raw: "JSON", items.Close: "close",
}
