package nn_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// refused checks that f panics with an *nd.Error whose text contains want.
func refused(t *testing.T, want string, f func()) {
	t.Helper()
	err := nd.Catch(f)
	if err == nil {
		t.Errorf("nothing was refused, want %q", want)
	} else if !strings.Contains(err.Error(), want) {
		t.Errorf("refused with %q, want %q", err, want)
	}
}

func floats(x *nd.Array) []float64 { return nd.ToSlice[float64](x.AsType(dtype.Float64)) }

func TestParameterIsCreatedOnce(t *testing.T) {
	s := nn.NewScope()
	w := s.Parameter("w", []int{2, 3}, initializer.Constant(4), true)
	if w.DType() != dtype.Float32 || !cmp.Equal(floats(w), []float64{4, 4, 4, 4, 4, 4}) {
		t.Errorf("created %v", w)
	}
	again := s.Parameter("w", []int{2, 3}, initializer.Constant(5), true)
	if !again.SharesMemory(w) || floats(again)[0] != 4 {
		t.Errorf("the second call made %v", again)
	}
	if zero := s.Parameter("z", []int{}, nil, true); floats(zero)[0] != 0 || zero.Rank() != 0 {
		t.Errorf("without an initializer: %v", zero)
	}
	if empty := s.Parameter("e", []int{0, 2}, initializer.Normal(1), true); empty.Size() != 0 {
		t.Errorf("an empty parameter: %v", empty)
	}
	refused(t, `"w" is used here with shape (3, 2): if another layer has it already, give each a scope of its own by Scope.Sub`,
		func() { s.Parameter("w", []int{3, 2}, nil, true) })
	refused(t, "another shape than (2,)", func() { s.Parameter("v", []int{2}, initializer.Values(nd.Zeros([]int{3})), true) })
	refused(t, "another shape than (2,)", func() {
		s.Parameter("v", []int{2}, func(*nd.Rand, []int, nd.ArrayOptions) *nd.Array { return nil }, true)
	})
	if s.Get("v") != nil {
		t.Error("a refused parameter is there")
	}
}

func TestInitialValueIsACopy(t *testing.T) {
	given := nd.FromSlice([]float64{1, 2})
	s := nn.NewScope()
	w := s.Parameter("w", []int{2}, initializer.Values(given), true)
	s.Set("v", given)
	nd.Fill(given, 9)
	if !cmp.Equal(floats(w), []float64{1, 2}) || !cmp.Equal(floats(s.Get("v")), []float64{1, 2}) {
		t.Errorf("%v and %v changed with the array that they were made from", w, s.Get("v"))
	}
	if w.DType() != dtype.Float32 || s.Get("v").DType() != dtype.Float64 {
		t.Errorf("dtypes %s, %s", w.DType(), s.Get("v").DType())
	}
}

func TestSubIsAViewOfOneTree(t *testing.T) {
	s := nn.NewScope()
	s.Sub("a").Sub("b").Parameter("w", []int{1}, initializer.Constant(1), true)
	s.Parameter("m", []int{1}, nil, true)
	s.Sub("/a/b/").Parameter("v", []int{2}, nil, true)
	s.Parameter("a/u", []int{1}, nil, false)
	if got, want := s.Names(), []string{"a/b/w", "a/b/v", "a/u", "m"}; !cmp.Equal(got, want) {
		t.Errorf("names %q, want %q: those of one scope together", got, want)
	}
	if got, want := s.Sub("a").Names(), []string{"b/w", "b/v", "u"}; !cmp.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
	if !s.Sub("a/b").Get("w").SharesMemory(s.Get("a/b/w")) || s.Sub("").Get("m") == nil {
		t.Error("views of a scope have other parameters")
	}
	if p := s.Sub("a").Param("b/w"); p.Path() != "a/b/w" || !p.NeedGrad() || s.Param("a/u").NeedGrad() {
		t.Errorf("the parameter is %q", p.Path())
	}
	if s.Get("nobody") != nil || s.Get("") != nil || s.Param("a") != nil {
		t.Error("parameters that are not there were found")
	}
	for name := range s.All() {
		if name != "a/b/w" {
			t.Errorf("%q after the loop was left", name)
		}
		break
	}
	s.Sub("a").Clear()
	if got := s.Names(); !cmp.Equal(got, []string{"m"}) {
		t.Errorf("after Clear %q are left", got)
	}
}

func TestNamesAreChecked(t *testing.T) {
	s := nn.NewScope()
	s.Parameter("a/w", []int{1}, nil, true)
	refused(t, "is a parameter, not a scope", func() { s.Sub("a/w") })
	refused(t, "is a parameter, not a scope", func() { s.Parameter("a/w/x", []int{1}, nil, true) })
	refused(t, "is a scope, not a parameter", func() { s.Parameter("a", []int{1}, nil, true) })
	for _, name := range []string{"x//y", "..", "x/./y"} {
		refused(t, "want names", func() { s.Sub(name) })
		refused(t, "want names", func() { s.Set(name, nd.Zeros([]int{1})) })
	}
	refused(t, "needs a name", func() { s.Parameter("/", []int{1}, nil, true) })
	refused(t, "want a float or complex dtype", func() { nn.NewScope(nn.ScopeOptions{DType: dtype.Int8}) })
}

func TestSetWritesInPlace(t *testing.T) {
	s := nn.NewScope()
	w := s.Parameter("w", []int{2}, nil, true)
	s.Set("w", nd.FromSlice([]float64{1, math.Inf(-1)}))
	if !cmp.Equal(floats(w), []float64{1, math.Inf(-1)}) {
		t.Errorf("the parameter is %v", w)
	}
	refused(t, "another shape", func() { s.Set("w", nd.Zeros([]int{1})) })
	refused(t, "nil", func() { s.Set("w", nil) })
	s.Set("count", nd.FromSlice([]int{7}))
	if s.Param("count").NeedGrad() {
		t.Error("an integer is trained")
	}
	s.Set("scalar", nd.Scalar(2.5))
	if got := s.Get("scalar"); got.IsScalar() || floats(got)[0] != 2.5 {
		t.Errorf("a Scalar became %v", got)
	}
}

func TestFirstUseDecidesWhetherItIsTrained(t *testing.T) {
	s := nn.NewScope()
	s.Parameter("w", []int{1}, nil, true)
	s.Param("w").SetNeedGrad(false)
	s.Parameter("w", []int{1}, nil, true)
	if s.Param("w").NeedGrad() {
		t.Error("a frozen parameter thawed when it was used")
	}
	s.Set("statistic", nd.Zeros([]int{1}))
	if !s.Param("statistic").NeedGrad() {
		t.Error("a set parameter is not trained before it is used")
	}
	s.Parameter("statistic", []int{1}, nil, false)
	if s.Param("statistic").NeedGrad() {
		t.Error("a set parameter is trained although its function says no")
	}
}

func TestInitialValuesDependOnSeedAndPathAlone(t *testing.T) {
	make2 := func(seed uint64, names ...string) *nn.Scope {
		s := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(seed)})
		for _, name := range names {
			s.Parameter(name, []int{16}, initializer.Normal(1), true)
		}
		return s
	}
	a, b, other := make2(1, "x", "y/z"), make2(1, "y/z", "x"), make2(2, "x", "y/z")
	for _, name := range []string{"x", "y/z"} {
		if !cmp.Equal(floats(a.Get(name)), floats(b.Get(name))) {
			t.Errorf("%q depends on the order of creation", name)
		}
		if cmp.Equal(floats(a.Get(name)), floats(other.Get(name))) {
			t.Errorf("%q does not depend on the seed", name)
		}
	}
	if cmp.Equal(floats(a.Get("x")), floats(a.Get("y/z"))) {
		t.Error("two parameters have the same values")
	}
	rng := nd.NewRand(3)
	first, second := nn.NewScope(nn.ScopeOptions{Rand: rng}), nn.NewScope(nn.ScopeOptions{Rand: rng})
	if cmp.Equal(floats(first.Parameter("w", []int{4}, initializer.Normal(1), true)), floats(second.Parameter("w", []int{4}, initializer.Normal(1), true))) {
		t.Error("two scopes of one stream have the same values")
	}
}
