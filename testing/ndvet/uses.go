package main

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// isDropped reports whether x and its views are only read within a round of the loop, by functions that do not keep
// them. A variable may hold x until the next round gives it a new value. Without a loop, isDropped considers x's
// function.
func (p *program) isDropped(x ssa.Value, l *loop, seen map[ssa.Value]bool) bool {
	if seen[x] {
		return true
	}
	seen[x] = true
	for _, use := range *x.Referrers() {
		if l != nil && use.Parent() == l.head.Parent() && !l.blocks[use.Block()] {
			continue // only in the last round
		}
		switch use := use.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
		case *ssa.Phi:
			if !p.isDropped(use, l, seen) {
				return false
			}
		case *ssa.Store:
			for _, call := range argumentOf(use, x) {
				if call == nil || !p.isRead(call, nil, l, seen) {
					return false
				}
			}
		case *ssa.Call:
			if !p.isRead(use, x, l, seen) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// argumentOf returns the calls that get x as one of several variadic arguments, or in a slice literal. The list
// contains nil if x is used in another way.
func argumentOf(store *ssa.Store, x ssa.Value) []*ssa.Call {
	element, ok := store.Addr.(*ssa.IndexAddr)
	if !ok || store.Val != x {
		return []*ssa.Call{nil}
	}
	array, ok := element.X.(*ssa.Alloc)
	if !ok || array.Comment != "varargs" && array.Comment != "slicelit" {
		return []*ssa.Call{nil}
	}
	var calls []*ssa.Call
	for _, use := range *array.Referrers() {
		if slice, ok := use.(*ssa.Slice); ok {
			for _, use := range *slice.Referrers() {
				call, _ := use.(*ssa.Call)
				calls = append(calls, call)
			}
		}
	}
	return calls
}

// isRead reports whether a call only reads its argument x (nil for one in a slice). If the result is a view of x, all
// its uses must also only read.
func (p *program) isRead(call *ssa.Call, x ssa.Value, l *loop, seen map[ssa.Value]bool) bool {
	name := callee(call)
	of, _, _ := strings.Cut(name, ".")
	switch {
	case views[name]:
		return p.isDropped(call, l, seen)
	case name == "":
		fn := call.Call.StaticCallee()
		if x == nil || fn == nil || fn.Blocks == nil {
			return false
		}
		for k, arg := range call.Call.Args {
			if arg == x && !p.isDropped(fn.Params[k], nil, seen) {
				return false
			}
		}
		return true
	case of == "nd":
		return !strings.HasPrefix(name, "nd.Tidy") && name != "nd.Data" && name != "nd.Wrap"
	case of == "Array":
		return name != "Array.Release" && name != "Array.Block"
	case of == "sparse":
		return name == "sparse.MatMul" || name == "sparse.DenseMatMul"
	}
	return allocates(name)
}

// fewElements is the number of float64 that fit into the allocation of an array header.
const fewElements = 8

// isSmall reports whether x has few elements as far as can be seen, so that releasing it gains nothing. Elementwise
// functions of few elements have few.
func isSmall(x ssa.Value) bool { return isSmallBut(x, map[ssa.Value]bool{}) }

func isSmallBut(x ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[x] {
		return true
	}
	seen[x] = true
	switch x := x.(type) {
	case *ssa.Phi:
		for _, edge := range x.Edges {
			if !isSmallBut(edge, seen) {
				return false
			}
		}
		return true
	case *ssa.Call:
		name := callee(x)
		args := x.Call.Args
		switch {
		case name == "nd.Scalar":
			return true
		case name == "nd.FromSlice":
			return written(args[0], fewElements+1) <= fewElements
		case name == "nd.Zeros" || name == "nd.Ones" || name == "nd.Full" || name == "nd.Empty":
			return product(args[0]) <= fewElements
		case sums[name] && len(args) == 2 && isNil(args[1]):
			return true
		case !allocates(name) && !views[name]:
			return false
		}
		arrays := 0
		for k, arg := range args {
			switch {
			case isArray(arg.Type()):
				if !isSmallBut(arg, seen) {
					return false
				}
				arrays++
			case k < len(args)-1 || !isNil(arg):
				return false
			}
		}
		return arrays > 0
	}
	return false
}

func isNil(x ssa.Value) bool {
	c, ok := x.(*ssa.Const)
	return ok && c.Value == nil
}

// written returns the length of a slice literal, or otherwise.
func written(x ssa.Value, otherwise int64) int64 {
	if slice, ok := x.(*ssa.Slice); ok {
		if array, ok := slice.X.Type().Underlying().(*types.Pointer); ok {
			if array, ok := array.Elem().Underlying().(*types.Array); ok {
				return array.Len()
			}
		}
	}
	return otherwise
}

// product returns the number of elements of a shape literal, or a large number.
func product(shape ssa.Value) int64 {
	const large = 1 << 30
	lengths := elements(shape)
	if isNil(shape) || int64(len(lengths)) != written(shape, large) {
		return large
	}
	n := int64(1)
	for _, length := range lengths {
		k, ok := integer(length)
		if n *= k; !ok || k > large || n > large {
			return large
		}
	}
	return n
}
