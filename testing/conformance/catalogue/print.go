package catalogue

import "github.com/ndgrad/ndgrad/nd"

// printRows is the chapter of arrays as text.
var printRows = []Row{
	{Signature: "cupy.array_str(arr, max_line_width=None, precision=None, suppress_small=None)", Func: func(x *nd.Array, width, precision *int, suppress bool) string {
		return x.Text(nd.PrintOptions{LineWidth: width, Precision: precision, Suppress: suppress})
	}, NoGrad: true},
	{Signature: "cupy.array_repr(arr, max_line_width=None, precision=None, suppress_small=None)", Func: func(x *nd.Array, width, precision *int, suppress bool) string {
		return x.Repr(nd.PrintOptions{LineWidth: width, Precision: precision, Suppress: suppress})
	}, NoGrad: true},
	{Signature: "cupy.ndarray.__str__(self)", Func: (*nd.Array).String, NoGrad: true},
	{Signature: "cupy.ndarray.__repr__(self)", Func: (*nd.Array).GoString, NoGrad: true},
	{Signature: "numpy.array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=' ', prefix='', *, " +
		"threshold=None, edgeitems=None, sign=None, floatmode=None, suffix='')", Func: array2String, NoGrad: true},
	{Signature: "numpy.scalar_str(value)", Func: scalarTexts, NoGrad: true},
}

// scalarTexts returns a number in all text formats.
func scalarTexts(x *nd.Array) map[string]any {
	three := nd.FloatFormat{Precision: new(3)}
	return map[string]any{"str": x.String(), "repr": x.ScalarRepr(), "positional": x.Positional(nd.FloatFormat{}), "positional3": x.Positional(three),
		"scientific": x.Scientific(nd.FloatFormat{}), "scientific3": x.Scientific(three)}
}

func array2String(a *nd.Array, width, precision *int, suppress bool, separator *string, prefix string,
	threshold, edgeItems *int, sign, floatMode, suffix string) string {
	return a.Array2String(nd.PrintOptions{LineWidth: width, Precision: precision, Suppress: suppress, Separator: separator,
		Prefix: prefix, Threshold: threshold, EdgeItems: edgeItems, Sign: nd.SignMode(sign), FloatMode: nd.FloatMode(floatMode), Suffix: suffix})
}
