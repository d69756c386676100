package ops_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// indexItem returns the index that record.py means by a letter, before axes of the given lengths, and the number of
// axes that it covers; -1 means all remaining axes.
func indexItem(letter byte, lengths []int) (nd.Index, int) {
	n, m := append(lengths, 1, 1)[0], append(lengths, 1, 1)[1]
	switch letter {
	case 'a':
		return nd.At(1), 1
	case 'b':
		return nd.At(-1), 1
	case ':':
		return nd.All(), 1
	case 's':
		return nd.Until(0).By(-1), 1
	case '0':
		return nd.Span(0, 0), 1
	case 'n':
		return nd.NewAxis(), 0
	case 'e':
		return nd.Ellipsis(), -1
	case 'i':
		return nd.Pick(nd.FromSlice([]int{0, 1})), 1
	case 'j':
		return nd.Pick(nd.FromSlice([]int{1, 0}, 2, 1)), 1
	case 'z':
		return nd.Pick(nd.FromSlice([]int{1}).Reshape()), 1
	case 'o':
		return nd.Pick(nd.FromSlice([]int{9, 0})), 1
	case 't', 'f':
		return nd.Pick(nd.FromSlice([]bool{letter == 't'}).Reshape()), 0
	case 'm':
		m = 1
	}
	mask := nd.Zeros([]int{n * m}, dtype.Bool)
	mask.Assign(nd.Scalar(true), nd.At(0))
	mask.Assign(nd.Scalar(true), nd.At(-1))
	if letter == 'm' {
		return nd.Pick(mask), 1
	}
	return nd.Pick(mask.Reshape(n, m)), 2
}

// indexOf returns the index for a sequence of letters.
func indexOf(letters string, shape []int) (index []nd.Index) {
	used := 0
	for i := range letters {
		_, axes := indexItem(letters[i], []int{9, 9})
		used += max(axes, 0)
	}
	axis := 0
	for i := range letters {
		item, axes := indexItem(letters[i], append([]int{}, shape[min(axis, len(shape)):]...))
		if axes < 0 {
			axes = max(len(shape)-used, 0)
		}
		index, axis = append(index, item), axis+axes
	}
	return index
}

// TestIndexAsRecorded compares the parts of arrays for every sequence of up to three items, and some longer ones, with
// NumPy's results and errors. Assign and AddAt write the same elements that Index reads.
func TestIndexAsRecorded(t *testing.T) {
	calls := 0
	recorded(t, "index", func(words []string) {
		shape, letters := []int{3, 4, 5}, strings.Trim(words[1], "-")
		if words[0] == "2" {
			shape = shape[:2]
		}
		x := nd.ArangeInt(0, broadcast.Size(shape), 1).Reshape(shape...)
		index := indexOf(letters, shape)
		var y *nd.Array
		if err := nd.Catch(func() { y = x.Index(index...) }); err != nil || words[2] == "-" {
			if (err != nil) != (words[2] == "-") {
				t.Errorf("%v at %q: error %v, want %v", shape, letters, err, words[2:])
			}
			return
		}
		numbers := nd.ArangeInt(1, y.Size()+1, 1).Reshape(y.Shape()...)
		sum := ops.Sum(ops.Multiply(numbers, y))
		if got := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(y.Shape())), ","), "[]"); got != strings.Trim(words[2], "()") || sum.String() != words[3] {
			t.Errorf("%v at %q: shape (%s), sum %v, want %v", shape, letters, got, sum, words[2:])
		}
		z := x.Copy()
		z.Assign(ops.Negative(numbers), index...)
		if !ops.ArrayEqual(z.Index(index...), ops.Negative(numbers)) || ops.CountNonzero(ops.NotEqual(z, x)).Item() != int64(y.Size()) {
			t.Errorf("%v at %q: assigned %v", shape, letters, z)
		}
		if z = ops.AddAt(x, numbers, index...); !ops.ArrayEqual(z.Index(index...), ops.Add(y, numbers)) {
			t.Errorf("%v at %q: added %v", shape, letters, z)
		}
		calls++
	})
	if calls < 4000 {
		t.Errorf("%d calls", calls)
	}
}
