package catalogue

import (
	"iter"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/nnabla"
)

// parameterRows is the chapter of scopes and their parameters. The scope of the document's program is that of the call.
var parameterRows = []Row{
	{Signature: "nnabla.parameter.parameter_scope(name)", Func: func(s *nn.Scope, name string) *nn.Scope {
		return s.Sub(strings.Join(strings.FieldsFunc(name, func(c rune) bool { return c == '/' }), "/"))
	}, Note: "repeated slashes, which nn.Scope refuses, count as one"},
	{Signature: "nnabla.parameter.get_parameters(params=None, path='', grad_only=True)", Func: func(s *nn.Scope, gradOnly bool) iter.Seq2[string, *nn.Param] {
		if gradOnly {
			return s.Trained()
		}
		return s.All()
	}, Ignores: []string{"params", "path"}},
	{Signature: "nnabla.parameter.get_parameter_or_create(name, shape=None, initializer=None, need_grad=True, as_need_grad=None)", Func: parameterOrCreate,
		Note: "the flag of the last call counts; Scope.Parameter keeps that of the first call"},
	{Signature: "nnabla.parameter.load_parameters(path)", Func: func(s *nn.Scope, path string) error { return nnabla.LoadParameters(path, s) }},
	{Signature: "nnabla.parameter.save_parameters(path)", Func: func(s *nn.Scope, path string) error { return nnabla.SaveParameters(path, s) }},
}

// parameterOrCreate gets or creates a parameter. Without a shape, the parameter has that of the initial array. need
// says whether the parameter is trained; the result may be a view that differs in this.
func parameterOrCreate(s *nn.Scope, name string, shape []int, given any, need bool, as *bool) seen {
	var initial initializer.Initializer
	switch v := given.(type) {
	case initializer.Initializer:
		initial = v
	case *nd.Array:
		initial = initializer.Values(v)
		if shape == nil {
			shape = v.Shape()
		}
	}
	x := s.Parameter(name, shape, initial, need)
	s.Param(name).SetNeedGrad(need)
	if as != nil {
		need = *as
	}
	return seen{x: x, Shape: x.Shape(), NeedGrad: need, Values: nd.ToSlice[float64](x.AsType(dtype.Float64).Ravel())}
}

// seen is a parameter as a program sees it.
type seen struct {
	x        *nd.Array
	Shape    []int
	NeedGrad bool
	Values   []float64
}

func (v seen) Outputs() []*nd.Array { return []*nd.Array{v.x} }
