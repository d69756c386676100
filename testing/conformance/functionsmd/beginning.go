package main

// beginning is the beginning of the comment of package ops; the package's Example runs its code.
const beginning = `// Package ops holds the functions of ndgrad on arrays, one chapter per file. The most common calls:
//
//	x := nd.FromRows([][]float64{{1, 2, 3}, {4, 5, 6}})
//	y := ops.Multiply(ops.Add(x, 1), ops.Exp(ops.Negative(x)))  // (x + 1)·exp(-x): a function for every operator
//	z := ops.Where(ops.Greater(x, 2), x, 0)          // a mask is an array of bools
//	m := ops.Mean(x, ops.Over(1).KeepDims())                          // along axis 1; ops.Mean(x) of all elements
//	ops.Subtract(x, m, ops.Into(x))                      // x -= m
//	p := ops.Softmax(ops.MatMul(x, x.T()))                            // along the last axis by default; else ops.Over(0)
//	best := ops.ArgMax(p, ops.Over(1))                                // int64
//	all := ops.Concatenate([]*nd.Array{y, z}, ops.Over(0))            // along axis 0
//	some := ops.Take(all, best, ops.Over(0))                          // rows by their indices
//
// In short:
//
//   - Functions never change their arguments, except Out. Results are new arrays; functions that only rearrange (Split, FlipLR)
//     return views.
//   - Shapes broadcast, and dtypes promote as in NumPy 2. A number as an operand is nd.Scalar(2.5), which takes the array's dtype;
//     some functions have a short form, ops.Multiply(x, 2.5).
//   - A call may end with options: a struct whose zero value means the defaults (fields that are pointers are written new(0.9)),
//     or axes alone, [Over](1). Elementwise functions take [UfuncOptions] (Out, Where, DType), reductions [ReduceOptions].
//   - Every function has gradients of any order, if it is differentiable. They need a tape of nd/grad; the calls stay the same.
//     [MustKernel] compiles a formula to a function of your own, fused and differentiable.
//   - Shapes and dtypes that do not fit panic with an *nd.Error before anything is written; nd.Catch returns it as an error.
//   - Random numbers take a stream: [Dropout](x, 0.5, nd.NewRand(1)).
//   - docs/numpy.md, docs/torch.md and docs/functions.md map the names of other systems to the functions here.
//
`
