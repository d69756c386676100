package nd_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func ExampleArray() {
	x := nd.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	fmt.Println(x.T())
	fmt.Printf("%#v\n", x.Index(nd.All(), nd.From(1)))
	// Output:
	// [[1. 4.]
	//  [2. 5.]
	//  [3. 6.]]
	// array([[2., 3.],
	//        [5., 6.]], dtype=float32)
}

func ExampleArray_Index() {
	x := nd.ArangeInt(0, 12, 1).Reshape(3, 4)
	fmt.Println(x.Index(nd.At(-1)))
	fmt.Println(x.Index(nd.All().By(-2), nd.Span(1, 3)))
	fmt.Println(x.Index(nd.Pick(nd.FromSlice([]int{0, 2})), nd.Pick(nd.FromSlice([]int{1, 3}))))
	// Output:
	// [ 8  9 10 11]
	// [[ 9 10]
	//  [ 1  2]]
	// [ 1 11]
}

func ExampleArray_Assign() {
	x := nd.Zeros([]int{2, 3})
	x.Assign(nd.Scalar(7), nd.At(0), nd.From(1))
	x.Assign(nd.FromSlice([]float64{1, 2, 3}), nd.At(1))
	fmt.Println(x)
	// Output:
	// [[0. 7. 7.]
	//  [1. 2. 3.]]
}

func TestCreation(t *testing.T) {
	for want, x := range map[string]*nd.Array{
		"array([0., 0.])":                             nd.Zeros([]int{2}),
		"array([1, 1], dtype=int8)":                   nd.Ones([]int{2}, dtype.Int8),
		"array([2, 2])":                               nd.Full([]int{2}, 2),
		"array([ True])":                              nd.Full([]int{1}, true),
		"array([1.+2.j])":                             nd.Full([]int{1}, 1+2i),
		"array([0. , 0.5, 1. , 1.5])":                 nd.Arange(0, 2, 0.5),
		"array([5, 3, 1])":                            nd.ArangeInt(5, 0, -2),
		"array([], dtype=int64)":                      nd.ArangeInt(5, 0, 1),
		"array([1, 2])":                               nd.FromSlice([]int{1, 2}),
		"array(3.)":                                   nd.Scalar(3.0).Copy(),
		"array([255], dtype=uint8)":                   nd.Full([]int{1}, 255.9, dtype.Uint8),
		"array([18446744073709551615], dtype=uint64)": nd.Full([]int{1}, uint64(math.MaxUint64), dtype.Uint64),
	} {
		if got := fmt.Sprintf("%#v", x); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	refused(t, func() { nd.Zeros([]int{2, -1}) }, "nd.Zeros", "negative")
	refused(t, func() { nd.Full([]int{1}, 300, dtype.Uint8) }, "300", "uint8")
	refused(t, func() { nd.Arange(0, 1, 0) }, "step")
	refused(t, func() { nd.FromSlice([]int{1, 2, 3}, 2, 2) }, "3 elements", "(2, 2)")
	refused(t, func() { nd.Zeros([]int{math.MaxInt / 4}) }, "memory")
	huge := new(big.Int).Lsh(big.NewInt(1), 64)
	refused(t, func() { nd.Zeros([]int{1}, dtype.Uint64).Assign(nd.ScalarInt(huge)) }, "out of bounds")
}

func TestElementAccess(t *testing.T) {
	x := nd.FromSlice([]float32{1.5, -2, 300}).Index(nd.All().By(-1))
	if v := nd.Value[uint8](x, 0); v != 255 {
		t.Errorf("300 as uint8 is %d", v)
	}
	if v := nd.Value[int](x, -1); v != 1 {
		t.Errorf("1.5 as int is %d", v)
	}
	if v := x.Item(1); v != float32(-2) {
		t.Errorf("Item gives %T %v", v, v)
	}
	refused(t, func() { x.Item() }, "one element")
	refused(t, func() { x.Item(3) }, "outside")
	refused(t, func() { x.Item(0, 0) }, "2 indices")
	refused(t, func() { nd.Data[float32](x) }, "contiguous")
	refused(t, func() { nd.Value[int]((*nd.Array)(nil)) }, "nil")
}

func TestOtherDevices(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	x := nd.ArangeInt(0, 6, 1).Reshape(2, 3).T().To(ref)
	if x.Device().Name() != "ref" || x.String() != "[[0 3]\n [1 4]\n [2 5]]" {
		t.Errorf("on %s: %v", x.Device().Name(), x)
	}
	refused(t, func() { nd.Data[int64](x) }, "ref", "ToSlice")
	back := x.Index(nd.At(1)).To(nd.Zeros(nil).Device())
	if got := nd.ToSlice[int64](back); got[0] != 1 || got[1] != 4 {
		t.Errorf("back: %v", got)
	}
	refused(t, func() { nd.Func("test.f").Check(x, back) }, "different devices", "To")
	if _, err := device.Get("no such device"); err == nil {
		t.Error("an unknown device was found")
	}
}

func TestRandIsAFunctionOfSeedAndCount(t *testing.T) {
	a, b := nd.NewRand(7), nd.NewRand(7)
	split := a.Split()
	if a.Uint64() != b.Uint64() {
		t.Error("splitting changed the stream")
	}
	if split.Uint64() == b.Uint64() || a.Split().Uint64() == nd.NewRand(7).Split().Uint64() {
		t.Error("splits repeat")
	}
	seen := map[int]bool{}
	for _, i := range a.Perm(10) {
		seen[i] = true
	}
	if len(seen) != 10 {
		t.Error("Perm is not a permutation")
	}
	refused(t, func() { a.IntN(0) }, "positive")
}
