package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// fold combines values of one type.
type fold struct {
	// rows combines each of the given number of rows of n values, one after the other, to one value in dst.
	rows func(dst, src unsafe.Pointer, rows, n int)
	// columns combines each of the given number of rows of n values into the n values at dst.
	columns func(dst, src unsafe.Pointer, rows, n int)
}

// folds holds the folds by operation and type.
var folds [device.CombineAny + 1][dtype.Count]fold

func init() {
	setIntegerFolds[int8](dtype.Int8)
	setIntegerFolds[int16](dtype.Int16)
	setIntegerFolds[int32](dtype.Int32)
	setIntegerFolds[int64](dtype.Int64)
	setIntegerFolds[uint8](dtype.Uint8)
	setIntegerFolds[uint16](dtype.Uint16)
	setIntegerFolds[uint32](dtype.Uint32)
	setIntegerFolds[uint64](dtype.Uint64)
	setFloatFolds[float32](dtype.Float32)
	setFloatFolds[float64](dtype.Float64)
	setComplexFolds[complex64](dtype.Complex64)
	setComplexFolds[complex128](dtype.Complex128)
	all := fold{allRows, andColumns}
	anyOf := fold{anyRows, orColumns}
	set := func(c device.Combine, f fold) { folds[c][dtype.Bool] = f }
	set(device.CombineSum, anyOf)
	set(device.CombineProd, all)
	set(device.CombineMax, anyOf)
	set(device.CombineMin, all)
	set(device.CombineFMax, anyOf)
	set(device.CombineFMin, all)
	set(device.CombineAll, all)
	set(device.CombineAny, anyOf)
}

func setIntegerFolds[T scalar.Integer](t dtype.DType) {
	largest := folding(func(a, b T) T { return max(a, b) })
	smallest := folding(func(a, b T) T { return min(a, b) })
	folds[device.CombineSum][t] = fold{sumRows[T], sumColumns[T]}
	folds[device.CombineProd][t] = fold{prodRows[T], prodColumns[T]}
	folds[device.CombineMax][t] = largest
	folds[device.CombineFMax][t] = largest
	folds[device.CombineMin][t] = smallest
	folds[device.CombineFMin][t] = smallest
}

func setFloatFolds[T scalar.Float](t dtype.DType) {
	folds[device.CombineSum][t] = fold{sumRows[T], sumColumns[T]}
	folds[device.CombineProd][t] = fold{prodRows[T], prodColumns[T]}
	folds[device.CombineMax][t] = fold{maxRows[T], maxColumns[T]}
	folds[device.CombineMin][t] = fold{minRows[T], minColumns[T]}
	folds[device.CombineFMax][t] = folding(scalar.FMax[T])
	folds[device.CombineFMin][t] = folding(scalar.FMin[T])
}

func setComplexFolds[T complexNumber](t dtype.DType) {
	set := func(c device.Combine, f func(a, b complex128) complex128) {
		folds[c][t] = folding(func(a, b T) T { return T(f(complex128(a), complex128(b))) })
	}
	folds[device.CombineSum][t] = fold{sumRows[T], sumColumns[T]}
	set(device.CombineProd, scalar.CMul)
	set(device.CombineMax, scalar.CMax)
	set(device.CombineMin, scalar.CMin)
	set(device.CombineFMax, scalar.CFMax)
	set(device.CombineFMin, scalar.CFMin)
}

// folding makes the fold of a function, in order.
func folding[T any](f func(a, b T) T) fold {
	return fold{
		rows: func(dst, src unsafe.Pointer, rows, n int) {
			z, x := elements[T](dst, rows), elements[T](src, rows*n)
			for i := range z {
				row := x[i*n : (i+1)*n]
				v := row[0]
				for _, w := range row[1:] {
					v = f(v, w)
				}
				z[i] = v
			}
		},
		columns: func(dst, src unsafe.Pointer, rows, n int) {
			z, x := elements[T](dst, n), elements[T](src, rows*n)
			for i := range rows {
				row := x[i*n:][:len(z)]
				for k, w := range row {
					z[k] = f(z[k], w)
				}
			}
		},
	}
}

// leafLen is how many values are added one after the other, by eight sums side by side; from there on, in pairs.
const leafLen = 128

func sumRows[T number](dst, src unsafe.Pointer, rows, n int) {
	z, x := elements[T](dst, rows), elements[T](src, rows*n)
	for i := range z {
		z[i] = sum(x[i*n : (i+1)*n])
	}
}

// sum adds values up in pairs; no values make 0.
func sum[T number](x []T) (total T) {
	if len(x) > leafLen {
		half := len(x) / 2 &^ 7
		return sum(x[:half]) + sum(x[half:])
	}
	if len(x) < 8 {
		if len(x) > 0 {
			total = x[0] // -0 stays what it is
			for _, v := range x[1:] {
				total += v
			}
		}
		return total
	}
	s0, s1, s2, s3, s4, s5, s6, s7 := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
	for x = x[8:]; len(x) >= 8; x = x[8:] {
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
		s4 += x[4]
		s5 += x[5]
		s6 += x[6]
		s7 += x[7]
	}
	for _, w := range x {
		s0 += w
	}
	return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
}

func sumColumns[T number](dst, src unsafe.Pointer, rows, n int) {
	z, x := elements[T](dst, n), elements[T](src, rows*n)
	for i := range rows {
		row := x[i*n:][:len(z)]
		for k, w := range row {
			z[k] += w
		}
	}
}

func prodRows[T scalar.Integer | scalar.Float](dst, src unsafe.Pointer, rows, n int) {
	z, x := elements[T](dst, rows), elements[T](src, rows*n)
	for i := range z {
		z[i] = prod(x[i*n : (i+1)*n])
	}
}

func prod[T scalar.Integer | scalar.Float](x []T) T {
	if len(x) < 4 {
		v := x[0]
		for _, w := range x[1:] {
			v *= w
		}
		return v
	}
	p0, p1, p2, p3 := x[0], x[1], x[2], x[3]
	for x = x[4:]; len(x) >= 4; x = x[4:] {
		p0 *= x[0]
		p1 *= x[1]
		p2 *= x[2]
		p3 *= x[3]
	}
	for _, w := range x {
		p0 *= w
	}
	return (p0 * p1) * (p2 * p3)
}

func prodColumns[T scalar.Integer | scalar.Float](dst, src unsafe.Pointer, rows, n int) {
	z, x := elements[T](dst, n), elements[T](src, rows*n)
	for i := range rows {
		row := x[i*n:][:len(z)]
		for k, w := range row {
			z[k] *= w
		}
	}
}

// maxRows and minRows look for a not-a-number only where none was found yet: it stays.
func maxRows[T scalar.Float](dst, src unsafe.Pointer, rows, n int) {
	z, x := elements[T](dst, rows), elements[T](src, rows*n)
	for i := range z {
		row := x[i*n : (i+1)*n]
		v := row[0]
		for _, w := range row[1:] {
			if !(v >= w) && v == v {
				v = w
			}
		}
		z[i] = v
	}
}

func minRows[T scalar.Float](dst, src unsafe.Pointer, rows, n int) {
	z, x := elements[T](dst, rows), elements[T](src, rows*n)
	for i := range z {
		row := x[i*n : (i+1)*n]
		v := row[0]
		for _, w := range row[1:] {
			if !(v <= w) && v == v {
				v = w
			}
		}
		z[i] = v
	}
}

func maxColumns[T scalar.Float](dst, src unsafe.Pointer, rows, n int) {
	z, x := elements[T](dst, n), elements[T](src, rows*n)
	for i := range rows {
		row := x[i*n:][:len(z)]
		for k, w := range row {
			z[k] = scalar.Max(z[k], w)
		}
	}
}

func minColumns[T scalar.Float](dst, src unsafe.Pointer, rows, n int) {
	z, x := elements[T](dst, n), elements[T](src, rows*n)
	for i := range rows {
		row := x[i*n:][:len(z)]
		for k, w := range row {
			z[k] = scalar.Min(z[k], w)
		}
	}
}

func allRows(dst, src unsafe.Pointer, rows, n int) {
	z, x := elements[bool](dst, rows), elements[bool](src, rows*n)
	for i := range z {
		z[i] = !found(x[i*n:(i+1)*n], false)
	}
}

func anyRows(dst, src unsafe.Pointer, rows, n int) {
	z, x := elements[bool](dst, rows), elements[bool](src, rows*n)
	for i := range z {
		z[i] = found(x[i*n:(i+1)*n], true)
	}
}

func found(x []bool, v bool) bool {
	for _, w := range x {
		if w == v {
			return true
		}
	}
	return false
}

func andColumns(dst, src unsafe.Pointer, rows, n int) {
	for i := range rows {
		andLoop[uint8](dst, dst, unsafe.Add(src, i*n), nil, n)
	}
}

func orColumns(dst, src unsafe.Pointer, rows, n int) {
	for i := range rows {
		orLoop[uint8](dst, dst, unsafe.Add(src, i*n), nil, n)
	}
}
