package queue

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/screen"
)

// look does the actions of looking at results; false for another one.
func (m *Model) look(id string) (tea.Cmd, bool) {
	switch id {
	case "queue.gallery":
		m.toggleGallery()
	case "queue.larger":
		m.resizeCells(1)
	case "queue.smaller":
		m.resizeCells(-1)
	case "queue.zoom":
		m.openZoom()
	case "queue.flip":
		m.flip()
	case "queue.star":
		return m.star(), true
	default:
		if strings.HasPrefix(id, scopeZoom+".") {
			return m.doZoom(id), true
		}
		return nil, false
	}
	return nil, true
}

// offSize says why the cells can not get another size.
func (m *Model) offSize(id string) string {
	by := 1
	if id == "queue.smaller" {
		by = -1
	}
	_, off := m.resized(by)
	return off
}

// offLook says why there is nothing to look at on the whole screen.
func (m *Model) offLook() string {
	switch {
	case m.deps.Previews == nil:
		return "there are no previews here"
	case len(m.job().Results()) == 0:
		return "no result of this job is on the disk"
	}
	return ""
}

// open opens the detail, and in it the picture.
func (m *Model) open() tea.Cmd {
	if m.focus == detailPane && m.offLook() == "" {
		m.openZoom()
		return nil
	}
	m.setFocus(detailPane)
	return nil
}

// otherView is what the key of the gallery leads to.
func (m *Model) otherView() string {
	if m.gallery.on {
		return "list"
	}
	return "gallery"
}

// pictureZone is that of the picture in the detail.
const pictureZone = "picture"

// clickPicture handles clicks on pictures; false for others.
func (m *Model) clickPicture(msg screen.ClickMsg) (tea.Cmd, bool) {
	switch {
	case m.zoom.on:
		if msg.Double {
			m.closeZoom()
		}
		return nil, true
	case msg.Zone == pictureZone:
		m.setFocus(detailPane)
		if msg.Double && m.offLook() == "" {
			m.openZoom()
		}
		return nil, true
	}
	return m.clickCell(msg)
}

// wheelZoom looks more closely, or less.
func (m *Model) wheelZoom(delta int) {
	if m.offZoom("zoom.in") == "" {
		m.closer(-delta)
	}
}
