package catalog

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/client"
)

// BenchmarkEmbedded is what the catalog costs a program's start.
func BenchmarkEmbedded(b *testing.B) {
	for b.Loop() {
		if _, err := readEmbedded(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoadYAML is what reading the YAML instead would cost.
func BenchmarkLoadYAML(b *testing.B) {
	data, err := os.ReadFile("catalog.yaml")
	require.NoError(b, err)
	for b.Loop() {
		if _, err := Load(data, "catalog.yaml"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheck runs at every keystroke in a form.
func BenchmarkCheck(b *testing.B) {
	c, err := Embedded()
	require.NoError(b, err)
	drafts := map[string]client.Draft{
		"fine": {Modality: client.Video, Model: "famA3", Mode: "i2v", Prompt: "a lighthouse", Values: client.Values{
			"image": "https://example.com/a.png", "duration": json.Number("5"), "aspect_ratio": "16:9", "seed": json.Number("42")}},
		"problems": {Modality: client.Video, Model: "famK-3.0", Mode: "t2v", Values: client.Values{
			"duration": json.Number("99"), "resolution": "1080P", "aspect_ratio": "wide", "cfg_scale": json.Number("0.5"),
			"image": "x", "parameters": map[string]any{"duration": json.Number("1"), "colour": "red"}}},
		"unknown model": {Modality: client.Video, Model: "famA-3", Prompt: "x"},
	}
	for name, d := range drafts {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Check(d)
			}
		})
	}
}

// BenchmarkFields runs when a form changes its model or mode.
func BenchmarkFields(b *testing.B) {
	c, err := Embedded()
	require.NoError(b, err)
	d := c.Default(client.Video)
	b.ReportAllocs()
	for b.Loop() {
		c.Fields(d)
	}
}
