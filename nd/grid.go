package nd

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

var (
	eyes = device.Programs{Source: device.Source{Name: "eye", Scalars: "int64 columns, int64 k", Outputs: "T y",
		Body: "y = T(i % columns - i / columns == k)"}}
	tris = device.Programs{Source: device.Source{Name: "tri", Scalars: "int64 columns, int64 k", Outputs: "T y",
		Body: "y = T(i % columns - i / columns <= k)"}}
	crammed = device.Programs{Source: device.Source{Name: "linspace", Scalars: "T first, T length, T last, int64 end, T parts", Outputs: "T y",
		Body: "y = i == end ? last : T(i)/parts*length + first"}}
	spaced = device.Programs{Source: device.Source{Name: "linspace", Scalars: "T first, T step, T last, int64 end", Outputs: "T y",
		Body: "y = i == end ? last : T(i)*step + first"}}
	wide = device.Programs{Source: device.Source{Name: "linspace", Scalars: "T first, T step, T last, int64 end", Outputs: "T y",
		Body: "y = i == end ? last : 2 * (T(i)*step + first)"}}
	powers = device.Programs{Source: device.Source{Name: "logspace", Scalars: "T base", Inputs: "T x", Outputs: "T y",
		Body: "y = pow(base, x)"}}
	geometric = device.Programs{Source: device.Source{Name: "geomspace", Scalars: "T unit, T first, T last, int64 end",
		Inputs: "T x", Outputs: "T y", Body: "y = i == 0 ? first : i == end ? last : unit * pow(T(10), x)"}}
	floors = device.Programs{Source: device.Source{Name: "floor", Inputs: "T x", Outputs: "T y", Body: "y = floor(x)"}}
)

// Eye returns a matrix with ones on diagonal k: 0 is the main diagonal, positive numbers are to its right.
// NumPy: eye.
func Eye(rows, columns, k int, opts ...ArrayOption) *Array {
	return diagonalPattern("nd.Eye", &eyes, rows, columns, k, opts)
}

// Identity returns the square matrix with ones on its diagonal.
// NumPy: identity.
func Identity(n int, opts ...ArrayOption) *Array {
	return diagonalPattern("nd.Identity", &eyes, n, n, 0, opts)
}

// Tri returns a matrix with ones on diagonal k and below it.
// NumPy: tri.
func Tri(rows, columns, k int, opts ...ArrayOption) *Array {
	return diagonalPattern("nd.Tri", &tris, rows, columns, k, opts)
}

func diagonalPattern(fn Func, pattern *device.Programs, rows, columns, k int, opts []ArrayOption) *Array {
	dt, dev := fn.ArrayOptions(opts).or(dtype.Float64, cpu)
	y := allocate(fn, dev, dt, []int{rows, columns})
	l := fn.Launch(dev, y.shape)
	l.Program = pattern.Of(dtype.ComputeType(dt))
	l.Scalars[0], l.Scalars[1] = device.Scalar{Int: int64(columns)}, device.Scalar{Int: int64(k)}
	l.Write(y)
	l.Run(device.Device.Elementwise)
	return y
}

// SpaceOptions are the options of Linspace, Logspace and Geomspace.
type SpaceOptions struct {
	// Endpoint says whether stop is the last number; nil means true.
	Endpoint *bool
	// DType is the dtype of the result; the default is float64. Integer dtypes round down, those of Geomspace towards
	// 0; they refuse an end that is infinite or NaN.
	DType dtype.DType
	// Device is the device of the result; the default is the CPU.
	Device device.Device
}

// SpaceOption is a [SpaceOptions], or its settings alone: a dtype, a device, or both.
type SpaceOption interface{ ArrayOption }

// ArrayOption marks the struct as an option.
func (SpaceOptions) ArrayOption() {}

func spaceOf(dt dtype.DType, o SpaceOptions) SpaceOptions    { o.DType = dt; return o }
func spaceOn(dev device.Device, o SpaceOptions) SpaceOptions { o.Device = dev; return o }

// Linspace returns n evenly spaced numbers from start to stop. ops.Linspace accepts arrays and complex numbers.
// NumPy: linspace.
func Linspace(start, stop float64, n int, opts ...SpaceOption) *Array {
	const fn Func = "nd.Linspace"
	stored := options.OfTwo(fn, opts, spaceOf, spaceOn).DType
	if !stored.IsFloat() {
		stored = dtype.Float64
	}
	y, o := space(fn, start, stop, n, stored, opts)
	return y.spaceType(fn, o)
}

// Logspace returns n powers of base, whose exponents are evenly spaced from start to stop. ops.Logspace accepts arrays
// and complex numbers.
// NumPy: logspace.
func Logspace(start, stop float64, n int, base float64, opts ...SpaceOption) *Array {
	const fn Func = "nd.Logspace"
	x, o := space(fn, start, stop, n, dtype.Float64, opts)
	y := replaceHeader(x, x.mapped(fn, &powers, device.Scalar{Re: base}))
	return y.spaceType(fn, o)
}

// Geomspace returns n numbers from start to stop, each a constant multiple of the one before. start and stop have one
// sign and are not 0. ops.Geomspace accepts arrays and complex numbers.
// NumPy: geomspace.
func Geomspace(start, stop float64, n int, opts ...SpaceOption) *Array {
	const fn Func = "nd.Geomspace"
	sign := math.Copysign(1, start)
	if !(start*sign > 0 && stop*sign > 0) {
		panic(fn.Errorf(nil, "from %v to %v: want two numbers of one sign", start, stop))
	}
	x, o := space(fn, math.Log10(start*sign), math.Log10(stop*sign), n, dtype.Float64, opts)
	end := -1 // stop is not among the numbers
	if o.Endpoint == nil || *o.Endpoint {
		end = n - 1
	}
	number := func(v float64) device.Scalar { return device.Scalar{Re: v} }
	y := replaceHeader(x, x.mapped(fn, &geometric, number(sign), number(start), number(stop), device.Scalar{Int: int64(end)}))
	if o.DType.Valid() {
		return replaceHeader(y, y.AsType(o.DType))
	}
	return y
}

// SpaceStep returns the distance between the numbers of Linspace, or NaN if there is no step between them.
func SpaceStep(start, stop float64, n int, opts ...SpaceOption) float64 {
	const fn Func = "nd.SpaceStep"
	o := options.OfTwo(fn, opts, spaceOf, spaceOn)
	if parts := float64(o.parts(n)); parts > 0 {
		if step := (stop - start) / parts; !math.IsInf(step, 0) || math.IsInf(start, 0) || math.IsInf(stop, 0) {
			return step
		}
		return 2 * ((stop/2 - start/2) / parts) // the difference leaves the range
	}
	return math.NaN()
}

// parts returns the number of steps from start to stop.
func (o SpaceOptions) parts(n int) int {
	if o.Endpoint != nil && !*o.Endpoint {
		return n
	}
	return max(n, 0) - 1
}

// space computes in float64, as NumPy does, and stores floats of any dtype.
func space(fn Func, start, stop float64, n int, stored dtype.DType, opts []SpaceOption) (*Array, SpaceOptions) {
	o := options.OfTwo(fn, opts, spaceOf, spaceOn)
	if n < 0 {
		panic(fn.Errorf(nil, "%d numbers: want at least 0", n))
	}
	if finite := math.Abs(start) <= math.MaxFloat64 && math.Abs(stop) <= math.MaxFloat64; o.DType.IsInteger() && !finite {
		panic(fn.Errorf(nil, "an end is infinite or NaN: want finite ends for %s", o.DType))
	}
	_, dev := ArrayOptions{Device: o.Device}.or(dtype.Float64, cpu)
	y := allocate(fn, dev, stored, []int{n})
	step, end := SpaceStep(start, stop, n, o), n-1
	if o.Endpoint != nil && !*o.Endpoint || n == 1 {
		end = -1
	}
	if math.IsNaN(step) {
		step = 0
	}
	l := fn.Launch(dev, y.shape)
	l.Program = spaced.Of(dtype.Float64)
	l.Scalars[0], l.Scalars[1], l.Scalars[2] = device.Scalar{Re: start}, device.Scalar{Re: step}, device.Scalar{Re: stop}
	l.Scalars[3] = device.Scalar{Int: int64(end)}
	if parts := o.parts(n); step == 0 && start != stop && parts > 0 { // the step underflows to 0, but its multiples may not
		l.Program = crammed.Of(dtype.Float64)
		l.Scalars[1], l.Scalars[4] = device.Scalar{Re: stop - start}, device.Scalar{Re: float64(parts)}
	}
	if length := stop - start; math.IsInf(length, 0) && !math.IsInf(start, 0) && !math.IsInf(stop, 0) {
		l.Program = wide.Of(dtype.Float64)
		l.Scalars[0], l.Scalars[1] = device.Scalar{Re: start / 2}, device.Scalar{Re: SpaceStep(start/2, stop/2, n, o)}
	}
	l.Write(y)
	l.Run(device.Device.Elementwise)
	return y, o
}

// mapped returns an unrecorded function of x in x's dtype.
func (x *Array) mapped(fn Func, p *device.Programs, scalars ...device.Scalar) *Array {
	y := fn.NewLike(x.dtype, x.shape, x)
	l := fn.Launch(x.store.dev, x.shape)
	l.Program = p.Of(dtype.ComputeType(x.dtype))
	copy(l.Scalars[:], scalars)
	l.Write(y)
	l.Read(x)
	l.Run(device.Device.Elementwise)
	return y
}

func (x *Array) spaceType(fn Func, o SpaceOptions) *Array {
	if !o.DType.Valid() || o.DType == x.dtype {
		return x
	}
	if o.DType.IsInteger() {
		x = replaceHeader(x, x.mapped(fn, &floors))
	}
	return replaceHeader(x, x.AsType(o.DType))
}

// Indexing says along which axes the arrays of Meshgrid vary.
type Indexing string

const (
	IndexingXY Indexing = "xy" // the first array along axis 1, the second along axis 0
	IndexingIJ Indexing = "ij" // array k along axis k
)

// MeshgridOptions are the options of Meshgrid.
type MeshgridOptions struct {
	// Indexing says along which axes the arrays vary; the default is IndexingXY.
	Indexing Indexing
	// Sparse gives every result length 1 along the axes of the other arrays.
	Sparse bool
}

// Meshgrid expands coordinate vectors to arrays of the grid that they span. The results are views, without copies. With
// IndexingIJ they are NumPy's np.mgrid of ranges, and with Sparse also np.ogrid: the vectors are made by [Arange],
// [ArangeInt] and, for ranges with a number of points, [Linspace].
// NumPy: meshgrid, mgrid, ogrid.
func Meshgrid(xs []*Array, opts ...MeshgridOptions) []*Array {
	const fn Func = "nd.Meshgrid"
	o := options.Read(fn, opts)
	if o.Indexing != "" && o.Indexing != IndexingXY && o.Indexing != IndexingIJ {
		panic(fn.Errorf(xs, "indexing %q: want xy or ij", o.Indexing))
	}
	fn.Check(xs...)
	shape := make([]int, len(xs))
	axes := broadcast.AllAxes(len(xs))
	if o.Indexing != IndexingIJ && len(xs) > 1 {
		axes[0], axes[1] = 1, 0
	}
	for k, x := range xs {
		if x.Rank() > 1 {
			panic(fn.Errorf(xs, "array %d has %d axes: want one", k, x.Rank()))
		}
		shape[axes[k]] = x.Size()
	}
	ys := make([]*Array, len(xs))
	for k, x := range xs {
		flat := make([]int, len(xs))
		for j := range flat {
			flat[j] = 1
		}
		flat[axes[k]] = x.Size()
		if ys[k] = x.Reshape(flat...); !o.Sparse {
			ys[k] = replaceHeader(ys[k], ys[k].BroadcastTo(shape...))
		}
	}
	return ys
}

// Ix makes arrays of indices that together select a grid, from one vector for each axis: array k has its vector along axis
// k, and length 1 along the other axes. With r := Ix(rows, columns), x.Index(Pick(r[0]), Pick(r[1])) has the elements of x
// at all pairs of a row and a column. A vector of bools stands for the indices at which it is true; then Ix waits for the
// device. The others are views.
// NumPy: ix_.
func Ix(xs ...*Array) []*Array {
	const fn Func = "nd.Ix"
	fn.Check(xs...)
	for k, x := range xs {
		if x.Rank() != 1 {
			panic(fn.Errorf(xs, "array %d has %d axes: want one", k, x.Rank()))
		}
	}
	ys := make([]*Array, len(xs))
	for k, x := range xs {
		shape := broadcast.Ones(len(xs))
		if !x.dtype.IsBool() {
			shape[k] = x.Size()
			ys[k] = x.Reshape(shape...)
			continue
		}
		found := fn.Nonzero(x)[0]
		shape[k] = found.Size()
		ys[k] = replaceHeader(found, found.Reshape(shape...))
	}
	return ys
}

// IndicesOptions are the options of Indices.
type IndicesOptions struct {
	// Sparse gives every result length 1 along the other axes.
	Sparse bool
	// DType is the dtype of the results; the default is int64.
	DType dtype.DType
	// Device is the device of the results; the default is the CPU.
	Device device.Device
}

// IndicesOption is an [IndicesOptions], or its settings alone: a dtype, a device, or both.
type IndicesOption interface{ ArrayOption }

// ArrayOption marks the struct as an option.
func (IndicesOptions) ArrayOption() {}

func indicesOf(dt dtype.DType, o IndicesOptions) IndicesOptions    { o.DType = dt; return o }
func indicesOn(dev device.Device, o IndicesOptions) IndicesOptions { o.Device = dev; return o }

// Indices returns one view (int64) per axis, which holds each element's index along that axis.
// NumPy: indices.
func Indices(shape []int, opts ...IndicesOption) []*Array {
	const fn Func = "nd.Indices"
	o := options.OfTwo(fn, opts, indicesOf, indicesOn)
	dt, dev := ArrayOptions{DType: o.DType, Device: o.Device}.or(dtype.Int64, cpu)
	if err := broadcast.CheckShape(shape); err != nil {
		panic(fn.Errorf(nil, "%v", err))
	}
	all := make([]*Array, len(shape))
	for k, n := range shape {
		all[k] = ArangeInt(0, n, 1, ArrayOptions{DType: dt, Device: dev})
	}
	views := Meshgrid(all, MeshgridOptions{Indexing: IndexingIJ, Sparse: o.Sparse})
	for _, x := range all {
		x.Release() // the views hold the memory now
	}
	return views
}

// FromFunction returns f applied to the indices of all elements of a shape. f gets one array per axis, as [Indices]
// returns them, but float64 unless the options say otherwise. f is called once, with whole arrays.
// NumPy: fromfunction.
func FromFunction(shape []int, f func(at []*Array) *Array, opts ...ArrayOption) *Array {
	const fn Func = "nd.FromFunction"
	dt, dev := fn.ArrayOptions(opts).or(dtype.Float64, cpu)
	if err := broadcast.CheckShape(shape); err != nil {
		panic(fn.Errorf(nil, "%v", err))
	}
	at := Indices(shape, IndicesOptions{DType: dt, Device: dev})
	y := f(at)
	for _, x := range at {
		replaceHeader(x, y)
	}
	return y
}
