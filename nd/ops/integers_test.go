package ops_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// functionsOfOne are the functions of one array that NumPy has, too, except the universal ones of unaryRules.
var functionsOfOne = map[string]func(x *nd.Array) *nd.Array{
	"fix":           func(x *nd.Array) *nd.Array { return ops.Trunc(x) },
	"angle":         func(x *nd.Array) *nd.Array { return ops.Angle(x) },
	"real":          ops.Real,
	"imag":          ops.Imag,
	"conj":          ops.Conj,
	"round":         func(x *nd.Array) *nd.Array { return ops.Round(x) },
	"nan_to_num":    func(x *nd.Array) *nd.Array { return ops.NaNToNum(x) },
	"cumsum":        func(x *nd.Array) *nd.Array { return ops.CumSum(x) },
	"cumprod":       func(x *nd.Array) *nd.Array { return ops.CumProd(x) },
	"sum":           func(x *nd.Array) *nd.Array { return ops.Sum(x) },
	"prod":          func(x *nd.Array) *nd.Array { return ops.Prod(x) },
	"mean":          func(x *nd.Array) *nd.Array { return ops.Mean(x) },
	"var":           func(x *nd.Array) *nd.Array { return ops.Var(x) },
	"std":           func(x *nd.Array) *nd.Array { return ops.Std(x) },
	"max":           func(x *nd.Array) *nd.Array { return ops.Max(x) },
	"min":           func(x *nd.Array) *nd.Array { return ops.Min(x) },
	"ptp":           func(x *nd.Array) *nd.Array { return ops.PTP(x) },
	"median":        func(x *nd.Array) *nd.Array { return ops.Median(x) },
	"average":       func(x *nd.Array) *nd.Array { return ops.Average(x) },
	"nansum":        func(x *nd.Array) *nd.Array { return ops.NanSum(x) },
	"nanprod":       func(x *nd.Array) *nd.Array { return ops.NanProd(x) },
	"nanmean":       func(x *nd.Array) *nd.Array { return ops.NanMean(x) },
	"nanvar":        func(x *nd.Array) *nd.Array { return ops.NanVar(x) },
	"nanstd":        func(x *nd.Array) *nd.Array { return ops.NanStd(x) },
	"nanmedian":     func(x *nd.Array) *nd.Array { return ops.NanMedian(x) },
	"count_nonzero": func(x *nd.Array) *nd.Array { return ops.CountNonzero(x) },
	"any":           func(x *nd.Array) *nd.Array { return ops.Any(x) },
	"all":           func(x *nd.Array) *nd.Array { return ops.All(x) },
	"argmax":        func(x *nd.Array) *nd.Array { return ops.ArgMax(x) },
	"argmin":        func(x *nd.Array) *nd.Array { return ops.ArgMin(x) },
	"diff":          func(x *nd.Array) *nd.Array { return ops.Diff(x) },
	"gradient":      func(x *nd.Array) *nd.Array { return ops.Gradient(x)[0] },
	"sort":          func(x *nd.Array) *nd.Array { return ops.Sort(x) },
	"cov":           func(x *nd.Array) *nd.Array { return ops.Cov(x) },
	"trapezoid":     func(x *nd.Array) *nd.Array { return ops.Trapezoid(x) },
	"modf":          func(x *nd.Array) *nd.Array { y, _ := ops.Modf(x); return y },
	"frexp":         func(x *nd.Array) *nd.Array { y, _ := ops.Frexp(x); return y },
}

// TestIntegersAsRecorded calls every function of one array with bools and integers of all widths, and compares the
// dtype and the values with NumPy's: each function has its own rule for the dtype that it computes integers in.
func TestIntegersAsRecorded(t *testing.T) {
	for _, r := range unaryRules {
		for name, f := range r.funcs {
			functionsOfOne[strings.ToLower(name)] = func(x *nd.Array) *nd.Array { return f(x) }
		}
	}
	calls := 0
	recorded(t, "integers", func(words []string) {
		f := functionsOfOne[words[0]]
		if f == nil {
			f = functionsOfOne[strings.ReplaceAll(words[0], "_", "")]
		}
		if f == nil {
			t.Fatalf("no function %s", words[0])
		}
		if words[0] == "reciprocal" || words[0] == "spacing" && words[1] == "i1" {
			return // NumPy's 1/0 depends on the processor, and its negative float16 numbers have a positive spacing
		}
		bound := closeness{units: 16}
		if words[0] == "sinc" {
			bound.absolute = 1e-16 // sinc is 0 at whole numbers, which NumPy misses
		}
		x := recordedOperand(t, words[1])
		against(t, words[0]+" of "+words[1], func() *nd.Array { return f(x) }, words[2:], bound)
		calls++
	})
	if calls < 500 {
		t.Errorf("%d calls", calls)
	}
}
