package stat

import (
	"fmt"
	"math"
	"strings"

	"darkroom/client/human"
	"darkroom/jobs/compare"
)

// sentence says what a comparison comes to, so that it can be quoted alone.
func (c *Comparison) sentence() string {
	switch {
	case c.SideA.N == 0 || c.SideB.N == 0:
		return fmt.Sprintf("Nothing to compare %s with %s %s: they have no trials of the same %s.", c.A, c.B, c.where(), c.eachWord())
	case c.Verdict == TooFew:
		among := "Not"
		if c.Tests > 1 {
			among = fmt.Sprintf("Among %d pairs, not", c.Tests)
		}
		return fmt.Sprintf("Too few trials to compare %s with %s %s: %s. %s even winning every time would show anything; both sides need at least %s.",
			c.A, c.B, c.where(), c.numbers(), among, c.needs())
	case c.Verdict == NoDifference:
		text := fmt.Sprintf("No difference shown between %s and %s %s: %s, %s", c.A, c.B, c.where(), c.sides(), c.evidence())
		if at := c.bounds(); at != "" {
			text += "; " + at
		}
		if c.Coarse {
			text += "; the polls were too far apart to tell: by the middles of their intervals there would be one"
		}
		return text + "."
	default:
		text := fmt.Sprintf("%s %s %s%s: %s", c.A, c.beats(), c.B, c.part(), c.sides())
		if at := c.bounds(); at != "" {
			text += ", " + at
		}
		return text + ", " + c.evidence() + "."
	}
}

func (c *Comparison) beats() string {
	switch {
	case c.Metric == Success && c.Verdict == Better:
		return "succeeded more often than"
	case c.Metric == Success:
		return "succeeded less often than"
	case c.Verdict == Better:
		return "was faster than"
	default:
		return "was slower than"
	}
}

// where is the metric as part of a sentence.
func (c *Comparison) where() string {
	if c.Metric == Success || c.Metric == Total {
		return "in " + map[Metric]string{Success: "success", Total: "total time"}[c.Metric]
	}
	return strings.TrimSpace(c.part())
}

// part is the part of the time that "faster" is of, "" for all of it.
func (c *Comparison) part() string {
	switch c.Metric {
	case Create:
		return " at the create"
	case Queue:
		return " in the queue"
	case Run:
		return " while running"
	case Download:
		return " at the download"
	default:
		return ""
	}
}

// sides are both sides' numbers.
func (c *Comparison) sides() string {
	if c.Metric == Success {
		return c.SideA.Share.String() + " against " + c.SideB.Share.String()
	}
	return "median " + c.SideA.Median.String() + " against " + c.SideB.Median.String() + ", " + c.numbers()
}

// numbers are those of the trials.
func (c *Comparison) numbers() string {
	text := fmt.Sprintf("n = %d and %d", c.SideA.N, c.SideB.N)
	if c.SideA.Censored+c.SideB.Censored > 0 {
		text += fmt.Sprintf(" (%d and %d timed out)", c.SideA.Censored, c.SideB.Censored)
	}
	return text
}

// evidence is the p, and what it is of.
func (c *Comparison) evidence() string {
	by := []string{c.Test}
	if c.Within {
		by[0] += fmt.Sprintf(" within each of %s", human.Plural(c.Blocks, c.eachWord()))
	}
	if c.Tests > 1 {
		by = append(by, fmt.Sprintf("Holm over %d pairs", c.Tests))
	}
	text := strings.Join(by, ", ")
	switch c.Source {
	case compare.Stamped:
		text += "; by the gateway's stamps"
	case compare.Polled:
		text += "; by polls"
	}
	return pText(c.Holm) + " (" + text + ")"
}

// bounds is how far apart both are, as far as that says anything.
func (c *Comparison) bounds() string {
	s := c.Shift
	switch {
	case s == nil || s.LeastOpen || s.MostOpen:
		return ""
	case c.Verdict == Better && s.Least > 0:
		return fmt.Sprintf("by %s to %s", human.Dur(s.Least), human.Dur(s.Most))
	case c.Verdict == Worse && s.Most < 0:
		return fmt.Sprintf("by %s to %s", human.Dur(-s.Most), human.Dur(-s.Least))
	case c.Verdict == NoDifference && s.Least < 0 && s.Most > 0:
		return fmt.Sprintf("%s took from %s less to %s more", c.B, human.Dur(-s.Least), human.Dur(s.Most))
	default:
		return ""
	}
}

// needs is what a comparison would take.
func (c *Comparison) needs() string {
	repeats := human.Plural(c.Needed, "trial")
	if c.Blocks < 2 {
		return repeats + " of the " + c.eachWord()
	}
	return fmt.Sprintf("%s of each of %s", repeats, human.Plural(c.Blocks, c.eachWord()))
}

func (c *Comparison) eachWord() string {
	if c.Each == "" {
		return "prompt"
	}
	return c.Each
}

// String is the value with its interval: "4.1 s [3.9 s, 4.4 s]", "more than 60 s". An interval of less
// than 95 % says of how much.
func (e Estimate) String() string {
	text := human.Dur(e.Value)
	if e.MoreThan {
		text = "more than " + text
	}
	most := "open"
	if !e.Open {
		most = human.Dur(e.Most)
	}
	switch {
	case e.Coverage == 0:
		return text
	case e.Coverage < level:
		return fmt.Sprintf("%s [%s, %s at %s]", text, human.Dur(e.Least), most, percent(e.Coverage))
	default:
		return fmt.Sprintf("%s [%s, %s]", text, human.Dur(e.Least), most)
	}
}

// String is the share in words: "17 of 18 (94 % [74 %, 99 %])".
func (s Share) String() string {
	if s.N == 0 {
		return "0 of 0"
	}
	return fmt.Sprintf("%d of %d (%s [%s, %s])", s.Count, s.N, percent(s.Value), percent(s.Low), percent(s.High))
}

// percent never rounds to all or none what is not.
func percent(f float64) string {
	p := f * 100
	if r := math.Round(p); (r == 100 || r == 0) && p != r {
		return fmt.Sprintf("%.1f %%", min(99.9, max(0.1, p)))
	}
	return fmt.Sprintf("%.0f %%", p)
}

// pText writes a p so that rounding does not carry it over a usual limit.
func pText(p float64) string {
	switch {
	case p < 0.001:
		return "p < 0.001"
	case math.Abs(p-0.05) < 0.0005:
		return fmt.Sprintf("p = %.4f", p)
	case p < 0.1:
		return fmt.Sprintf("p = %.3f", p)
	default:
		return fmt.Sprintf("p = %.2f", p)
	}
}
