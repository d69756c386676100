package text

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Options are NumPy's print options and the arguments of array2string. The zero value prints as NumPy does by default.
type Options struct {
	Precision *int   // digits after the decimal point at most; nil means 8
	Threshold *int   // arrays of more elements than this are summarised; nil means 1000
	EdgeItems *int   // items shown at each end of a summarised axis; nil means 3
	LineWidth *int   // columns; nil means 75
	Suppress  bool   // no scientific notation for small numbers: they are shown as zero
	NaNStr    string // "" means "nan"
	InfStr    string // "" means "inf"
	Sign      string // "-" (or ""): negative numbers only; "+": all; " ": a blank before positive ones
	FloatMode string // "fixed", "unique", "maxprec" (or ""), "maxprec_equal"

	Separator *string // between elements; nil means " "
	Prefix    string  // what the caller writes before the text: only its width counts
	Suffix    string  // what the caller writes after the text: only its width counts

	// Formatter, if given, writes every element instead of the rules for its type. It receives a bool, int64, uint64,
	// float64 or complex128.
	Formatter func(v any) string
}

// Check says which option is illegal, or returns nil. The printing methods expect options that pass it.
func (o Options) Check() error {
	for _, option := range []struct {
		name  string
		value *int
	}{{"Precision", o.Precision}, {"EdgeItems", o.EdgeItems}} {
		if option.value != nil && *option.value < 0 {
			return fmt.Errorf("option %s is %d, must be >= 0", option.name, *option.value)
		}
	}
	switch o.Sign {
	case "", "-", "+", " ":
	default:
		return fmt.Errorf("option Sign is %q, must be one of \"-\", \"+\", \" \"", o.Sign)
	}
	switch o.FloatMode {
	case "", fixed, unique, maxPrec, maxPrecEqual:
	default:
		return fmt.Errorf("option FloatMode is %q, must be one of \"fixed\", \"unique\", \"maxprec\", \"maxprec_equal\"", o.FloatMode)
	}
	return nil
}

const (
	fixed        = "fixed"         // exactly Precision digits
	unique       = "unique"        // as many digits as the value needs, whatever Precision says
	maxPrec      = "maxprec"       // as many as the value needs, at most Precision
	maxPrecEqual = "maxprec_equal" // as maxPrec, but the same number for all
)

func (o Options) precision() int { return orDefault(o.Precision, 8) }
func (o Options) edgeItems() int { return orDefault(o.EdgeItems, 3) }
func (o Options) lineWidth() int { return orDefault(o.LineWidth, 75) }

func (o Options) nanStr() string    { return orText(o.NaNStr, "nan") }
func (o Options) infStr() string    { return orText(o.InfStr, "inf") }
func (o Options) sign() string      { return orText(o.Sign, "-") }
func (o Options) floatMode() string { return orText(o.FloatMode, maxPrec) }
func (o Options) separator() string { return orDefault(o.Separator, " ") }

// summarises tells whether an array of this shape is too large to be shown whole.
func (o Options) summarises(shape []int) bool {
	return size(shape) > orDefault(o.Threshold, 1000)
}

func orDefault[T any](option *T, standard T) T {
	if option == nil {
		return standard
	}
	return *option
}

func orText(option, standard string) string {
	if option == "" {
		return standard
	}
	return option
}

// size is the number of elements; of a broadcast array it may exceed what an int holds.
func size(shape []int) int {
	n := 1
	for _, length := range shape {
		if length == 0 {
			return 0
		}
		if n > math.MaxInt/length {
			n = math.MaxInt // a later axis may still be empty
			continue
		}
		n *= length
	}
	return n
}

// width is the number of columns that s takes, counted as NumPy counts: one for every character.
func width(s string) int { return utf8.RuneCountInString(s) }
