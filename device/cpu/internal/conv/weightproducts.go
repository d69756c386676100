package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// weightProducts is the gradient of a weight with few filters per group: each element is the inner product of a channel
// of the output and a part of a plane. A task is a group, over a part of the images; the sums of the parts are added at
// the end. How the sums are split depends only on the shape.
type weightProducts struct {
	*correlation
	*layout
	sub   subconvolution
	units int // bands of images
	parts int // of the units
	sums  unsafe.Pointer
}

// fewFilters is the number of filters per group up to which inner products are faster than filters in lanes, for rows
// of a vector or more. productPixels is the number of pixels for which a plane is made.
const (
	fewFilters    = 6
	productPixels = 8192
)

// byProducts reports whether the gradient of the weight is computed from inner products.
func (c *correlation) byProducts() bool {
	q := c.q
	return q.m*strided.RoundUp(q.outSize[2], c.kernels.Lanes) <= fewFilters*q.outSize[2] && (q.y.strides[5] == 1 || q.outSize[2] == 1)
}

func convolveWeightByProducts[T scalar.Number](c *correlation) {
	q := c.q
	u := &weightProducts{correlation: c}
	u.layout = c.layOut(q.c, productPixels, c.fits() && (c.axes[2].advance*q.x.strides[5] == 1 || q.outSize[2] == 1))
	u.units = q.n * u.bands
	u.sub = c.subconvolutions(u.layout, q.c, 0)[0]
	u.parts = min(u.units, strided.CeilDiv(gradientTasks, q.g))
	group := q.m * q.depth
	space := memory.TakeScratch(u.parts * q.g * group * c.kernels.Size)
	u.sums = space.At(0)
	all := memory.Slice[T](u.sums, u.parts*q.g*group)
	tasks := u.parts * q.g
	workers.ForRanges(tasks, c.cost()/float64(tasks), func(from, to int) {
		for task := from; task < to; task++ {
			g, part := task%q.g, task/q.g
			sums := all[task*group:][:group]
			clear(sums)
			addProducts(u, sums, g, u.units*part/u.parts, u.units*(part+1)/u.parts)
		}
	})
	for part := 1; part < u.parts; part++ {
		matmul.Axpy(all[:q.g*group], all[part*q.g*group:][:q.g*group], 1)
	}
	storeProducts(u, all)
	space.Recycle()
}

// addProducts adds the units [from, to) to the sums of a group.
func addProducts[T scalar.Number](u *weightProducts, sums []T, g, from, to int) {
	q, size := u.q, u.kernels.Size
	planes := 0
	if !u.inPlace {
		planes = u.size
	}
	space := memory.TakeScratch(planes * size)
	base := space.At(0)
	clear(memory.Slice[T](base, planes))
	f := u.fillingOf(u.correlation, from%u.bands)
	for unit := from; unit < to; unit++ {
		band, n := unit%u.bands, unit/u.bands
		if u.inPlace {
			base = u.base(u.correlation, n, g, 0, band)
		} else {
			f.change(band)
			fillPlanes(f, memory.Slice[T](base, planes), n, g, 0, q.c)
		}
		counts := q.outSize
		counts[u.band] = u.rowsOf(u.correlation, band)
		y := unsafe.Add(q.y.at(n, g, 0), band*u.height*q.y.strides[3+u.band]*size)
		for i := range counts[0] {
			for m := range q.m {
				a := unsafe.Add(y, (m*q.y.strides[2]+i*q.y.strides[3])*size)
				x := unsafe.Add(base, i*u.pixelStride[0]*size)
				u.kernels.Products(counts[1], counts[2], a, q.y.strides[4], x, u.pixelStride[1], u.sub.offset, unsafe.Pointer(&sums[m*q.depth]))
			}
		}
	}
	space.Recycle()
}

// storeProducts copies the sums, which are contiguous, to the weight.
func storeProducts[T scalar.Number](u *weightProducts, sums []T) {
	w := &u.q.w
	for i := range u.q.g * u.q.m * u.q.c {
		base := (*T)(w.at(i/u.q.c/u.q.m, i/u.q.c%u.q.m, i%u.q.c))
		for k, v := range sums[i*u.q.taps:][:u.q.taps] {
			*memory.Advance(base, w.offset(k)) = v
		}
	}
}
