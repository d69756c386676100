package ops_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// recorded calls f with the words of every line of a table written by testdata/record.py.
func recorded(t *testing.T, table string, f func(words []string)) {
	t.Helper()
	file, err := os.Open("testdata/" + table + ".txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		f(strings.Fields(lines.Text()))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// recordedOperand returns the array that record.py makes for a dtype.
func recordedOperand(t *testing.T, code string) *nd.Array {
	dt := parseType(t, code)
	switch {
	case dt.IsBool():
		return nd.FromSlice([]bool{false, true}, 2)
	case dt.IsInteger():
		bits := 8 * dt.Size()
		if dt.IsUnsigned() {
			return nd.FromSlice([]uint64{0, 3, 0, ^uint64(0) >> (64 - bits)}, 4).AsType(dt)
		}
		return nd.FromSlice([]int64{0, 3, -1 << (bits - 1), 1<<(bits-1) - 1}, 4).AsType(dt)
	}
	return nd.FromSlice([]float64{0, 0.1, -2.5, 300}, 4).AsType(dt)
}

// weakScalar parses a Python number.
func weakScalar(t *testing.T, text string) *nd.Array {
	t.Helper()
	if text == "True" {
		return nd.Scalar(true)
	}
	if v, ok := new(big.Int).SetString(text, 10); ok {
		return nd.ScalarInt(v)
	}
	if imaginary, ok := strings.CutSuffix(text, "j"); ok {
		return nd.Scalar(complex(0, number(t, imaginary)))
	}
	return nd.Scalar(number(t, text))
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// closeness is the allowed difference from recorded values: in units in the last place, or as an absolute number.
type closeness struct{ units, absolute float64 }

// differs describes how an array differs from recorded values of its dtype; "" if it does not.
func differs(t *testing.T, y *nd.Array, words []string, bound closeness) string {
	t.Helper()
	dt := y.DType()
	if y.Size() != len(words) {
		return fmt.Sprintf("%d elements, want %d", y.Size(), len(words))
	}
	y = y.Reshape(-1)
	for i, word := range words {
		var same bool
		switch {
		case dt.IsInexact():
			re, im, _ := strings.Cut(word, ",")
			got, wanted := nd.Value[complex128](y, i), complex(number(t, re), 0)
			if im != "" {
				wanted = complex(real(wanted), number(t, im))
			}
			eps := dtype.Info(dt).Eps
			tolerance := bound.units*eps*math.Max(math.Abs(real(wanted)), math.Abs(imag(wanted))) + max(bound.absolute, eps*eps)
			same = near(real(got), real(wanted), tolerance) && near(imag(got), imag(wanted), tolerance)
		case dt.IsUnsigned():
			same = strconv.FormatUint(nd.Value[uint64](y, i), 10) == word
		default:
			same = strconv.FormatInt(nd.Value[int64](y, i), 10) == word
		}
		if !same {
			return fmt.Sprintf("%v, want %v", y, words)
		}
	}
	return ""
}

func near(a, b, tolerance float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tolerance
}

// against compares the result of f, or its panic, with a recorded dtype and its values.
func against(t *testing.T, call string, f func() *nd.Array, words []string, bound closeness) {
	t.Helper()
	var y *nd.Array
	err := nd.Catch(func() { y = f() })
	switch refused := words[0] == "-"; {
	case refused != (err != nil):
		t.Errorf("%s: error %v, want %v", call, err, words)
	case refused:
	case y.DType() != parseType(t, words[0]):
		t.Errorf("%s: %v, want %v", call, y.DType(), words)
	default:
		if d := differs(t, y, words[1:], bound); d != "" {
			t.Errorf("%s: %s", call, d)
		}
	}
}
