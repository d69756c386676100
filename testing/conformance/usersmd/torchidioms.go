package main

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nd/ops/sparse"
)

// torchIdioms are names without a function of their own, each with the expression that replaces it. A test runs them.
var torchIdioms = []phrase{
	// Arrays.
	{"torch.is_nonzero", func() any { return nd.Value[bool](ops.Any(x)) }, ""},
	{"torch.is_complex", func() any { return x.DType().IsComplex() }, ""},
	{"torch.is_floating_point", func() any { return x.DType().IsFloat() }, ""},
	{"torch.is_signed", func() any { return !x.DType().IsUnsigned() }, ""},
	{"torch.is_same_size", func() any { return slices.Equal(x.Shape(), y.Shape()) }, ""},
	{"torch.typename", func() any { return x.DType().String() }, ""},
	{"torch.is_grad_enabled torch.is_inference_mode_enabled torch.is_inference", func() any {
		node, _ := x.Node()
		return node != nil
	}, "whether a tape knows x"},
	{"torch.rand_like", func() any { return random.Uniform(rng, 0, 1, x.Shape()) }, ""},
	{"torch.randn_like", func() any { return random.Normal(rng, 0, 1, x.Shape()) }, ""},
	{"torch.randint_like", func() any { return random.Integers(rng, 0, 10, x.Shape()) }, ""},
	{"torch.complex", func() any { return ops.Add(a, ops.Multiply(b, 1i)) }, "from the real and the imaginary part"},
	{"torch.polar", func() any {
		return ops.Multiply(a, ops.Add(ops.Cos(b), ops.Multiply(ops.Sin(b), 1i)))
	}, "from the absolute value and the angle"},
	{"torch.view_as_complex", func() any { return x.View(dtype.Complex128) }, "each two elements of the last axis become one: (3, 4) becomes (3, 2)"},
	{"torch.view_as_real", func() any { return ops.Stack([]*nd.Array{ops.Real(z), ops.Imag(z)}, ops.Over(-1)) }, "or `x.View(dtype.Float64)`, whose last axis is twice as long"},
	{"torch.resolve_conj torch.resolve_neg", func() any { return ops.Positive(x) }, "arrays are never lazy"},
	{"torch.from_file", func() any {
		rows, err := nd.OpenNpyRows(path + "x.npy")
		return []any{rows, err}
	}, "reads rows of a file that is larger than memory; the file is not memory-mapped"},
	{"torch.sparse_coo_tensor", func() any { return sparse.NewCOO(nd.FromSlice([]float64{1, 2}), i, i, 3, 3) }, "package `nd/ops/sparse` has sparse matrices"},
	{"torch.int_repr", func() any { return quantize.Symmetric(x).Values }, ""},
	{"torch.quantize_per_tensor_dynamic", func() any { return quantize.Symmetric(x) }, "symmetric quantisation"},
	{"torch.zero_", func() any { nd.Fill(x, 0); return nil }, ""},

	// Shapes and indexing.
	{"torch.t torch.adjoint", func() any { return x.SwapAxes(-1, -2) }, "`ops.Conj` of it for the adjoint"},
	{"torch.flatten", func() any { return x.Reshape(-1) }, "`x.Flatten()` copies"},
	{"torch.unflatten", func() any { return x.Reshape(3, 2, 2) }, "give the whole shape"},
	{"torch.index_fill torch.masked_fill", func() any { return ops.Where(mask, 0, x) }, "or `x.With(v, nd.Pick(mask))`"},
	{"torch.index_put torch.index_copy torch.masked_scatter torch.select_scatter torch.slice_scatter torch.index_put_ torch.slice_inverse", func() any {
		return x.With(v, nd.At(1))
	}, "takes any index; differentiable with respect to x and v. accumulate=True is `ops.AddAt`; in place: `x.Assign`"},
	{"torch.block_diag", func() any {
		return ops.Add(linalg.Kron(nd.FromRows([][]float64{{1, 0}, {0, 0}}), a), linalg.Kron(nd.FromRows([][]float64{{0, 0}, {0, 1}}), b))
	}, "for two matrices of the same shape"},
	{"torch.cartesian_prod", func() any { return nd.Meshgrid([]*nd.Array{y, v}, nd.MeshgridOptions{Indexing: nd.IndexingIJ}) }, "one array per axis; torch's result is `ops.Stack` of their Ravel"},
	{"torch.msort", func() any { return ops.Sort(x, ops.Over(0)) }, ""},
	{"torch.kthvalue", func() any { return ops.Partition(x, []int{1}, ops.Over(1)).Index(nd.All(), nd.At(1)) }, "k counts from 0"},
	{"torch.embedding torch.nn.functional.embedding", func() any { return ops.Take(x, i, ops.Over(0)) }, "the weights come first; no padding_idx or max_norm"},
	{"torch.nonzero_static", func() any { return ops.ArgWhere(x) }, "the length depends on the values"},

	// Elementwise.
	{"torch.frac", func() any { return ops.Subtract(x, ops.Trunc(x)) }, ""},
	{"torch.lerp", func() any { return ops.LinearInterpolate(nd.Scalar(0.25), b, a) }, "p·x + (1-p)·y"},
	{"torch.addcdiv", func() any { return ops.Add(x, ops.Divide(x, y)) }, ""},
	{"torch.addcmul", func() any { return ops.Add(x, ops.Multiply(x, y)) }, ""},
	{"torch.clamp_min", func() any { return ops.Maximum(3, x) }, "no gradient at a tie, as in torch"},
	{"torch.clamp_max", func() any { return ops.Minimum(3, x) }, "no gradient at a tie, as in torch"},
	{"torch.rsub", func() any { return ops.Subtract(1, x) }, "or Subtract with the operands swapped"},
	{"torch.aminmax", func() any { return []any{ops.Min(x), ops.Max(x)} }, ""},
	{"torch.std_mean", func() any { return []any{ops.Std(x, ops.VarOptions{DDof: 1}), ops.Mean(x)} }, ""},
	{"torch.var_mean", func() any { return []any{ops.Var(x, ops.VarOptions{DDof: 1}), ops.Mean(x)} }, ""},

	// Matrices.
	{"torch.addmm torch.addmv torch.baddbmm", func() any { return ops.Add(a, ops.MatMul(a, b)) }, "multiply by beta and alpha yourself; `ops.Affine` is x·w + bias"},
	{"torch.addbmm", func() any { return ops.Add(a, ops.Sum(ops.MatMul(a.ExpandDims(0), b), ops.Over(0))) }, ""},
	{"torch.addr", func() any { return ops.Add(a, ops.Outer(mean, mean)) }, ""},
	{"torch.ger", func() any { return ops.Outer(y, v) }, ""},
	{"torch.logdet", func() any {
		_, logarithm := linalg.SlogDet(a)
		return logarithm
	}, "of the absolute value of the determinant"},
	{"torch.linalg.polar", func() any {
		u, _, vt := linalg.SVD(a)
		return ops.MatMul(u, vt)
	}, "the unitary factor"},
	{"torch.linalg.matrix_sqrth", func() any {
		w, q := linalg.Eigh(cov)
		return ops.MatMul(ops.Multiply(q, ops.Sqrt(w)), q.T())
	}, ""},
	{"torch.norm_except_dim", func() any { return linalg.Norm(x, ops.Over(1).KeepDims()) }, ""},
	{"torch.renorm", func() any {
		n := ops.Sqrt(ops.Sum(ops.Square(x), ops.Over(1).KeepDims()))
		return ops.Divide(x, ops.Maximum(1, n))
	}, "limits the norm of each row to 1"},

	// torch.nn.functional.
	{"torch.celu torch.nn.functional.celu", func() any { return ops.Multiply(ops.ELU(ops.Multiply(x, 1/alpha)), alpha) }, "`ops.CELU` is a different function, from NNabla: it concatenates both halves"},
	{"torch.nn.functional.hardsigmoid", func() any { return ops.Multiply(ops.ReLU6(ops.Add(x, 3)), 1.0/6) }, "`ops.HardSigmoid` has a different slope: 0.2x + 0.5"},
	{"torch.threshold torch.nn.functional.threshold", func() any { return ops.Where(ops.Greater(x, 3), x, 0) }, ""},
	{"torch.nn.functional.softmin", func() any { return ops.Softmax(ops.Negative(x)) }, ""},
	{"torch.nn.functional.gumbel_softmax", func() any { return ops.Softmax(ops.Add(x, random.Gumbel(rng, 0, 1, x.Shape()))) }, "divide by tau before the softmax"},
	{"torch.nn.functional.smooth_l1_loss", func() any { return ops.Multiply(loss.HuberLoss(a, b), 0.5) }, "divided by beta, which is Delta"},
	{"torch.nn.functional.soft_margin_loss", func() any { return ops.Softplus(ops.Negative(ops.Multiply(a, b))) }, "b is ±1"},
	{"torch.margin_ranking_loss torch.nn.functional.margin_ranking_loss", func() any { return ops.ReLU(ops.Multiply(y, ops.Subtract(v, y))) }, "add the margin inside ReLU"},
	{"torch.triplet_margin_loss torch.nn.functional.triplet_margin_loss torch.nn.functional.triplet_margin_with_distance_loss", func() any {
		return ops.ReLU(ops.Add(ops.Subtract(ops.PairwiseDistance(a, b), ops.PairwiseDistance(a, cov)), 1))
	}, "element by element; `loss.Triplet` takes squared distances"},
	{"torch.cosine_embedding_loss torch.nn.functional.cosine_embedding_loss", func() any {
		cosine := ops.CosineSimilarity(x, y)
		return ops.Where(ops.Greater(labels, 0), ops.Subtract(1, cosine), ops.ReLU(cosine))
	}, "subtract the margin inside ReLU; labels are ±1"},
	{"torch.hinge_embedding_loss torch.nn.functional.hinge_embedding_loss", func() any {
		return ops.Where(ops.Greater(b, 0), a, ops.ReLU(ops.Subtract(1, a)))
	}, "b is ±1"},
	{"torch.nn.functional.multilabel_soft_margin_loss", func() any {
		return ops.Mean(loss.SigmoidCrossEntropy(a, b), ops.Over(-1))
	}, "one loss per example; multiply by the weights before the mean"},
	{"torch.dist", func() any { return linalg.Norm(ops.Subtract(a, b)) }, ""},
	{"torch.channel_shuffle", func() any { return images.Reshape(1, 2, 2, 4, 4).SwapAxes(1, 2).Reshape(1, 4, 4, 4) }, "for 2 groups"},
	{"torch.feature_dropout torch.nn.functional.dropout1d torch.nn.functional.dropout2d torch.nn.functional.dropout3d", func() any {
		return ops.Dropout(images, 0.5, rng, ops.Over(2, 3))
	}, "drops whole channels: the elements along Axes are dropped together"},

	// Devices, dtypes and streams.
	{"torch.get_rng_state torch.set_rng_state torch.initial_seed", func() any {
		saved := *rng
		return &saved
	}, "a stream is a value: copy it to save its state"},
	{"torch.device", func() any { return x.To(dev) }, "`device.Get(name)` finds a device; the default is always the CPU"},
	{"torch.cond torch.while_loop", func() any {
		for ops.Max(x).Float() < 1000 {
			x = ops.Square(x)
		}
		return nil
	}, "use Go's if and for"},
	{"torch.vmap", func() any { return ops.MatMul(a.ExpandDims(0), b.ExpandDims(0)) }, "functions accept batch axes directly"},
}
