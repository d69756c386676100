package runner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/testing/golden"
)

// The origins of expected results. CuPy's cases are NumPy's results, because CuPy needs a GPU.
const (
	fromNumPy    = "NumPy"
	fromNNabla   = "NNabla"
	fromChainer  = "Chainer"
	fromMXNet    = "MXNet"
	fromPyTorch  = "PyTorch"
	fromFormulas = "formulas in NumPy"
	fromFiles    = "files of other systems"
	fromRounding = "tables of correctly rounded values"
)

// originOf returns the system that computed the expected results of a suite.
func originOf(s golden.Suite) string {
	if s.Kind() == golden.Files {
		return fromFiles
	}
	switch system, _, _ := strings.Cut(s.Name, "_"); system {
	case "cupy", "numpy", "npy":
		return fromNumPy
	case "nnabla":
		return fromNNabla
	case "chainer":
		return fromChainer
	case "mxnet":
		return fromMXNet
	case "torch":
		return fromPyTorch
	default:
		return fromRounding
	}
}

// markFormulas notes which outcomes are those of formulas.
func (f *FunctionOutcome) markFormulas(cases []*golden.Case) {
	for _, c := range cases {
		if c.IsFormula() {
			if i := slices.IndexFunc(f.Cases, func(o Outcome) bool { return o.ID == c.ID }); i >= 0 {
				f.Cases[i].Formula = true
			}
		}
	}
}

// originCount counts the results of one origin that agree, and the functions that have some.
type originCount struct {
	name      string
	passed    int
	functions int
	last      *FunctionOutcome // the function that was counted last
}

// addOrigins counts the outcomes of a function in a suite.
func (s *Summary) addOrigins(suite golden.Suite, f *FunctionOutcome) {
	for _, o := range f.Cases {
		if o.Skipped != "" || o.Failed() {
			continue
		}
		origin := originOf(suite)
		if o.Formula {
			origin = fromFormulas
		}
		i := slices.IndexFunc(s.origins, func(c originCount) bool { return c.name == origin })
		if i < 0 {
			i = len(s.origins)
			s.origins = append(s.origins, originCount{name: origin})
		}
		s.origins[i].passed++
		if s.origins[i].last != f {
			s.origins[i].last = f
			s.origins[i].functions++
		}
	}
}

// Origins returns a line that says what the results that passed were compared with: "origins: 14537 NumPy
// (415 functions), 3044 NNabla (284 functions)".
func (s Summary) Origins() string {
	sorted := slices.SortedFunc(slices.Values(s.origins), func(a, b originCount) int {
		return cmp.Or(b.passed-a.passed, strings.Compare(a.name, b.name))
	})
	parts := make([]string, len(sorted))
	for i, c := range sorted {
		parts[i] = fmt.Sprintf("%d %s (%d functions)", c.passed, c.name, c.functions)
	}
	return "origins: " + strings.Join(parts, ", ")
}
