package media

import (
	"image/color"
	"strings"
	"unicode"
)

// The things a scene is made of.
type (
	hour    int // time of day
	ground  int // what lies under the sky
	subject int // what moves in the picture
)

const (
	anyHour hour = iota
	day
	dawn
	dusk
	night
)

const (
	anyGround ground = iota
	hills
	sea
	mountains
	forest
	city
	desert
	plain // a mirror-flat plain: salt, ice, snow
)

const (
	anySubject subject = iota
	kite
	balloon
	birds
	boat
	cat
	rocket
	house
	flower
)

// hints is what the words of a prompt ask for; the zero value asks nothing.
type hints struct {
	hour    hour
	ground  ground
	subject subject
	accent  *color.NRGBA // a colour that was named
	snow    bool
}

// wordHints lists the words that are understood. Latin words match whole
// words, with or without a plural s; others match anywhere.
var wordHints = []struct {
	words string
	hints hints
}{
	{"night midnight moon moonlit moonlight star starry stars dark aurora galaxy 夜 月 星", hints{hour: night}},
	{"dawn sunrise morning 晨 黎明 日出", hints{hour: dawn}},
	{"dusk sunset evening twilight golden 黄昏 日落 夕阳 傍晚", hints{hour: dusk}},
	{"day noon sun sunny daylight summer spring 白天 太阳 阳光", hints{hour: day}},
	{"sea ocean beach coast wave lake river harbour harbor water ship island 海 湖 河 浪", hints{ground: sea}},
	{"mountain peak alps cliff rock summit 山 峰", hints{ground: mountains}},
	{"forest wood tree jungle pine 森林 树", hints{ground: forest}},
	{"city town street skyline tower building urban neon office 城 街", hints{ground: city}},
	{"desert dune sand canyon mars 沙", hints{ground: desert}},
	{"salt flat ice plain mirror frozen 盐 冰", hints{ground: plain}},
	{"snow snowy winter 雪 冬", hints{ground: plain, snow: true}},
	{"hill meadow field grass valley garden farm 草 田 丘", hints{ground: hills}},
	{"kite 风筝", hints{subject: kite}},
	{"balloon airship zeppelin 气球", hints{subject: balloon}},
	{"bird gull seagull eagle crane swan flock owl dragon plane 鸟 鹤 鹰 龙", hints{subject: birds}},
	{"boat ship sail sailboat yacht sailing 船 帆", hints{subject: boat, ground: sea}},
	{"cat kitten dog fox animal pet tiger 猫 狗 狐", hints{subject: cat}},
	{"rocket spaceship space astronaut launch 火箭 太空", hints{subject: rocket}},
	{"house cottage home hut cabin lighthouse barn 房 屋 家", hints{subject: house}},
	{"flower rose tulip blossom bloom sunflower 花", hints{subject: flower}},
}

var colourWords = []struct {
	words  string
	colour color.NRGBA
}{
	{"red crimson scarlet 红", color.NRGBA{222, 44, 48, 255}},
	{"orange 橙", color.NRGBA{245, 130, 32, 255}},
	{"yellow gold golden 黄 金", color.NRGBA{250, 200, 40, 255}},
	{"green emerald 绿", color.NRGBA{44, 160, 84, 255}},
	{"blue azure teal 蓝", color.NRGBA{40, 104, 220, 255}},
	{"purple violet 紫", color.NRGBA{132, 66, 190, 255}},
	{"pink magenta 粉", color.NRGBA{240, 104, 160, 255}},
	{"white silver 白", color.NRGBA{244, 244, 248, 255}},
	{"black 黑", color.NRGBA{30, 30, 38, 255}},
}

// readHints looks for known words in a prompt. Of several words of a kind, the one listed first
// wins.
func readHints(prompt string) hints {
	prompt = strings.ToLower(prompt)
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(prompt, func(r rune) bool { return !unicode.IsLetter(r) }) {
		words[w] = true
		words[strings.TrimSuffix(w, "s")] = true
	}
	asks := func(list string) bool {
		for _, w := range strings.Fields(list) {
			if words[w] || w[0] >= 0x80 && strings.Contains(prompt, w) {
				return true
			}
		}
		return false
	}
	var h hints
	for _, entry := range wordHints {
		if !asks(entry.words) {
			continue
		}
		if h.hour == anyHour {
			h.hour = entry.hints.hour
		}
		if h.ground == anyGround {
			h.ground, h.snow = entry.hints.ground, entry.hints.snow
		}
		if h.subject == anySubject {
			h.subject = entry.hints.subject
		}
	}
	for _, entry := range colourWords {
		if h.accent == nil && asks(entry.words) {
			colour := entry.colour
			h.accent = &colour
		}
	}
	return h
}
