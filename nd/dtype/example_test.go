package dtype_test

import (
	"fmt"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

func ExamplePromote() {
	fmt.Println(dtype.Promote(dtype.Int8, dtype.Uint8))
	fmt.Println(dtype.Promote(dtype.Int32, dtype.Float32))
	fmt.Println(dtype.Promote(dtype.BFloat16, dtype.Float16))
	// Output:
	// int16
	// float64
	// float32
}

func ExampleResultType() {
	x := dtype.Operand{DType: dtype.Float32}
	i := dtype.Operand{DType: dtype.Int16}
	u := dtype.Operand{DType: dtype.Uint16}
	half := dtype.Operand{Weak: dtype.WeakFloat} // the 0.5 of 0.5*x

	fmt.Println(dtype.ResultType(x, half))
	fmt.Println(dtype.ResultType(i, half))
	fmt.Println(dtype.ResultType(i, u, x))
	// Output:
	// float32
	// float64
	// float32
}

func ExampleParse() {
	d, err := dtype.Parse("<f4")
	fmt.Println(d, err)
	_, err = dtype.Parse("int7")
	fmt.Println(err)
	// Output:
	// float32 <nil>
	// dtype: data type "int7" not understood
}

func ExampleConvert() {
	src := []float32{-1, 2.9, 300}
	dst := make([]uint8, len(src))
	dtype.Convert(dtype.Uint8, unsafe.Pointer(&dst[0]), 1, dtype.Float32, unsafe.Pointer(&src[0]), 1, len(src))
	fmt.Println(dst)
	// Output: [0 2 255]
}
