package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"darkroom/jobs/download"
)

// DownloadsFile holds the keys of config.yaml about saving results.
type DownloadsFile struct {
	// NameTemplate names the files within the folder, see download.DefaultTemplate.
	NameTemplate string `yaml:"name_template,omitempty"`
	// MaxDownload is the largest size of one file, in the form of parseSize.
	MaxDownload string `yaml:"max_download,omitempty"`
	// KeepFree is how much disk space a download leaves free, in the form of parseSize.
	KeepFree string `yaml:"keep_free,omitempty"`
	// ParallelDownloads is how many files are fetched at a time.
	ParallelDownloads int `yaml:"parallel_downloads,omitempty"`
	// Sidecars writes a JSON file beside each file; on when absent.
	Sidecars *bool `yaml:"sidecars,omitempty"`
}

// Saving is how results are saved. Zero values mean the defaults of download.Options.
type Saving struct {
	Template  string // "" for download.DefaultTemplate
	MaxBytes  int64  // 0 for the default
	MinFree   int64  // 0 for the default, negative for none
	Parallel  int    // 0 for the default
	NoSidecar bool
}

// maxParallel bounds parallel_downloads.
const maxParallel = 64

// saving reads and checks the keys about downloads.
func (f DownloadsFile) saving() (s Saving, err error) {
	s = Saving{Template: f.NameTemplate, Parallel: f.ParallelDownloads, NoSidecar: f.Sidecars != nil && !*f.Sidecars}
	if f.NameTemplate != "" {
		if err := download.CheckTemplate(f.NameTemplate); err != nil {
			return s, fmt.Errorf("name_template: %w", err)
		}
	}
	if f.MaxDownload != "" {
		if s.MaxBytes, err = parseSize(f.MaxDownload); err != nil || s.MaxBytes == 0 {
			return s, fmt.Errorf("max_download: %w", sizeError(f.MaxDownload, "more than 0"))
		}
	}
	if f.KeepFree != "" {
		if s.MinFree, err = parseSize(f.KeepFree); err != nil {
			return s, fmt.Errorf("keep_free: %w", err)
		}
		if s.MinFree == 0 {
			s.MinFree = -1
		}
	}
	if f.ParallelDownloads < 0 || f.ParallelDownloads > maxParallel {
		return s, fmt.Errorf("parallel_downloads: %d: give a number from 1 to %d, or 0 for the default", f.ParallelDownloads, maxParallel)
	}
	return s, nil
}

var sizeUnits = []struct {
	name  string
	bytes float64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12}, {"b", 1},
}

// parseSize reads a number of bytes with or without a unit: 500 MB, 8GiB, 1048576. Units are powers
// of 1000 (kB MB GB TB) or of 1024 (KiB MiB GiB TiB), in upper or lower case.
func parseSize(text string) (int64, error) {
	s, unit := strings.ToLower(strings.TrimSpace(text)), 1.0
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(s, u.name); ok {
			s, unit = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if v *= unit; err != nil || math.IsNaN(v) || v < 0 || v > 1<<60 {
		return 0, sizeError(text, "0 or more")
	}
	return int64(v), nil
}

func sizeError(text, bound string) error {
	return fmt.Errorf("%q: give a size like 500 MB, 8 GiB or 1048576, %s", text, bound)
}
