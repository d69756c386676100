package main

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// module is the path of the library; rooms are the paths of the packages that users call.
const module = "github.com/ndgrad/ndgrad/"

var rooms = []string{"nd", "nd/ops", "nd/grad", "nn", "nn/optim"}

// function returns the name of a library function, such as ops.Add, Array.T or Tape.Reset, or "" for other functions.
func function(fn *types.Func) string {
	if fn == nil || fn.Pkg() == nil || !fn.Exported() {
		return ""
	}
	room, ours := strings.CutPrefix(fn.Pkg().Path(), module)
	if !ours || !slices.Contains(rooms, room) && (!strings.HasPrefix(room, "nd/ops/") || strings.Contains(room, "internal")) {
		return ""
	}
	if recv := fn.Signature().Recv(); recv != nil {
		if n := named(recv.Type()); n != nil {
			return n.Obj().Name() + "." + fn.Name()
		}
		return ""
	}
	return fn.Pkg().Name() + "." + fn.Name()
}

// callee returns the name of the called library function, or "".
func callee(call ssa.CallInstruction) string {
	fn := call.Common().StaticCallee()
	if fn == nil {
		return ""
	}
	if generic := fn.Origin(); generic != nil {
		fn = generic
	}
	object, _ := fn.Object().(*types.Func)
	return function(object)
}

// named returns the named type that t is or points to.
func named(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// isArray reports whether t is *nd.Array.
func isArray(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.Pointer); !ok {
		return false
	}
	n := named(t)
	return n != nil && n.Obj().Name() == "Array" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == module+"nd"
}

// isOutput reports whether t is what ops.Into returns.
func isOutput(t types.Type) bool {
	n := named(t)
	return n != nil && n.Obj().Name() == "Output" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == module+"nd/ops"
}

// isArrays reports whether t is *nd.Array or a slice of it.
func isArrays(t types.Type) bool {
	if s, ok := types.Unalias(t).(*types.Slice); ok {
		t = s.Elem()
	}
	return isArray(t)
}

// reaches reports whether a value of type t is an array or contains types that reach arrays.
func reaches(t types.Type) bool { return reachesBut(t, map[types.Type]bool{}) }

func reachesBut(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if isArray(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return reachesBut(u.Elem(), seen)
	case *types.Slice:
		return reachesBut(u.Elem(), seen)
	case *types.Array:
		return reachesBut(u.Elem(), seen)
	case *types.Chan:
		return reachesBut(u.Elem(), seen)
	case *types.Map:
		return reachesBut(u.Key(), seen) || reachesBut(u.Elem(), seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if reachesBut(u.Field(i).Type(), seen) {
				return true
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if reachesBut(v.Type(), seen) {
				return true
			}
		}
	case *types.Signature:
		return true
	case *types.Interface:
		return u.NumMethods() == 0
	}
	return false
}

// views are the functions that return a view of their first operand, or the operand itself.
var views = set("Array.AsType Array.BroadcastTo Array.Contiguous Array.Detach Array.Diagonal Array.ExpandDims Array.Flip " +
	"Array.Index Array.MoveAxis Array.Ravel Array.Reshape Array.ReshapeFortran Array.RollAxis Array.Squeeze Array.SwapAxes " +
	"Array.T Array.To Array.Transpose Array.View ops.AtLeast1D ops.AtLeast2D ops.AtLeast3D ops.Conj ops.Diag ops.FlipLR " +
	"ops.FlipUD ops.Imag ops.Real ops.Rot90 ops.TrimZeros")

// copies are the methods and functions of package nd that create an array. All functions of the packages below ops do.
var copies = set("Array.Copy Array.CopyFortran Array.Flatten Array.With nd.Arange nd.ArangeInt nd.Empty nd.EmptyLike nd.Eye " +
	"nd.FromSlice nd.Full nd.FullLike nd.Identity nd.Linspace nd.Logspace nd.Ones nd.OnesLike nd.Tri nd.Zeros nd.ZerosLike")

// keeps are the methods that take an array away from its owner.
var keeps = set("Arena.Keep Tape.Keep Temporaries.Keep")

// sums are the functions that return a single number unless options say otherwise.
var sums = set("ops.All ops.Any ops.ArgMax ops.ArgMin ops.Average ops.CountNonzero ops.LogSumExp ops.Max ops.Mean ops.Median " +
	"ops.Min ops.NanMax ops.NanMean ops.NanMedian ops.NanMin ops.NanProd ops.NanStd ops.NanSum ops.NanVar ops.Norm ops.Prod " +
	"ops.PTP ops.Std ops.Sum ops.Var linalg.Det linalg.Norm")

// safeAfterRelease are the methods that also work on a released array.
var safeAfterRelease = set("Array.Bytes Array.DType Array.Device Array.Dim Array.IsDeferred Array.IsExclusive Array.IsContiguous Array.IsFortran Array.IsReleased " +
	"Array.IsScalar Array.Offset Array.Rank Array.Release Array.Shape Array.SharesMemory Array.Size Array.Strides Array.Version")

func set(names string) map[string]bool {
	in := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		in[name] = true
	}
	return in
}

// allocates reports whether a library function returns new memory.
func allocates(name string) bool {
	if name == "" || views[name] {
		return false
	}
	switch of, _, _ := strings.Cut(name, "."); of {
	case "nd", "Array":
		return copies[name]
	case "nn":
		return name == "nn.Affine"
	case "grad", "optim":
		return false
	default: // a package below ops, or a type
		return of == strings.ToLower(of) || name == "Kernel.Call"
	}
}
