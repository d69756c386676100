package text

import (
	"slices"
	"strconv"
	"strings"
)

// boolFormat writes True with a blank before it, so that columns align, except for a single value.
func boolFormat(values []bool, scalar bool) func(i int) string {
	yes := " True"
	if scalar {
		yes = "True"
	}
	return func(i int) string {
		if values[i] {
			return yes
		}
		return "False"
	}
}

// integerFormat writes integers right-aligned, in columns as wide as the widest.
func integerFormat[T int64 | uint64](values []T, sign string) func(i int) string {
	smallest, largest := slices.Min(values), slices.Max(values)
	if sign == " " && smallest < 0 {
		sign = "-" // the minus signs replace the column of blanks
	}
	columns := max(len(signed(smallest, sign)), len(signed(largest, sign)))
	return func(i int) string { return padLeft(signed(values[i], sign), columns) }
}

// signed writes v in decimal; sign chooses the prefix of a number that is not negative.
func signed[T int64 | uint64](v T, sign string) string {
	digits := decimalDigits(v)
	if v >= 0 && sign != "-" {
		return sign + digits
	}
	return digits
}

func decimalDigits[T int64 | uint64](v T) string {
	if v < 0 {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatUint(uint64(v), 10)
}

// padLeft pads s with blanks on the left.
func padLeft(s string, columns int) string {
	return strings.Repeat(" ", max(0, columns-width(s))) + s
}
