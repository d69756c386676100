// Package ops holds the functions of ndgrad on arrays. The most common calls:
//
//	x := nd.FromRows([][]float64{{1, 2, 3}, {4, 5, 6}})
//	y := ops.Multiply(ops.Add(x, 1), ops.Exp(ops.Negative(x))) // (x + 1)·exp(-x): every operator is a function
//	z := ops.Where(ops.Greater(x, 2), x, 0)                    // a mask is an array of bools
//	m := ops.Mean(x, ops.Over(1).KeepDims())                   // along axis 1; ops.Mean(x) is the mean of all elements
//	ops.Subtract(x, m, ops.Into(x))                            // x -= m
//	p := ops.Softmax(ops.MatMul(x, x.T()))                     // along the last axis by default; else ops.Over(0)
//	best := ops.ArgMax(p, ops.Over(1))                         // int64
//	all := ops.Concatenate([]*nd.Array{y, z}, ops.Over(0))     // along axis 0
//	some := ops.Take(all, best, ops.Over(0))                   // rows by their indices
//
// In short:
//
//   - Functions never change their arguments, except the array in [Into]. Results are new arrays; functions that only rearrange
//     (Split, FlipLR) return views.
//   - Shapes broadcast, and dtypes promote as in NumPy 2. A Go number may be an operand: it takes the array's dtype, and a number
//     that this dtype does not hold is refused.
//   - A call may end with options: one struct, whose zero value means the defaults (pointer fields are written new(0.9)), or
//     settings by themselves, such as [Over](1) and [Into](y), which combine. Elementwise functions take [UfuncOptions] (Out, Where,
//     DType), reductions [ReduceOptions].
//   - Every differentiable function has gradients of any order, under a tape of nd/grad; the calls stay the same. [MustKernel]
//     compiles a formula to a function of your own, fused and differentiable.
//   - Shapes and dtypes that do not fit panic with an *nd.Error before anything is written; nd.Catch returns it as an error.
//   - Random numbers take a stream: [Dropout](x, 0.5, nd.NewRand(1)).
//
// docs/ops.md lists the functions by topic. docs/numpy.md, docs/torch.md and docs/functions.md map the names of other systems to
// the functions here.
//
// The packages below hold families of functions:
//
//   - loss, conv, normalize, image: the functions of neural networks that are not here
//   - linalg, fft, poly, window, sparse: numerical mathematics
//   - random: random arrays from a stream
//   - sequence, quantize: recurrent networks and CTC; networks of few bits
package ops
