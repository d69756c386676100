package train_test

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// number makes an attribute of a variable.
func number(x *float64) train.Attribute {
	return train.Attribute{Get: func() float64 { return *x }, Set: func(v float64) { *x = v }}
}

// seen returns the values of an attribute that updates saw under a shift, and its value at the end.
func seen(t *testing.T, x *float64, s *train.Shift, when train.Trigger, updates int) []float64 {
	t.Helper()
	var values []float64
	u := newCounter(10, 5, func(int, *report.Reporter) { values = append(values, *x) })
	tr := train.New(u, train.Every(float64(updates), train.Iteration), t.TempDir())
	tr.Extend(s, train.Settings{Trigger: when})
	if err := tr.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return append(values, *x)
}

func close9(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
}

func TestExponentialShift(t *testing.T) {
	for _, c := range []struct {
		rate float64
		o    train.ExponentialShiftOptions
		when train.Trigger
		want []float64
	}{
		{0.5, train.ExponentialShiftOptions{}, nil, []float64{8, 4, 2, 1, 0.5}},
		{0.5, train.ExponentialShiftOptions{}, train.Every(1, train.Epoch), []float64{8, 8, 4, 4, 2}},
		{2, train.ExponentialShiftOptions{Init: new(0.5), Target: new(3.0)}, nil, []float64{0.5, 1, 2, 3, 3}},
		{0.5, train.ExponentialShiftOptions{Target: new(3.0)}, nil, []float64{8, 4, 3, 3, 3}},
		{2, train.ExponentialShiftOptions{Init: new(-1.0), Target: new(-3.0)}, nil, []float64{-1, -2, -3, -3, -3}},
		{0, train.ExponentialShiftOptions{Target: new(0.0)}, nil, []float64{8, 0, 0, 0, 0}},
	} {
		x := 8.0
		if got := seen(t, &x, train.NewExponentialShift(number(&x), c.rate, c.o), c.when, 4); !close9(got, c.want) {
			t.Errorf("rate %v: %v, want %v", c.rate, got, c.want)
		}
	}
}

func TestLinearShift(t *testing.T) {
	x := 8.0
	got := seen(t, &x, train.NewLinearShift(number(&x), [2]float64{1, 0}, [2]int{1, 3}), nil, 5)
	if want := []float64{1, 1, 0.5, 0, 0, 0}; !close9(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := seen(t, &x, train.NewLinearShift(number(&x), [2]float64{1, 2}, [2]int{2, 2}), nil, 4); !close9(got, []float64{1, 1, 1, 2, 2}) {
		t.Errorf("a step is %v", got)
	}
}

// A resumed training keeps the value, and does not count the call before the first update.
func TestShiftGoesOn(t *testing.T) {
	opt := optim.NewSGD(optim.SGDOptions{LR: 8})
	shift := func() *train.Shift {
		return train.NewExponentialShift(train.LearningRate(opt), 0.5)
	}
	path := filepath.Join(t.TempDir(), "shift.npz")
	first := shift()
	for range 3 {
		if err := first.Run(nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Save(path, first); err != nil {
		t.Fatal(err)
	}
	opt = optim.NewSGD(optim.SGDOptions{LR: 8})
	second := shift()
	if err := archive.Load(path, second); err != nil {
		t.Fatal(err)
	}
	for _, want := range []float64{2, 1, 0.5} {
		if err := second.Run(nil); err != nil || opt.LearningRate() != want {
			t.Errorf("the rate is %v, %v: want %v", opt.LearningRate(), err, want)
		}
	}
}

func TestShiftsRefuse(t *testing.T) {
	x := 1.0
	for what, f := range map[string]func(){
		"no attribute":     func() { train.NewExponentialShift(train.Attribute{}, 0.5) },
		"a negative rate":  func() { train.NewExponentialShift(number(&x), -1) },
		"not-a-number":     func() { train.NewExponentialShift(number(&x), math.NaN()) },
		"infinity":         func() { train.NewExponentialShift(number(&x), math.Inf(1)) },
		"no setter":        func() { train.NewLinearShift(train.Attribute{Get: number(&x).Get}, [2]float64{}, [2]int{}) },
		"times that cross": func() { train.NewLinearShift(number(&x), [2]float64{0, 1}, [2]int{3, 2}) },
	} {
		if nd.Catch(f) == nil {
			t.Errorf("%s was accepted", what)
		}
	}
}
