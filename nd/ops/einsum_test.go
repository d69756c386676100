package ops_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// einsumByDefinition sums the products over all combinations of the letters' indices. The subscripts have no ellipsis,
// but an output. sizes are the lengths of the letters; axes may have length 1 instead.
func einsumByDefinition(subscripts string, sizes map[rune]int, operands []*nd.Array) *nd.Array {
	inputs, output, _ := strings.Cut(subscripts, "->")
	terms := strings.Split(inputs, ",")
	shape := []int{}
	for _, c := range output {
		shape = append(shape, sizes[c])
	}
	y := nd.Zeros(shape)
	letters := []rune{}
	for c := range sizes {
		letters = append(letters, c)
	}
	at := map[rune]int{}
	index := func(term string, x *nd.Array) []int {
		element := []int{}
		for axis, c := range term {
			element = append(element, min(at[c], x.Dim(axis)-1))
		}
		return element
	}
	var walk func(k int)
	walk = func(k int) {
		if k < len(letters) {
			for i := range sizes[letters[k]] {
				at[letters[k]] = i
				walk(k + 1)
			}
			return
		}
		product := 1.0
		for i, term := range terms {
			product *= nd.Value[float64](operands[i], index(term, operands[i])...)
		}
		element := []nd.Index{}
		for _, i := range index(output, y) {
			element = append(element, nd.At(i))
		}
		y.Assign(nd.Scalar(nd.Value[float64](y.Index(element...))+product), element...)
	}
	walk(0)
	return y
}

func einsumOperand(rng *rand.Rand, shape []int) *nd.Array {
	n := 1
	for _, d := range shape {
		n *= d
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	return nd.FromSlice(values, shape...)
}

// TestEinsumIsItsDefinition draws subscripts: up to four operands with up to three axes, with repeated letters, letters
// that are summed over, and axes that broadcast.
func TestEinsumIsItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const alphabet = "abcdX"
	for range 400 {
		sizes := map[rune]int{}
		full := map[rune]bool{} // an axis has the letter's length
		terms, shapes := []string{}, [][]int{}
		for range 1 + rng.IntN(4) {
			term, shape, mine := "", []int{}, map[rune]int{}
			for range rng.IntN(4) {
				c := rune(alphabet[rng.IntN(len(alphabet))])
				if _, ok := sizes[c]; !ok {
					sizes[c] = 1 + rng.IntN(3)
				}
				if _, ok := mine[c]; !ok {
					mine[c] = sizes[c]
					if rng.IntN(6) == 0 {
						mine[c] = 1
					}
				}
				full[c] = full[c] || mine[c] == sizes[c]
				term, shape = term+string(c), append(shape, mine[c])
			}
			terms, shapes = append(terms, term), append(shapes, shape)
		}
		output := ""
		for _, c := range alphabet {
			if _, ok := sizes[c]; ok && !full[c] {
				sizes[c] = 1
			}
			if _, ok := sizes[c]; ok && rng.IntN(2) == 0 {
				output = string(c) + output
			}
		}
		operands := []*nd.Array{}
		for _, shape := range shapes {
			operands = append(operands, einsumOperand(rng, shape))
		}
		subscripts := strings.Join(terms, ",") + "->" + output
		t.Run(fmt.Sprint(subscripts, shapes), func(t *testing.T) {
			opstest.Close(t, ops.Einsum(subscripts, operands...), einsumByDefinition(subscripts, sizes, operands), 1e-12)
		})
	}
}

func TestEinsumImplicitOutput(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	x, y := einsumOperand(rng, []int{3, 3}), einsumOperand(rng, []int{3, 4})
	z := einsumOperand(rng, []int{2, 1, 3, 4})
	for _, test := range []struct {
		subscripts, same string
		operands         []*nd.Array
	}{
		{"ij,jk", "ij,jk->ik", []*nd.Array{x, y}},
		{"jb,ja", "jb,ja->ab", []*nd.Array{x, y}},
		{"jb,jA", "jb,jA->Ab", []*nd.Array{x, y}},
		{"ii", "ii->", []*nd.Array{x}},
		{" i j , j k -> k i ", "ij,jk->ki", []*nd.Array{x, y}},
		{"...j,jk", "abcj,jk->abck", []*nd.Array{z, einsumOperand(rng, []int{4, 2})}},
		{"b...a", "bcda->cdab", []*nd.Array{z}},
		{"...,...", "abcd,cd->abcd", []*nd.Array{z, y}},
		{"i...->...", "iabc->abc", []*nd.Array{z}},
		{"...ij,jk...->ki...", "abij,jk->kiab", []*nd.Array{z, einsumOperand(rng, []int{4, 2})}},
	} {
		opstest.Close(t, ops.Einsum(test.subscripts, test.operands...), ops.Einsum(test.same, test.operands...), 1e-13)
	}
}

func TestEinsumViews(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	for _, subscripts := range []string{"ij->ji", "ii->i", "...", "ij"} {
		if y := ops.Einsum(subscripts, x); !y.SharesMemory(x) {
			t.Errorf("%s is no view", subscripts)
		}
	}
}

func TestEinsumTypes(t *testing.T) {
	bits := nd.FromSlice([]bool{true, false, true, true}, 2, 2)
	opstest.Repr(t, ops.Einsum("ij,jk", bits, bits), "array([[ True, False], [ True, True]])")
	small := nd.FromSlice([]int8{100, 100}, 2)
	opstest.Repr(t, ops.Einsum("i->", small), "array(-56, dtype=int8)")
	opstest.Repr(t, ops.Einsum("i,i", small, nd.FromSlice([]float32{1, 2})), "array(300., dtype=float32)")
	opstest.Repr(t, ops.Einsum("i,,->i", small, nd.Scalar(2), nd.FromSlice([]int16{3}, []int{}...)), "array([600, 600], dtype=int16)")
	if y := ops.Einsum("ij,jk", nd.Zeros([]int{2, 0}), nd.Zeros([]int{0, 3})); nd.Value[float64](ops.Sum(y)) != 0 || y.Size() != 6 {
		t.Errorf("a product over no elements is %v", y)
	}
	half := nd.Ones([]int{2, 2}, dtype.Float16)
	opstest.Repr(t, ops.Einsum("ij,jk->", half, half), "array(8., dtype=float16)")
}

func TestEinsumRefusals(t *testing.T) {
	x, y := nd.Zeros([]int{2, 3}), nd.Zeros([]int{3, 4})
	opstest.Refuses(t, "which no operand has", func() { ops.Einsum("ij,jk->iz", x, y) })
	opstest.Refuses(t, "twice", func() { ops.Einsum("ij->ii", x) })
	opstest.Refuses(t, "for 2 operands, got 1", func() { ops.Einsum("ij,jk", x) })
	opstest.Refuses(t, "for 1 operands, got 0", func() { ops.Einsum("ij") })
	opstest.Refuses(t, "name 3 axes", func() { ops.Einsum("ijk", x) })
	opstest.Refuses(t, "name 1 axes", func() { ops.Einsum("i", x) })
	opstest.Refuses(t, "want letters", func() { ops.Einsum("i1", x) })
	opstest.Refuses(t, "want letters", func() { ops.Einsum("i.j", x) })
	opstest.Refuses(t, "want letters", func() { ops.Einsum("......", x) })
	opstest.Refuses(t, "want letters", func() { ops.Einsum("ij->j->i", x) })
	opstest.Refuses(t, "no ellipsis", func() { ops.Einsum("...j->j", x) })
	opstest.Refuses(t, "operand 1 has length 4 along an axis that has length 3", func() { ops.Einsum("ij,kj", x, y) })
	opstest.Refuses(t, "lengths", func() { ops.Einsum("ii", x) })
	opstest.Refuses(t, "lengths", func() { ops.Einsum("ii", nd.Zeros([]int{1, 3})) })
}

func TestEinsumGradients(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for subscripts, shapes := range map[string][][]int{
		"ij,jk->ik":       {{2, 3}, {3, 2}},
		"ij,ij->i":        {{2, 3}, {2, 3}},
		"ii->i":           {{3, 3}},
		"iij,jk->k":       {{2, 2, 3}, {3, 2}},
		"ij->":            {{2, 3}},
		"i,j,k->kji":      {{2}, {3}, {2}},
		"ij,jk,kl->il":    {{2, 3}, {3, 4}, {4, 2}},
		"...ij,...jk":     {{2, 1, 2, 3}, {4, 3, 2}},
		"ij,ij->ij":       {{2, 1}, {1, 3}},
		"bhqd,bhkd->bhqk": {{1, 2, 2, 3}, {1, 2, 2, 3}},
	} {
		var xs []*nd.Array
		for _, shape := range shapes {
			xs = append(xs, einsumOperand(rng, shape))
		}
		f := func(xs ...*nd.Array) *nd.Array { return ops.Einsum(subscripts, xs...) }
		gradcheck.Check(t, f, xs...)
		gradcheck.CheckSecondOrder(t, f, xs...)
	}
}

// TestEinsumOrder multiplies a long chain: multiplied all at once, it would take 10^9 products.
func TestEinsumOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	var xs []*nd.Array
	product := nd.Identity(10)
	for range 9 {
		x := einsumOperand(rng, []int{10, 10})
		xs, product = append(xs, x), ops.MatMul(product, x)
	}
	opstest.Close(t, ops.Einsum("ab,bc,cd,de,ef,fg,gh,hi,ij->aj", xs...), product, 1e-8)
}

func ExampleEinsum() {
	x := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	v := nd.FromSlice([]float64{1, 10})
	fmt.Println(ops.Einsum("ij,j->i", x, v)) // matrix times vector
	fmt.Println(ops.Einsum("ii", x))         // trace
	fmt.Println(ops.Einsum("ij->ji", x))     // transpose
	// Output:
	// [21. 43.]
	// 5.0
	// [[1. 3.]
	//  [2. 4.]]
}
