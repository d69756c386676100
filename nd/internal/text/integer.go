package text

import (
	"slices"
	"strconv"
	"strings"
)

// boolFormat writes True with a blank before it, so that columns are even, except where there is a single value.
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

// integerFormat writes integers flush right, in columns as wide as the widest.
func integerFormat[T int64 | uint64](values []T, sign string) func(i int) string {
	smallest, largest := slices.Min(values), slices.Max(values)
	if sign == " " && smallest < 0 {
		sign = "-" // the minus signs make the column that the blanks would
	}
	columns := max(len(signed(smallest, sign)), len(signed(largest, sign)))
	return func(i int) string { return padLeft(signed(values[i], sign), columns) }
}

// signed writes v in decimal; sign tells what stands before a number that is not negative.
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

// padLeft puts blanks before s until it is as wide as wanted.
func padLeft(s string, columns int) string {
	return strings.Repeat(" ", max(0, columns-width(s))) + s
}
