package sweeps

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// numbersConverted are the functions that accept a number which an array of their result's dtype does not hold.
// docs/arrays.md names them.
var numbersConverted = map[string]string{
	"chainer.functions.broadcast":      "returns each argument by itself",
	"chainer.functions.identity":       "returns each argument by itself",
	"chainer.functions.pad":            "the row converts the values to an array, as NumPy does",
	"chainer.functions.permutate":      "an index, not an element",
	"chainer.functions.where":          "Where: a condition; integers wrap, as in NumPy",
	"cupy.atleast_1d":                  "returns each argument by itself",
	"cupy.atleast_2d":                  "returns each argument by itself",
	"cupy.atleast_3d":                  "returns each argument by itself",
	"cupy.broadcast_arrays":            "returns each argument by itself",
	"cupy.clip":                        "Clip: a bound beyond the range limits nothing",
	"cupy.empty_like":                  "reads only the shape and the dtype",
	"cupy.meshgrid":                    "returns each argument by itself",
	"cupy.ndarray.clip":                "Clip: a bound beyond the range limits nothing",
	"cupy.ndarray.take":                "an index, not an element",
	"cupy.pad":                         "the row converts the values to an array, as NumPy does",
	"cupy.where":                       "Where: a condition; integers wrap, as in NumPy",
	"mxnet.npx.convolution":            "no_bias drops the bias",
	"mxnet.npx.deconvolution":          "no_bias drops the bias",
	"mxnet.npx.embedding":              "an index, not an element",
	"mxnet.npx.fully_connected":        "no_bias drops the bias",
	"mxnet.npx.index_add":              "an index, not an element",
	"mxnet.npx.index_update":           "an index, not an element",
	"mxnet.npx.intgemm_prepare_weight": "already_quantized drops the number",
	"mxnet.npx.pad":                    "the mode drops the value",
	"mxnet.npx.pick":                   "an index, not an element",
	"mxnet.npx.quantized_act":          "a bound of the range that the integers stand for",
	"mxnet.npx.quantized_elemwise_add": "a bound of the range that the integers stand for",
	"mxnet.npx.quantized_embedding":    "an index, not an element",
	"mxnet.npx.quantized_pooling":      "a bound of the range that the integers stand for",
	"mxnet.npx.quantized_reshape":      "a bound of the range that the integers stand for",
	"mxnet.npx.rnn":                    "a length, not an element",
	"mxnet.npx.sequence_last":          "a length, not an element",
	"mxnet.npx.sequence_reverse":       "a length, not an element",
	"nnabla.functions.bool_gather":     "a mask, not an element",
	"nnabla.functions.embed":           "an index, not an element",
	"nnabla.functions.gather":          "an index, not an element",
	"nnabla.functions.pad":             "the mode drops the value",
	"nnabla.functions.where":           "Where: a condition; integers wrap, as in NumPy",
	"numpy.nan_to_num":                 "integers have no NaN that could be replaced",
	"numpy.bitwise_count":              "the result is a count",
	"numpy.packbits":                   "a number other than 0 is a bit",
	"numpy.polyint":                    "no integration, hence no constant",
	"numpy.put":                        "an index, not an element",
}

// TestSweepNumbers gives arrays of uint8 to each function, and numbers that uint8 does not hold instead of one array
// or number. No array of uint8 may come out: the number is refused, or the result has a dtype that holds it.
func TestSweepNumbers(t *testing.T) {
	small := func(x *nd.Array) *nd.Array {
		if x == nil || x.IsScalar() || x.DType().IsBool() {
			return x
		}
		return x.AsType(dtype.Uint8)
	}
	sweep(t, func(s *subject) error {
		if numbersConverted[s.c.Function] != "" || s.call(setting{fresh: true, edit: func(_ string, x *nd.Array) *nd.Array { return small(x) }}).err != nil {
			return nil
		}
		check := func(what string, how setting) error {
			o := s.call(how)
			if err := o.mayRefuse(); err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			if o.err != nil {
				return nil
			}
			for _, path := range o.paths {
				if x := o.args[path]; s.fn.Row.MayWrite(path) && x != nil && !x.IsScalar() && x.DType() == dtype.Uint8 {
					return fmt.Errorf("%s: was accepted, and %s is uint8", what, path)
				}
			}
			for i, r := range o.results {
				if y, ok := r.(*nd.Array); ok && y != nil && y.DType() == dtype.Uint8 {
					return fmt.Errorf("%s: was accepted, and result %d is uint8", what, i)
				}
			}
			return nil
		}
		for _, v := range []*nd.Array{nd.Scalar(256), nd.Scalar(-1), nd.Scalar(1e10), nd.Scalar(math.NaN()), nd.Scalar(-1.5)} {
			for _, path := range s.plain.paths {
				err := check(fmt.Sprintf("%s is %v", path, v), setting{fresh: true, edit: func(at string, x *nd.Array) *nd.Array {
					if at == path {
						return v
					}
					return small(x)
				}})
				if err != nil {
					return err
				}
			}
			var number golden.Value = v.Float()
			if v.DType().IsInteger() {
				number = big.NewInt(int64(v.Float()))
			}
			for _, p := range s.fn.Params {
				given, _ := s.c.Args.Get(p.Name)
				if _, array := given.(golden.Array); array || p.Ignored() || p.Type != reflect.TypeFor[*nd.Array]() {
					continue
				}
				err := check(fmt.Sprintf("%s=%v", p.Name, v), setting{
					fresh: true,
					edit:  func(_ string, x *nd.Array) *nd.Array { return small(x) },
					args:  func(args golden.Object) golden.Object { return replaced(args, p.Name, number) },
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}
