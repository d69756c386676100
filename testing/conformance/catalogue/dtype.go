package catalogue

import (
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// dtypeRows is the chapter of element types and shapes.
var dtypeRows = []Row{
	{Signature: "numpy.promote_types(type1, type2)", Func: dtype.Promote, NoGrad: true},
	{Signature: "numpy.result_type(*operands)", Func: resultType, NoGrad: true},
	{Signature: "numpy.can_cast(from_, to, casting='safe')", Func: dtype.CanCast, NoGrad: true},
	{Signature: "numpy.dtype(text=None, dtype=None)", Func: describeDType, NoGrad: true},
	{Signature: "numpy.finfo(dtype)", Func: floatInfo, NoGrad: true},
	{Signature: "numpy.iinfo(dtype)", Func: intInfo, NoGrad: true},
	{Signature: "numpy.broadcast_shapes(*shapes)", Func: func(shapes [][]int) ([]int, error) { return broadcast.Shapes(shapes...) },
		NoGrad: true},
}

// resultType returns the dtype to which resolve promotes dtypes and Python numbers.
func resultType(operands []any) dtype.DType {
	return dtype.ResultType(converted(operands, promoted)...)
}

// promoted returns what promotion sees of a dtype, a number, an array, or a value that becomes one.
func promoted(v any) dtype.Operand {
	if t, ok := v.(dtype.DType); ok {
		return dtype.Operand{DType: t}
	}
	if x, ok := weakOf(v); ok {
		return x.Operand()
	}
	return piece(v).Operand()
}

// describeDType returns NumPy's attributes of a dtype. If text is given, the byte order is the one that it asks for.
func describeDType(text string, d dtype.DType) (map[string]any, error) {
	bigEndian := false
	if text != "" {
		var err error
		if d, bigEndian, err = dtype.ParseOrdered(text); err != nil {
			return nil, err
		}
	}
	return map[string]any{"name": d.String(), "itemsize": d.Size(), "str": d.OrderedCode(bigEndian),
		"kind": string(d.Kind().Letter()), "char": string(d.Char())}, nil
}

func floatInfo(d dtype.DType) map[string]any {
	l := dtype.Info(d)
	return map[string]any{"bits": l.Bits, "nmant": l.MantissaBits, "precision": l.Precision, "minexp": l.MinExp, "maxexp": l.MaxExp,
		"eps": l.Eps, "max": l.Max, "tiny": l.Tiny, "smallest_subnormal": l.SmallestSubnormal, "resolution": l.Resolution}
}

func intInfo(d dtype.DType) map[string]any {
	l := dtype.Info(d)
	return map[string]any{"bits": l.Bits, "min": l.MinInt, "max": l.MaxInt}
}
