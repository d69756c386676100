package catalogue

import "github.com/ndgrad/ndgrad/nd/ops"

// specialRows is the chapter of special functions, which no document names.
var specialRows = []Row{
	{Signature: "accuracy.erf(x)", Func: ops.Erf},
	{Signature: "accuracy.erfc(x)", Func: ops.Erfc},
	{Signature: "accuracy.erfinv(x)", Func: ops.Erfinv},
	{Signature: "accuracy.gamma(x)", Func: ops.Gamma},
	{Signature: "accuracy.lgamma(x)", Func: ops.Lgamma},
	{Signature: "accuracy.digamma(x)", Func: ops.Digamma},
	{Signature: "accuracy.ndtr(x)", Func: ops.Ndtr},
	{Signature: "accuracy.log_ndtr(x)", Func: ops.LogNdtr},
	{Signature: "accuracy.logit(x)", Func: ops.Logit},
	{Signature: "numpy.i0(x)", Func: ops.I0},
}
