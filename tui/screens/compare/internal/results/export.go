package results

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs/compare"
	"darkroom/tui/dialogs/ask"
)

// Format is that of a report, by the end of its file's name.
type Format string

// Formats of reports.
const (
	HTML     Format = "html"
	Markdown Format = "md"
	CSV      Format = "csv"
	JSON     Format = "json"
)

// exportLimit bounds writing a report, with its media.
const exportLimit = 10 * time.Minute

// formatOf is the format that a path asks for, "" for none.
func formatOf(path string) Format {
	switch f := Format(strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))); f {
	case HTML, Markdown, CSV, JSON:
		return f
	default:
		return ""
	}
}

func askExport(m *Model) tea.Cmd {
	return m.o.Open(ask.ForLine(ask.Options{
		Look:   ask.Look{Title: "Write a report", Hint: "HTML opens offline, with its media; .md, .csv and .json too.", Button: "Write"},
		Prompt: "file: ", Placeholder: "report.html, .md, .csv or .json", Subject: "Of " + nameOf(m.run), Text: fileName(m.run) + ".html",
		Check: func(text string) string {
			if formatOf(strings.TrimSpace(text)) == "" {
				return "end the name with .html, .md, .csv or .json"
			}
			return ""
		},
		About: exporting{*m.run},
	}))
}

// fileName is a name for the files of a run.
func fileName(r *compare.Run) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.':
			return c
		default:
			return '-'
		}
	}, nameOf(r))
	return strings.Trim(name, "-.")
}

func (m *Model) export(r compare.Run, path string) tea.Cmd {
	write := m.o.Export
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), exportLimit)
		defer stop()
		if err := write(ctx, r, formatOf(path), path); err != nil {
			return toldMsg{err: fmt.Errorf("the report was not written: %w", err)}
		}
		return toldMsg{what: "the report is in " + client.CleanLine(path)}
	}
}
