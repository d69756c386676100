package runner

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// accuracyIndex is the index of a suite of correctly rounded values.
type accuracyIndex struct {
	Functions []accuracyTable `json:"functions"`
}

// accuracyTable names the functions to which a table of values belongs.
type accuracyTable struct {
	Name        string   `json:"name"`
	AnswersTo   []string `json:"answers_to"`
	AnswersWith []struct {
		Function string          `json:"function"`
		Args     json.RawMessage `json:"args"`
	} `json:"answers_with,omitempty"`
}

// names lists the functions whose rows use the table.
func (t *accuracyTable) names() []string {
	names := append([]string{"accuracy." + t.Name}, t.AnswersTo...)
	for _, a := range t.AnswersWith {
		names = append(names, a.Function)
	}
	return names
}

// ulpLimit is the largest error of a result in units in the last place: 4 for special functions and functions that
// cancel.
func ulpLimit(name string) uint64 {
	switch name {
	case "lgamma", "digamma", "gamma", "erfc", "erfinv", "ndtr", "log_ndtr", "gelu", "gelu_tanh", "logaddexp":
		return 4
	}
	return 2
}

// slack returns an additional absolute error that is allowed where large operands cancel to a result near 0. No
// algorithm that computes in the type itself can be more exact than the rounding of these operands.
//
//   - logaddexp is large + log1p(exp(small-large)): 2 ulps of the result and one of the larger argument.
//   - lgamma and digamma have roots between the numbers of their type, one or two between any two negative integers.
//     Their values within 1/64 of zero are differences of terms near 1: 2 ulps of 1. Float32 results are computed in
//     float64 and need no slack, and 1, 2 and the root of digamma above zero have formulas of their own.
func slack(name string, want float64, args []float64, dt dtype.DType) float64 {
	switch name {
	case "logaddexp":
		return 2*ulp(want, dt) + ulp(max(math.Abs(args[0]), math.Abs(args[1])), dt)
	case "lgamma", "digamma":
		if dt == dtype.Float64 && args[0] < 0 && math.Abs(want) < 1.0/64 {
			return 2 * ulp(1, dt)
		}
	}
	return 0
}

// ulp returns the distance from |x| to the next larger number of the type.
func ulp(x float64, dt dtype.DType) float64 {
	x = math.Abs(x)
	if dt == dtype.Float32 {
		f := float32(x)
		return float64(math.Nextafter32(f, math.MaxFloat32)) - float64(f)
	}
	return math.Nextafter(x, math.MaxFloat64) - x
}

// ulps counts the numbers of the type from a to b. Zeros of both signs count as one number; an infinity follows the
// largest number.
func ulps(a, b float64, dt dtype.DType) uint64 {
	if math.IsNaN(a) || math.IsNaN(b) {
		if math.IsNaN(a) && math.IsNaN(b) {
			return 0
		}
		return math.MaxUint64
	}
	i, j := ordinal(a, dt), ordinal(b, dt)
	if i < j {
		i, j = j, i
	}
	return uint64(i) - uint64(j)
}

// ordinal numbers the values of a type in order; zero has the number 0.
func ordinal(x float64, dt dtype.DType) int64 {
	if dt == dtype.Float32 {
		n := int64(math.Float32bits(float32(math.Abs(x))))
		if x < 0 {
			return -n
		}
		return n
	}
	n := int64(math.Float64bits(math.Abs(x)))
	if x < 0 {
		return -n
	}
	return n
}

// accuracySuite runs the tables of an accuracy suite; one table is one case.
func (r *Runner) accuracySuite(s golden.Suite, report func(*FunctionOutcome)) error {
	text, err := os.ReadFile(filepath.Join(s.Dir, "index.json"))
	if err != nil {
		return err
	}
	var index accuracyIndex
	if err := json.Unmarshal(text, &index); err != nil {
		return fmt.Errorf("%s: %w", s.Dir, err)
	}
	for _, t := range index.Functions {
		name := s.Name + "." + t.Name
		if !r.chosen(append(t.names(), name)...) {
			continue
		}
		f, err := r.accuracy(s, name, &t)
		if err != nil {
			return err
		}
		report(f)
	}
	return nil
}

// accuracy runs every function of a table that has a row.
func (r *Runner) accuracy(s golden.Suite, name string, t *accuracyTable) (*FunctionOutcome, error) {
	o := Outcome{ID: t.Name}
	data, err := readTable(filepath.Join(s.Dir, t.Name+".npz"), r)
	if err != nil {
		return nil, err
	}
	ran, worst := 0, uint64(0)
	measure := func(function string, args golden.Object) {
		fn := r.functions[function]
		if fn == nil {
			return
		}
		ran++
		off, err := data.measure(fn, t.Name, args)
		worst = max(worst, off)
		if err != nil && o.Forward == nil {
			o.Forward = fmt.Errorf("%s: %w", function, err)
		}
	}
	for _, function := range append([]string{"accuracy." + t.Name}, t.AnswersTo...) {
		measure(function, nil)
	}
	for _, a := range t.AnswersWith {
		args, err := golden.Parse(a.Args)
		if err != nil {
			return nil, err
		}
		object, ok := args.(golden.Object)
		if !ok {
			return nil, fmt.Errorf("%s: args: want an object", name)
		}
		measure(a.Function, object)
	}
	f := &FunctionOutcome{Name: name, Note: fmt.Sprintf("max %d ulp", worst)}
	if ran == 0 {
		o.Skipped = "no catalogue row"
	}
	f.Cases = []Outcome{o}
	return f, nil
}

// table holds the points of an accuracy table.
type table struct {
	args []*nd.Array // x, and x2 for functions of two arguments
	want []float64
	dt   dtype.DType
	r    *Runner
}

func readTable(path string, r *Runner) (*table, error) {
	z, err := nd.OpenNpz(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	t := &table{r: r}
	for _, name := range []string{"x", "x2", "y"} {
		if !slices.Contains(z.Names(), name) {
			continue
		}
		x, err := z.Read(name)
		if err != nil {
			return nil, err
		}
		if name == "y" {
			t.want, t.dt = compare.ElementsOf(x).Floats, x.DType()
		} else {
			t.args = append(t.args, catalogue.OnDevice(x, r.Device))
		}
	}
	return t, nil
}

// measure calls a row on the table's points. It returns the largest error in ulps of all points that the slack does not
// excuse, and an error if that exceeds the limit.
func (t *table) measure(fn *catalogue.Function, name string, fixed golden.Object) (uint64, error) {
	args, err := Arguments(nil, fn, fixed, nil)
	if err != nil {
		return 0, err
	}
	points := t.args
	for _, p := range fn.Params {
		if _, given := fixed.Get(p.Name); !given && len(points) > 0 {
			args[p.Name], points = points[0], points[1:]
		}
	}
	r, err := fn.Call(nil, args, catalogue.CallOptions{Device: t.r.Device})
	if err != nil {
		return 0, err
	}
	if len(r.Values) != 1 {
		return 0, fmt.Errorf("got %d results, want one", len(r.Values))
	}
	y, ok := r.Values[0].(*nd.Array)
	if !ok || y.DType() != t.dt || y.Size() != len(t.want) {
		return 0, fmt.Errorf("want one %s array of %d elements", t.dt, len(t.want))
	}
	return t.worst(name, compare.ElementsOf(y).Floats)
}

func (t *table) worst(name string, got []float64) (uint64, error) {
	points := make([][]float64, len(t.args))
	for k, x := range t.args {
		points[k] = compare.ElementsOf(x).Floats
	}
	worst, at := uint64(0), 0
	for i, want := range t.want {
		off := ulps(got[i], want, t.dt)
		if off <= worst {
			continue
		}
		args := make([]float64, len(points))
		for k := range points {
			args[k] = points[k][i]
		}
		if off > ulpLimit(name) && math.Abs(got[i]-want) <= slack(name, want, args, t.dt) {
			continue
		}
		worst, at = off, i
	}
	if worst <= ulpLimit(name) {
		return worst, nil
	}
	x := make([]string, len(points))
	for k := range points {
		x[k] = fmt.Sprint(points[k][at])
	}
	off := "not"
	if worst < math.MaxUint64 {
		off = fmt.Sprintf("%d ulp from", worst)
	}
	return worst, fmt.Errorf("at %s it is %v, %s %v", strings.Join(x, ", "), got[at], off, t.want[at])
}
