package bench

import (
	"math/rand/v2"
	"regexp"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// Case is one operation or program to time.
type Case struct {
	// Name is group/name/shape/dtype, the same for every library.
	Name string
	// Setup makes the operands and returns the call to time. The call returns its result, or nil if it has none. The
	// result is released, as by Python's reference count.
	Setup func() func() *nd.Array
	// Per is the number of operations in one call; times are per operation.
	Per int
	// Returns says that a call returns a new array. A program that drops the array leaves it to the GC.
	Returns bool
	// Flops and Bytes are the work and the minimum memory traffic of one call; 0 means unknown.
	Flops, Bytes float64
}

// Uncounted matches the cases that are shown but not counted: NumPy's products of integers are simple loops, files are the
// system's work, and NumPy's zeros of 64 MB are untouched pages. The family linalg is in older tables: it used gonum.
var Uncounted = regexp.MustCompile(`^(linalg|matmul_int|files)/|^alloc/zeros/1\.6e7/`)

// withoutResult matches the cases that return nothing: they write to existing arrays, or keep their results.
var withoutResult = regexp.MustCompile(`^(ew_out|bcast_out|e2e|update|natural|chain)/|_fwdbwd|^index/(scatter_add|index_add_rows)/|^beyond/embedding_backward/|^layout/(transpose_copy|nchw_to_nhwc|copy)/|` +
	`^dispatch/(add10_out|add10_record_grad|getitem)/|^files/.*_write/`)

// Quick matches a representative subset that runs in 40 seconds.
var Quick = regexp.MustCompile(`^(matmul/(square/(32|256|1024)/f32|matvec|batched)|ew/(add|exp|gelu|tanh)/1e[36]/f32|ew_out/add/1\.6e7/f32|` +
	`bcast/add_transposed/1000|red/(sum_all/1e6|sum_axis0|argmax_axis1|var|cumsum/1e6)|nn/(softmax/4096|layer_norm/|attention|dropout)|` +
	`conv2d/(k3_64_fwd|dw3_128_fwd)|pool/max3s2_fwd/|rnn/lstm_fwd/|index/(embedding|boolmask|one_hot)|sort/(sort|topk10)|layout/(transpose|cast)|` +
	`random/normal|dispatch/(add10/|sum10|chain1000_mul)|e2e/(lenet5|tiny|mlp)|natural/life)`)

// Cases returns all cases, in the order of the tables.
func Cases() []Case {
	var all []Case
	for _, group := range [][]Case{matrixProducts(), elementwise(), broadcasting(), reductions(), networks(), convolutions(), resampling(), regions(),
		recurrent(), indexing(), sorting(), layout(), randomNumbers(), equations(), spectra(), transforms(), beyond(), dispatch(), training(), optimizers(), natural(), files()} {
		all = append(all, group...)
	}
	for i := range all {
		all[i].Per = max(all[i].Per, 1)
		all[i].Returns = !withoutResult.MatchString(all[i].Name)
	}
	return all
}

// target is the device of new arrays; nil is the CPU.
var target device.Device

// On sets the device of the arrays of the cases that Cases returns from now on; nil is the CPU.
func On(dev device.Device) { target = dev }

// Wait waits until the device has done all queued work; a time includes this wait.
func Wait() error {
	if target == nil {
		return nil
	}
	return target.Synchronize()
}

// onBenchDevice returns x on the device of new arrays.
func onBenchDevice(x *nd.Array) *nd.Array {
	if target == nil {
		return x
	}
	return x.To(target)
}

// arrayOptions returns a new array's dtype and device.
func arrayOptions(dt dtype.DType) nd.ArrayOptions { return nd.ArrayOptions{DType: dt, Device: target} }

// newScope returns a scope whose parameters are on the device of new arrays.
func newScope(rng *nd.Rand) *nn.Scope { return nn.NewScope(nn.ScopeOptions{Rand: rng, Device: target}) }

// numbers generates the operands; every run has the same ones.
var numbers = rand.New(rand.NewPCG(0, 0))

// floats returns an array of uniform numbers in [low, high). Its memory is the library's own, as that of the peers' arrays is
// theirs, and has not been used for something else before: then its pages would be those that the Go heap has.
func floats(dt dtype.DType, low, high float64, shape ...int) *nd.Array {
	n := 1
	for _, d := range shape {
		n *= d
	}
	if dt == dtype.Float64 {
		x := room(&doubles, n)
		for i := range x {
			x[i] = low + (high-low)*float64(numbers.Float32())
		}
		return onBenchDevice(nd.FromSlice(x, shape...))
	}
	x := room(&singles, n)
	for i := range x {
		x[i] = float32(low) + float32(high-low)*numbers.Float32()
	}
	return onBenchDevice(nd.FromSlice(x, shape...))
}

// singles and doubles are room for the numbers of an operand.
var (
	singles []float32
	doubles []float64
)

// room returns n elements of a slice, which grows if it must.
func room[T any](slice *[]T, n int) []T {
	if len(*slice) < n {
		*slice = make([]T, max(n, 1<<24))
	}
	return (*slice)[:n]
}

// f32 returns an array of float32 in [-1, 1).
func f32(shape ...int) *nd.Array { return floats(dtype.Float32, -1, 1, shape...) }

// integers returns an array of int64 in [0, limit).
func integers(limit int, shape ...int) *nd.Array {
	n := 1
	for _, d := range shape {
		n *= d
	}
	x := make([]int64, n)
	for i := range x {
		x[i] = numbers.Int64N(int64(limit))
	}
	return onBenchDevice(nd.FromSlice(x, shape...))
}

// bools returns an array of as many true as false values.
func bools(n int) *nd.Array {
	x := make([]bool, n)
	for i := range x {
		x[i] = numbers.Uint32()&1 == 0
	}
	return onBenchDevice(nd.FromSlice(x, n))
}
