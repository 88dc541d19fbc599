package results

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/jobs/compare/stat"
	"darkroom/tui/widgets"
)

// TestOnlyComparisonsOfWhatIsSaidAreCounted: parts of the total time are told where they differ, and are
// in no count; a difference comes first.
func TestOnlyComparisonsOfWhatIsSaidAreCounted(t *testing.T) {
	var all []stat.Comparison
	add := func(n int, m stat.Metric, v stat.Verdict, text string) {
		for range n {
			all = append(all, stat.Comparison{Metric: m, Verdict: v, Sentence: text})
		}
	}
	add(6, stat.Success, stat.NoDifference, "s")
	add(4, stat.Total, stat.TooFew, "t")
	add(24, stat.Queue, stat.NoDifference, "q")
	add(1, stat.Run, stat.Better, "famA3 ran faster")
	add(1, stat.Total, stat.Worse, "famB was slower")
	said := func() (string, []string) {
		p := &paragraphs{w: 200}
		others := p.pairs(all, widgets.Ink{}, widgets.Ink{})
		return strings.Join(p.out, "\n"), others
	}
	text, others := said()
	assert.Equal(t, "famA3 ran faster\n\nfamB was slower\n\n"+
		"no difference shown: 6 comparisons of success or total time\ntoo few trials: 4 comparisons of success or total time", text)
	assert.Empty(t, others, "too many to be read")
	all = all[5:8]
	_, others = said()
	assert.Equal(t, []string{"s", "t", "t"}, others)
}
