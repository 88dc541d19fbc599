package doctor

import (
	"slices"
	"strings"

	"darkroom/client/sandbox/media/fonts"
)

// fonts tells which scripts the embedded gateway cannot write into its pictures here.
func (x *examiner) fonts(library *fonts.Library) {
	scripts := []struct{ name, sample, kind string }{
		{"Chinese", "盐田", "cjk"}, {"Japanese", "東京の夜", "cjk"}, {"Korean", "서울", "cjk"}, {"Arabic", "قمر", "arabic"}, {"emoji", "🦊", "emoji"},
	}
	var lacking, kinds []string
	for _, s := range scripts {
		if len(library.Lacks(s.sample)) == 0 {
			continue
		}
		if lacking = append(lacking, s.name); !slices.Contains(kinds, s.kind) {
			kinds = append(kinds, s.kind)
		}
	}
	if len(lacking) == 0 {
		x.add("fonts", OK, "the embedded gateway writes Chinese, Japanese, Korean, Arabic and emoji into its pictures", "")
		return
	}
	program, _ := manager()
	x.add("fonts", Better, "the embedded gateway writes codes into its pictures: no font for "+strings.Join(lacking, ", "), fontsOf(program, kinds))
}

// fontsOf is how fonts of some kinds are installed with a program, where their packages are known.
func fontsOf(program string, kinds []string) string {
	packages, ok := map[string]map[string]string{
		"apt-get": {"cjk": "fonts-noto-cjk", "arabic": "fonts-noto-core", "emoji": "fonts-noto-color-emoji"},
		"pacman":  {"cjk": "noto-fonts-cjk", "arabic": "noto-fonts", "emoji": "noto-fonts-emoji"},
		"apk":     {"cjk": "font-noto-cjk", "arabic": "font-noto-arabic", "emoji": "font-noto-emoji"},
	}[program]
	if !ok {
		return "install fonts for that, such as Noto's"
	}
	var names []string
	for _, k := range kinds {
		names = append(names, packages[k])
	}
	return install(strings.Join(names, " "))
}
