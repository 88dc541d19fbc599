package catalog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// valueCheck judges one value of one field. For a key of an object, the field is the one with the
// same meaning, under the object's label.
type valueCheck struct {
	k     *checker
	f     *Field
	label string // its name in messages: "duration", "parameters.duration"
	rank  int
	said  int // item problems so far
}

func (c *valueCheck) problem(sev Severity, value, format string, args ...any) {
	name, _, _ := strings.Cut(c.label, ".")
	c.k.add(c.rank, Problem{Field: name, Value: value, Severity: sev,
		Message: fmt.Sprintf(format, args...), Allowed: c.f.Allowed, Source: c.f.Source})
}

// wrongType refuses a value whose type is not the field's, or warns if the gateway does not show
// the type.
func (c *valueCheck) wrongType(v any, want string) {
	s := showAny(v)
	if c.f.Loose && !c.refusedHere(v) {
		c.problem(Warn, s, "%s is %s; usual is %s, the type is not documented", c.label, s, want)
		return
	}
	c.problem(Block, s, "%s is %s; it must be %s", c.label, s, want)
}

// refusedHere reports whether the format shows the types of its fields and the value can be written
// neither as text nor as a list.
func (c *valueCheck) refusedHere(v any) bool {
	if c.k.info == nil || !c.k.info.Typed {
		return false
	}
	_, isBool := v.(bool)
	_, plain := scalar(v)
	return isBool || !plain || c.f.Kind == Media
}

func (c *valueCheck) value(v any) {
	switch c.f.Kind {
	case Integer, Number:
		c.number(v)
	case Scalar:
		if _, ok := scalar(v); !ok {
			c.wrongType(v, "text, a number, true or false")
		}
	case Boolean:
		if s, ok := scalar(v); !ok || s != "true" && s != "false" {
			c.wrongType(v, "true or false")
		}
	case Size:
		c.size(v)
	case Ratio:
		c.ratio(v)
	case Media:
		c.media(v)
	case Medias:
		c.medias(v)
	case List:
		c.list(v)
	case Object:
		c.object(v)
	case Content:
		c.content(v)
	default: // Text, Lines, Choice
		c.text(v)
	}
}

func (c *valueCheck) text(v any) {
	s, plain := scalar(v)
	if engine, known := c.f.ValueAliases[s]; plain && known {
		c.problem(Warn, show(s), "%s is %s; it names %s, and is sent as it stands", c.label, show(s), engine)
		return
	}
	if _, isText := v.(string); !isText && !slices.Contains(c.f.Allowed, s) {
		c.odd(v, s, "text")
		return
	}
	c.allowed(s)
}

// odd judges a value of the wrong type whose text is s: if the list of values is hard, it is
// refused as a value outside the list.
func (c *valueCheck) odd(v any, s, want string) {
	if c.f.Hard && len(c.f.Allowed) > 0 && s != "" {
		c.allowed(s)
		return
	}
	c.wrongType(v, want)
}

func (c *valueCheck) number(v any) {
	s, want := c.numeral(v)
	if want != "" {
		c.wrongType(v, want)
		return
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && c.f.Kind == Number {
		c.problem(Block, show(s), "%s is %s, which is out of range", c.label, show(s))
		return
	}
	if c.k.info != nil && slices.Contains(c.k.info.Digits, c.f.Name) && !isInteger(s) {
		c.problem(Warn, show(s), "%s is %s; the %s format shows a string of digits", c.label, show(s), c.k.format)
	}
	if c.f.Positive && x <= 0 && c.f.Min == nil {
		c.problem(Block, show(s), "%s is %s; it must be above 0", c.label, show(s))
		return
	}
	if c.f.Min != nil && x < *c.f.Min || c.f.Max != nil && x > *c.f.Max {
		c.bounds(s)
		return
	}
	c.allowed(s)
}

// numeral returns a value as the text of a number, or else what the field wants instead.
func (c *valueCheck) numeral(v any) (s, want string) {
	s, ok := scalar(v)
	_, isBool := v.(bool)
	switch {
	case isBool || !ok:
		return "", c.numberWords()
	case c.k.info != nil && slices.Contains(c.k.info.Whole, c.f.Name) && !isInteger(s):
		return "", "a whole number in the " + c.k.format + " format" + c.spanWords()
	case c.f.Kind == Integer && !isInteger(s), c.f.Kind == Number && !isNumber(s):
		return "", c.numberWords()
	default:
		return s, ""
	}
}

func (c *valueCheck) numberWords() string {
	if c.f.Kind == Integer {
		return "a whole number or a string of digits" + c.spanWords()
	}
	return "a number" + c.spanWords()
}

// spanWords ends a message about a number with its hard bounds, if any.
func (c *valueCheck) spanWords() string {
	if s := c.span(); s != "" && c.f.Hard {
		return ", " + s + c.forModel()
	}
	return ""
}

func (c *valueCheck) bounds(s string) {
	sev, word := Warn, "usual is"
	if c.f.Hard {
		sev, word = Block, "allowed is"
	}
	c.problem(sev, show(s), "%s is %s; %s %s%s", c.label, show(s), word, c.span(), c.forModel())
}

// span puts the bounds of a number into words, "" if it has none.
func (c *valueCheck) span() string {
	var span string
	switch lo, hi := c.f.Min, c.f.Max; {
	case lo != nil && hi != nil:
		span = fmt.Sprintf("%g to %g", *lo, *hi)
	case lo != nil:
		span = fmt.Sprintf("%g or more", *lo)
	case hi != nil:
		span = fmt.Sprintf("up to %g", *hi)
	default:
		return ""
	}
	if c.f.Unit != "" {
		span += " " + c.f.Unit
	}
	return span
}

// forModel ends a message about a limit.
func (c *valueCheck) forModel() string {
	if c.k.m == nil {
		return ""
	}
	return " for " + c.k.m.ID
}

// allowed checks text against the field's allowed values.
func (c *valueCheck) allowed(s string) {
	f := c.f
	if len(f.Allowed) == 0 || slices.Contains(f.Allowed, f.Value(s)) {
		return
	}
	list := strings.Join(f.Allowed, ", ")
	for _, a := range f.Allowed {
		if f.Kind == Number || f.Kind == Integer {
			x, errX := strconv.ParseFloat(s, 64)
			y, errY := strconv.ParseFloat(a, 64)
			if errX == nil && errY == nil && x == y {
				return
			}
		} else if strings.EqualFold(a, s) {
			c.problem(Info, show(s), "%s is %q; the gateway's reference writes it %q", c.label, show(s), a)
			return
		}
	}
	switch {
	case f.Mapped:
		c.problem(Info, show(s), "%s is %s: mapped to one of %s by the gateway%s; which one is not documented", c.label, show(s), list, c.forModel())
	case f.Hard:
		c.problem(Block, show(s), "%s is %q; allowed: %s%s", c.label, show(s), list, c.forModel())
	default:
		c.problem(Warn, show(s), "%s is %q; usual: %s%s", c.label, show(s), list, c.forModel())
	}
}

func (c *valueCheck) size(v any) {
	s, ok := v.(string)
	if !ok {
		c.wrongType(v, "text of the shape <width>x<height>")
		return
	}
	if w, h, ok := strings.Cut(s, "x"); !ok || !isCount(w) || !isCount(h) {
		example := "1280x720"
		if len(c.f.Allowed) > 0 {
			example = strings.Join(c.f.Allowed, ", ")
		}
		c.problem(Block, show(s), "%s is %q; it must have the shape <width>x<height>: %s", c.label, show(s), example)
		return
	}
	c.allowed(s)
}

func (c *valueCheck) ratio(v any) {
	s, ok := v.(string)
	if !ok {
		n, _ := scalar(v)
		c.odd(v, n, "text of the shape <w>:<h>")
		return
	}
	hard := c.f.Hard && len(c.f.Allowed) > 0
	if w, h, ok := strings.Cut(s, ":"); !hard && (!ok || !isCount(w) || !isCount(h)) {
		c.problem(Warn, show(s), "%s is %q; shown is the shape <w>:<h>, as 16:9", c.label, show(s))
		return
	}
	c.allowed(s)
}

// scalar returns a number, a boolean or text as text.
func scalar(v any) (string, bool) {
	switch t := v.(type) {
	case string:
		return t, true
	case json.Number:
		return t.String(), true
	case bool:
		return strconv.FormatBool(t), true
	case int:
		return strconv.Itoa(t), true
	case int64:
		return strconv.FormatInt(t, 10), true
	case float64:
		return strconv.FormatFloat(t, 'g', -1, 64), true
	}
	return "", false
}

// isInteger accepts digits with an optional minus, of any length up to 100.
func isInteger(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && len(s) <= 100 && strings.Trim(s, "0123456789") == ""
}

// isNumber accepts JSON's number syntax, which knows neither NaN nor hexadecimal.
func isNumber(s string) bool {
	if s == "" || len(s) > 100 || s[0] != '-' && (s[0] < '0' || s[0] > '9') {
		return false
	}
	return json.Valid([]byte(s)) && strings.Trim(s, "0123456789+-.eE") == ""
}

// isCount accepts a whole number above zero of at most six digits.
func isCount(s string) bool {
	return s != "" && len(s) <= 6 && strings.Trim(s, "0123456789") == "" && strings.Trim(s, "0") != ""
}
