package rows

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/client/catalog"
	"darkroom/tui/widgets/form"
)

func TestAFieldIsChosenWhereItsValuesAreFixed(t *testing.T) {
	f := catalog.Field{Name: "quality", Kind: catalog.Choice, Allowed: []string{"low", "high"}, Hard: true}
	assert.Equal(t, form.Choice, Of(f).Kind)
	assert.Equal(t, form.Auto, Of(f).Options[0].Label, "it can be left out")
	f.Mapped = true
	assert.Equal(t, form.Text, Of(f).Kind, "any value is taken")
	least := 1.5
	assert.Equal(t, "auto ·2·  from 1.5", Hint(catalog.Field{Kind: catalog.Number, Min: &least, Default: "2"}))
	assert.Equal(t, "auto  width:height", Hint(catalog.Field{Kind: catalog.Ratio}))
	assert.Equal(t, form.Auto, Hint(catalog.Field{Kind: catalog.Text}))
}

func TestAValueThatIsNoneOfTheChoicesCanBeChosenAgain(t *testing.T) {
	var s Unlisted
	row := form.Field{ID: "quality", Kind: form.Choice, Options: append([]form.Option{{Value: "", Label: form.Auto}}, Options([]string{"low", "high"})...)}
	assert.Equal(t, row, s.Show(row, "low"))
	values := func(now string) (out []string) {
		for _, o := range s.Show(row, now).Options {
			out = append(out, o.Value)
		}
		return out
	}
	assert.Equal(t, []string{"", "mid", "low", "high"}, values("mid"))
	assert.Equal(t, []string{"", "mid", "low", "high"}, values("low"), "it comes back")
	assert.Equal(t, "mid is none of them", s.Show(row, "low").Detail)
}
