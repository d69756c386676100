package main

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/torch"
)

// torchTopics are the tables of phrases for torch.
var torchTopics = []topic{
	{"Tensors", []phrase{
		{"torch.tensor([1.0, 2.0])", func() any { return nd.FromSlice([]float32{1, 2}) }, "the dtype is that of the slice"},
		{"torch.zeros(2, 3)", func() any { return nd.Zeros([]int{2, 3}, dtype.Float32) }, "float64 without the option"},
		{"x.shape, x.dim(), x.numel()", func() any { return []any{x.Shape(), x.Rank(), x.Size()} }, ""},
		{"x.size(0)", func() any { return x.Dim(0) }, ""},
		{"x.dtype, x.device", func() any { return []any{x.DType(), x.Device()} }, ""},
		{"loss.item()", func() any { return cost.Float() }, "a float64; `nd.Value[int](x)` for other types"},
		{"x.tolist(), x.numpy()", func() any { return nd.ToSlice[float64](x) }, "flat; `nd.Data` does not copy, `nd.ToNested[[][]float32](x)` is nested"},
		{"x.float(), x.to(torch.float32)", func() any { return x.AsType(dtype.Float32) }, "differentiable; floats saturate when converted to integers"},
		{"x.to(device)", func() any { return x.To(dev) }, ""},
		{"x.clone(), x.contiguous()", func() any { return []any{x.Copy(), x.Contiguous()} }, ""},
		{"torch.manual_seed(7); torch.randn(2, 3)", func() any { return random.Normal(nd.NewRand(7), 0, 1, []int{2, 3}) }, "the random stream is an argument"},
	}},
	{"Shapes and indexing", []phrase{
		{"x.view(2, -1), x.reshape(2, -1)", func() any { return x.Reshape(2, -1) }, "`x.View` is different: it reinterprets the bits as another dtype"},
		{"x.permute(1, 0)", func() any { return x.Transpose(1, 0) }, ""},
		{"x.transpose(0, 1), x.t()", func() any { return []any{x.SwapAxes(0, 1), x.T()} }, "`x.T` reverses all axes"},
		{"x.mT, x.mH", func() any { return []any{x.SwapAxes(-1, -2), ops.Conj(x.SwapAxes(-1, -2))} }, ""},
		{"x.unsqueeze(0), x.squeeze()", func() any { return []any{x.ExpandDims(0), x.Squeeze()} }, ""},
		{"y.expand(3, 4), y.expand_as(x)", func() any { return []any{y.BroadcastTo(3, 4), ops.BroadcastLike(y, x)} }, "no -1; read-only"},
		{"y.repeat(3, 1)", func() any { return ops.Tile(y, 3, 1) }, "torch.repeat_interleave is `ops.Repeat`"},
		{"x.flatten(), x.ravel()", func() any { return []any{x.Flatten(), x.Ravel()} }, ""},
		{"y.unfold(0, 2, 1)", func() any { return y.SlidingWindows([]int{2}, 0) }, "every second one: `nd.All().By(2)` in an index; F.unfold is `conv.Im2Col`"},
		{"x[1], x[1:3], x[..., 0]", func() any {
			return []any{x.Index(nd.At(1)), x.Index(nd.Span(1, 3)), x.Index(nd.Ellipsis(), nd.At(0))}
		}, "views"},
		{"x[:, ::2], x[:, None]", func() any {
			return []any{x.Index(nd.All(), nd.All().By(2)), x.Index(nd.All(), nd.NewAxis())}
		}, "steps may be negative"},
		{"x[i], x[mask]", func() any { return []any{x.Index(nd.Pick(i)), x.Index(nd.Pick(mask))} }, "copies"},
		{"x.narrow(0, 1, 2), x.select(0, 1)", func() any { return []any{x.Index(nd.Span(1, 3)), x.Index(nd.At(1))} }, ""},
	}},
	{"Arithmetic", []phrase{
		{"x + y, x * 2", func() any { return []any{ops.Add(x, y), ops.Multiply(x, 2)} }, "a Scalar is weak: float32 stays float32"},
		{"a @ b", func() any { return ops.MatMul(a, b) }, ""},
		{"x.sum(dim=1)", func() any { return ops.Sum(x, ops.Over(1)) }, ""},
		{"x.mean(dim=1, keepdim=True)", func() any { return ops.Mean(x, ops.Over(1).KeepDims()) }, ""},
		{"x.std()", func() any { return ops.Std(x, ops.VarOptions{DDof: 1}) }, "correction is 0 without the option"},
		{"values, indices = x.max(dim=1)", func() any {
			values, indices := ops.MaxWithIndex(x, ops.Over(1))
			return []any{values, indices}
		}, ""},
		{"x.cumsum(dim=1)", func() any { return ops.CumSum(x, ops.Over(1)) }, "flattens if no axis is given"},
		{"torch.cat([a, b], dim=1)", func() any { return ops.Concatenate([]*nd.Array{a, b}, ops.Over(1)) }, ""},
		{"x.clamp(min=0)", func() any { return ops.ClipMin(x, 0) }, ""},
		{"x == y, x < y, ~mask, mask & mask", func() any {
			return []any{ops.Equal(x, y), ops.Less(x, y), ops.Invert(mask), ops.BitwiseAnd(mask, mask)}
		}, "every operator is a function"},
		{"torch.masked.softmax(x, 1, mask=mask)", func() any { return ops.MaskedSoftmax(x, mask, ops.Over(1)) }, "a row with no unmasked element gives 0; torch gives NaN"},
		{"torch.where(x > 3, x, 0)", func() any { return ops.Where(ops.Greater(x, 3), x, 0) }, ""},
	}},
	{"In place", []phrase{
		{"x += y, x.add_(y)", func() any { return ops.Add(x, y, ops.Into(x)) }, ""},
		{"x[1] = v, x[mask] = 0", func() any {
			x.Assign(v, nd.At(1))
			x.Assign(nd.Scalar(0), nd.Pick(mask))
			return nil
		}, "use `x.With` if a gradient must flow"},
		{"x.copy_(y), x.fill_(5), x.zero_()", func() any {
			x.Assign(y)
			nd.Fill(x, 5)
			return nil
		}, ""},
		{"x.scatter_add_(1, i, v)", func() any { return ops.AddAlongAxis(x, indices, nd.Ones([]int{3, 1}), ops.Over(1)) }, "a new array"},
		{"x.index_add_(0, i, v)", func() any { ops.AccumulateAt(x, nd.Ones([]int{2, 4}), nd.Pick(i)); return nil }, "`ops.AddAt` for a new array"},
	}},
	{"Gradients", []phrase{
		{"x.requires_grad_()", func() any {
			X := tape.Watch(x)
			return X
		}, "with `tape := grad.NewTape()`; x itself does not change"},
		{"loss.backward(); x.grad", func() any {
			X := tape.Watch(x)
			g := tape.Gradient(ops.Sum(ops.Square(X)), X)
			return g
		}, "gradients are returned, one per argument; nothing accumulates in .grad"},
		{"torch.autograd.grad(f, x, create_graph=True)", func() any {
			X := tape.Watch(x)
			g := tape.GradientRecorded(ops.Sum(ops.Square(X)), X)
			return g
		}, "a gradient that can be differentiated again"},
		{"y.backward(gy)", func() any {
			X := tape.Watch(x)
			g := tape.VJP([]*nd.Array{ops.Square(X)}, []*nd.Array{x}, X)
			return g
		}, ""},
		{"with torch.no_grad():", func() any { return ops.Square(x) }, "operations on arrays that no tape watches are not recorded"},
		{"x.detach()", func() any { return x.Detach() }, "`grad.StopGradient`"},
		{"torch.func.grad(f)(x)", func() any {
			return grad.Grad(func(x *nd.Array) *nd.Array { return ops.Sum(ops.Square(x)) })(x)
		}, "calls can be nested"},
		{"torch.func.grad_and_value(f)(x)", func() any {
			loss, gs := grad.ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return ops.Sum(xs[0]) })(x)
			return []any{loss, gs}
		}, ""},
		{"torch.func.jacrev(f)(y), torch.func.hessian(f)(y)", func() any {
			return []any{grad.Jacobian(func(x *nd.Array) *nd.Array { return ops.Sin(x) }, y), grad.Hessian(func(x *nd.Array) *nd.Array { return ops.Sum(ops.Sin(x)) }, y)}
		}, "`grad.JVP`, `grad.VJP`, `grad.HVP`"},
		{"torch.utils.checkpoint.checkpoint(f, x)", func() any {
			return grad.Checkpoint(func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Sin(in[0])} }, x)
		}, ""},
		{"optimizer.zero_grad()", func() any { tape.Reset(); return nil }, "forgets what was recorded; there is no .grad to clear"},
	}},
	{"Training", []phrase{
		{"torch.nn.Linear(4, 8)", func() any { return nn.Affine(params.Sub("fc"), x.AsType(dtype.Float32), 8) }, "the scope gets the parameters \"fc/affine/W\", of shape (4, 8), and \"fc/affine/b\""},
		{"torch.optim.Adam(model.parameters(), lr=0.01)", func() any { return optim.NewAdam(optim.AdamOptions{LR: 0.01, EpsOutside: true}) }, "without EpsOutside eps stands where NNabla, Chainer and Keras have it"},
		{"torch.optim.SGD(p, lr=0.1, momentum=0.9)", func() any { return optim.NewMomentum(optim.MomentumOptions{LR: 0.1}) }, "the same steps as long as the rate stays: it is within the momentum here"},
		{"loss.backward(); optimizer.step()", func() any {
			m := params.Watch(tape)
			loss := ops.Mean(ops.Square(nn.Affine(m.Sub("fc"), x.AsType(dtype.Float32), 8)))
			optim.NewSGD().Update(optim.GradientsOf(m, loss))
			return loss
		}, ""},
		{"with torch.autocast(\"cpu\", dtype=torch.bfloat16):", func() any {
			m := params.Watch(tape, nn.WatchOptions{Compute: dtype.BFloat16})
			y := nn.Affine(m.Sub("fc"), x.AsType(dtype.Float32), 8)
			return optim.GradientsOf(m, ops.Mean(ops.Square(y.AsType(dtype.Float32))))
		}, "layers compute in bfloat16, with float32 parameters: [training.md](training.md#mixed-precision)"},
		{"for g in optimizer.param_groups: g[\"lr\"] = 0.01", func() any { optim.NewSGD().SetLearningRate(0.01); return nil }, ""},
		{"weight_decay=0.01", func() any { optim.GradientsOf(params.Watch(tape), cost).WeightDecay(0.01); return nil }, "added to gradients, as in torch.optim.Adam; AdamW is another"},
		{"clip_grad_norm_(p, 1.0)", func() any { optim.GradientsOf(params.Watch(tape), cost).ClipByNorm(1); return nil }, "each parameter's gradient by itself, not all together"},
		{"torch.func.functional_call(model, weights, x)", func() any {
			return nn.Affine(params.With(map[string]*nd.Array{"fc/affine/b": nd.Ones([]int{8})}).Sub("fc"), x.AsType(dtype.Float32), 8)
		}, ""},
		{"p.requires_grad = False", func() any { params.Param("fc/affine/W").SetNeedGrad(false); return nil }, ""},
		{"torch.save(model.state_dict(), \"m.pt\")", func() any { return torch.Save(path+"m.pt", params) }, "with torch's names and layouts; `nn.Save` and `nn.Load` for files of your own"},
		{"model.load_state_dict(torch.load(\"m.pt\"))", func() any { return torch.Load(path+"m.pt", params) }, "package `nn/torch`; the parameters must exist"},
		{"model.train(), model.eval()", func() any { return ops.Dropout(x, 0.5, rng) }, "there are no modes: call training-only functions only in training"},
	}},
}
