package text

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Options are NumPy's print options and the arguments of array2string. The zero value prints as NumPy does by default.
type Options struct {
	Precision *int   // maximal number of digits after the decimal point; nil means 8
	Threshold *int   // arrays with more elements than this are summarised; nil means 1000
	EdgeItems *int   // items shown at each end of a summarised axis; nil means 3
	LineWidth *int   // columns; nil means 75
	Suppress  bool   // no scientific notation: small numbers are printed as zero
	NaNStr    string // "" means "nan"
	InfStr    string // "" means "inf"
	Sign      string // "-" (or ""): negative numbers only; "+": all; " ": a blank before positive ones
	FloatMode string // "fixed", "unique", "maxprec" (or ""), "maxprec_equal"

	Separator *string // between elements; nil means " "
	Prefix    string  // text that the caller writes before: only its width counts
	Suffix    string  // text that the caller writes after: only its width counts

	// Formatter, if set, formats every element and replaces the rules for its type. It receives a bool, int64, uint64,
	// float64 or complex128.
	Formatter func(v any) string
}

// Check returns an error about an illegal option, or nil. The printing methods expect options that pass it.
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
	maxPrecEqual = "maxprec_equal" // as maxPrec, but the same number of digits for all values
)

func (o Options) precision() int { return orDefault(o.Precision, 8) }
func (o Options) edgeItems() int { return orDefault(o.EdgeItems, 3) }
func (o Options) lineWidth() int { return orDefault(o.LineWidth, 75) }

func (o Options) nanStr() string    { return orText(o.NaNStr, "nan") }
func (o Options) infStr() string    { return orText(o.InfStr, "inf") }
func (o Options) sign() string      { return orText(o.Sign, "-") }
func (o Options) floatMode() string { return orText(o.FloatMode, maxPrec) }
func (o Options) separator() string { return orDefault(o.Separator, " ") }

// summarises reports whether an array of this shape is too large to be shown completely.
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

// size returns the number of elements, or math.MaxInt if an int cannot hold it, as for some broadcast arrays.
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

// width returns the number of columns of s, counted as NumPy counts: one per character.
func width(s string) int { return utf8.RuneCountInString(s) }
