package runner

import (
	"fmt"
	"math"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// plain calls the function with the arguments of the case and compares what it returns with the outputs, and with the
// expected values among the arguments. An initializer returns an array with the case's shape. A sampler, which has a
// method Sample, returns many samples. For a function without results the argument in the row's Writes counts.
func (t *trainingCase) plain(how catalogue.CallOptions) error {
	args, err := t.arguments()
	if err != nil {
		return err
	}
	result, err := t.fn.Call(nil, args, how)
	if err == nil {
		err = t.draw(result)
	}
	want, _ := t.c.Args.Get("expect")
	if o, ok := want.(golden.Object); ok {
		if refused, _ := o.Get("error"); refused == true {
			return wantRefusal(err, t.c)
		}
	}
	if err != nil {
		return err
	}
	made := &trial{file: t.file, device: t.Device, fn: t.fn, result: result}
	if err := made.compareOutputs(t.c, t.tol); err != nil || want == nil {
		return err
	}
	return t.expects(made, want)
}

// arguments returns the arguments of the call. It leaves out the expected values, the numbers of inputs and outputs,
// which follow from the shape, and the shape if the row has none. An array given only by its shape, as "weights" by
// "weights_shape", is zeros.
func (t *trainingCase) arguments() (map[string]any, error) {
	var args golden.Object
	zeros := map[string]any{}
	for _, a := range t.c.Args {
		if t.fn.Param(a.Name) == nil {
			if strings.HasPrefix(a.Name, "expect") || a.Name == "fan_in" || a.Name == "fan_out" || a.Name == "shape" {
				continue
			}
			if of, ok := strings.CutSuffix(a.Name, "_shape"); ok && t.fn.Param(of) != nil {
				zeros[of] = nd.Zeros(lengths(a.Value), dtype.Float32)
				continue
			}
		}
		args = append(args, a)
	}
	all, err := Arguments(t.file, t.fn, args, nil)
	for name, x := range zeros {
		all[name] = x
	}
	return all, err
}

// lengths parses a shape.
func lengths(v golden.Value) []int {
	list, _ := v.(golden.List)
	shape := make([]int, len(list))
	for k := range shape {
		shape[k], _ = golden.Int(list[k])
	}
	return shape
}

// draw replaces an initializer or a sampler among the results by its draws, or adds what the function wrote.
func (t *trainingCase) draw(result *catalogue.Result) error {
	const seed, many = 20240229, 100_000
	if len(result.Values) == 0 && len(t.fn.Row.Writes) > 0 {
		result.Values = []any{result.Arguments[t.fn.Row.Writes[0]]}
	}
	for i, v := range result.Values {
		var err error
		switch v := v.(type) {
		case initializer.Initializer:
			shape, _ := t.c.Args.Get("shape")
			like := nd.ArrayOptions{DType: dtype.Float32, Device: t.Device}
			result.Values[i], err = catalogue.Try(func() *nd.Array { return v(nd.NewRand(seed), lengths(shape), like) })
		case interface {
			Sample(rng *nd.Rand, shape []int) *nd.Array
		}:
			result.Values[i], err = catalogue.Try(func() *nd.Array { return v.Sample(nd.NewRand(seed), []int{many}) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// expects compares the results with the wanted values, or with a property of drawn arrays.
func (t *trainingCase) expects(made *trial, want golden.Value) error {
	property, ok := want.(golden.Object)
	if !ok || len(property) != 1 {
		return matchExpected(t.tol, made.result.Values, want)
	}
	number, _ := golden.Float(property[0].Value)
	switch property[0].Name {
	case "std":
		return made.deviates(number)
	case "limit":
		return made.isUniform(number)
	case "gram_diagonal":
		return made.hasGram(number, t.tol.ATol+t.tol.RTol*number)
	case "probabilities":
		list, _ := property[0].Value.(golden.List)
		return made.hasProbabilities(list)
	}
	return matchExpected(t.tol, made.result.Values, want)
}

// deviates checks draws with mean 0: the mean and the standard deviation must be right within 5 standard errors.
func (t *trial) deviates(std float64) error {
	xs, err := t.resultArrays(1)
	if err != nil {
		return err
	}
	n, sum, squares := float64(xs[0].Size()), 0.0, 0.0
	for _, v := range realParts(xs[0]) {
		sum += v
		squares += v * v
	}
	if mean := sum / n; !(math.Abs(mean) <= 5*std/math.Sqrt(n)) {
		return fmt.Errorf("the mean is %v, want 0 within %v", mean, 5*std/math.Sqrt(n))
	}
	if got := math.Sqrt(squares / n); !(math.Abs(got-std) <= 5*std/math.Sqrt(2*n)) {
		return fmt.Errorf("the standard deviation is %v, want %v within %v", got, std, 5*std/math.Sqrt(2*n))
	}
	return nil
}

// isUniform checks uniform draws from -limit to limit: their deviation is right, none is outside, and one is close to
// the limit, as in all but a share e^-20 of such draws.
func (t *trial) isUniform(limit float64) error {
	if err := t.deviates(limit / math.Sqrt(3)); err != nil {
		return err
	}
	values, largest := realParts(t.result.Values[0].(*nd.Array)), 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	if want := limit * (1 - 20/float64(len(values))); largest < want {
		return fmt.Errorf("no draw is beyond %v, want up to %v", largest, limit)
	}
	return allBetween(values, -limit, limit)
}

// hasGram returns an error unless the rows are orthogonal and have the given sum of squares.
func (t *trial) hasGram(diagonal, within float64) error {
	xs, err := t.resultArrays(1)
	if err != nil {
		return err
	}
	rows := xs[0].Dim(0)
	values := realParts(xs[0])
	length := len(values) / max(rows, 1)
	for i := range rows {
		for j := range i + 1 {
			sum, want := 0.0, 0.0
			for k := range length {
				sum += values[i*length+k] * values[j*length+k]
			}
			if i == j {
				want = diagonal
			}
			if !(math.Abs(sum-want) <= within) {
				return fmt.Errorf("the product of rows %d and %d is %v, want %v", i, j, sum, want)
			}
		}
	}
	return nil
}

// hasProbabilities checks draws of 0, 1, …: the frequency of each is right within 5 standard errors.
func (t *trial) hasProbabilities(list golden.List) error {
	xs, err := t.resultArrays(1)
	if err != nil {
		return err
	}
	counts, n := make([]int, len(list)), float64(xs[0].Size())
	for _, v := range realParts(xs[0]) {
		if v != math.Trunc(v) || v < 0 || v >= float64(len(counts)) {
			return fmt.Errorf("%v was drawn, want integers from 0 to %d", v, len(counts)-1)
		}
		counts[int(v)]++
	}
	for k, v := range list {
		p, _ := golden.Float(v)
		if got := float64(counts[k]) / n; !(math.Abs(got-p) <= 5*math.Sqrt(p*(1-p)/n)) {
			return fmt.Errorf("the share of %d is %v, want %v", k, got, p)
		}
	}
	return nil
}
