package main

// beginning is what the comment of package ops begins with; the Example of the package runs its code.
const beginning = `// Package ops holds the functions of ndgrad on arrays, one chapter a file. What the first hour needs:
//
//	x := nd.FromRows([][]float64{{1, 2, 3}, {4, 5, 6}})
//	y := ops.Multiply(ops.AddScalar(x, 1), ops.Exp(ops.Negative(x)))  // (x + 1)·exp(-x): a function for every operator
//	z := ops.Where(ops.GreaterScalar(x, 2), x, nd.Scalar(0))          // a mask is an array of bools
//	m := ops.Mean(x, ops.Over(1).KeepDims())                          // along axis 1; ops.Mean(x) of all elements
//	ops.Subtract(x, m, ops.UfuncOptions{Out: x})                      // x -= m
//	p := ops.Softmax(ops.MatMul(x, x.T()))                            // along the last axis, unless given: ops.Over(0)
//	best := ops.ArgMax(p, ops.Over(1))                                // int64
//	all := ops.Concatenate([]*nd.Array{y, z}, ops.Over(0))            // the result's axis 0 is longer
//	some := ops.Take(all, best, ops.Over(0))                          // rows by their numbers
//
// In short:
//
//   - Arguments are never changed, but for Out. Results are new arrays, of functions that only rearrange (Split, FlipLR) views.
//   - Shapes broadcast, dtypes promote as in NumPy 2: a number beside an array is nd.Scalar(2.5), which takes the array's dtype, or
//     a short form, ops.MulScalar(x, 2.5).
//   - A call may end with options: a struct whose zero value means the defaults (fields that are pointers are written new(0.9)),
//     or axes alone, [Over](1). Elementwise functions take [UfuncOptions] (Out, Where, DType), reductions [ReduceOptions].
//   - Every function whose mathematics allows it has a gradient of any order: under a tape of nd/grad nothing else changes.
//     [MustKernel] makes a function of your own from a formula, fused and differentiable.
//   - Shapes and dtypes that do not fit panic with an *nd.Error before anything is written; nd.Catch makes an error of it.
//   - Random numbers take a stream: [Dropout](x, 0.5, nd.NewRand(1)).
//   - docs/numpy.md, docs/torch.md and docs/functions.md say what the names of other systems are here.
//
`
