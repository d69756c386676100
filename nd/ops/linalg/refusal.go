package linalg

import (
	"errors"
	"fmt"
	"math/cmplx"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// part is the part of a matrix that a kernel reads.
type part int

const (
	whole part = iota
	lowerPart
	upperPart
)

// triangleRead returns the triangle that a kernel of symmetric matrices reads.
func triangleRead(upper bool) part {
	if upper {
		return upperPart
	}
	return lowerPart
}

// refusing is a launch of a kernel that panics for some matrices of a.
type refusing struct {
	*factorisation
	a       *nd.Array
	read    part
	results func(f *factorisation) *nd.Array
}

// refusing returns the launch of a kernel that panics for some matrices of a, of which it reads a part. results adds the
// result operands of the kernel, as few as it allows, for other matrices.
func (f *factorisation) refusing(a *nd.Array, read part, results func(f *factorisation) *nd.Array) refusing {
	return refusing{f, a, read, results}
}

// run runs the kernel. An error says which matrix was refused, and what is wrong with it.
func (f refusing) run(kernel func(device.Device, *device.Launch)) {
	defer func() {
		refusal := recover()
		if refusal == nil {
			return
		}
		e, ok := refusal.(*nd.Error)
		var matrix *device.MatrixError
		if !ok || !errors.As(e, &matrix) {
			panic(refusal)
		}
		m, n := f.a.Dim(-2), f.a.Dim(-1)
		flat := f.a.Detach().Reshape(-1, m, n)
		at := firstRefused(flat, func(some *nd.Array) {
			g := newFactorisation(f.fn, some, batchOf(some), m, n)
			g.Upper = f.read == upperPart
			f.results(g)
			g.read(some)
			g.Run(kernel)
		})
		e.Msg = refusalOf(matrix, flat.Index(nd.At(at)), f.read, matrixName(batchOf(f.a), at))
		panic(e)
	}()
	f.Run(kernel)
}

// firstRefused returns the number of the first matrix for which try panics; it panics for one of them. try is called for
// parts of the matrices.
func firstRefused(flat *nd.Array, try func(some *nd.Array)) int {
	low, high := 0, flat.Dim(0)
	for high-low > 1 {
		middle := (low + high) / 2
		if nd.Catch(func() { try(flat.Index(nd.Span(low, middle))) }) != nil {
			high = middle
		} else {
			low = middle
		}
	}
	return low
}

// matrixName returns the name of a matrix in an error, by its number in a batch.
func matrixName(batch []int, number int) string {
	if len(batch) == 0 {
		return "the matrix"
	}
	at := make([]string, len(batch))
	for axis := len(batch) - 1; axis >= 0; axis-- {
		at[axis] = fmt.Sprint(number % batch[axis])
		number /= batch[axis]
	}
	return fmt.Sprintf("the matrix at [%s] of the batch %s", strings.Join(at, ", "), broadcast.FormatShape(batch))
}

// refusalOf says why a kernel has refused a matrix of that name.
func refusalOf(e *device.MatrixError, a *nd.Array, read part, name string) string {
	for i, row := range nd.ToRows[complex128](a.AsType(dtype.Complex128)) {
		for j, v := range row {
			if isRead := read == whole || i == j || (j > i) == (read == upperPart); isRead && (cmplx.IsNaN(v) || cmplx.IsInf(v)) {
				var element any = v
				if !a.DType().IsComplex() {
					element = real(v)
				}
				return fmt.Sprintf("%s has the element %v at [%d, %d]: want finite numbers", name, element, i, j)
			}
		}
	}
	switch e.Kernel {
	case "Cholesky":
		return name + " is not positive definite"
	case "Solve":
		return name + " is singular"
	}
	return fmt.Sprintf("the iteration for %s did not converge", name)
}
