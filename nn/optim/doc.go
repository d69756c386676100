// Package optim trains the parameters of package nn's scopes.
//
// An [Optimizer] moves parameters along the [Gradients] of a loss, in place:
//
//	params, opt, tape := nn.NewScope(), optim.NewAdam(optim.AdamOptions{LR: 0.01}), grad.NewTape()
//	for range steps {
//		model := params.Watch(tape)
//		loss := lossOf(model)
//		g := optim.GradientsOf(model, loss)
//		g.ClipByGlobalNorm(1)
//		opt.Update(g)
//		tape.Reset()
//	}
//
// # Optimizers
//
//   - plain: [NewSGD], [NewSGDW], [NewMomentum], [NewNesterov], [NewNesterovAG]
//   - adaptive: [NewAdam], [NewAdamW], [NewAdamax], [NewAMSGRAD], [NewAdaBelief], [NewAdaBound], [NewAMSBound], [NewAdaGrad],
//     [NewAdaDelta], [NewRMSprop], [NewRMSpropGraves], [NewSMORMS3]
//   - of signs and of layers: [NewLion], [NewLars], [NewLamb]
//
// The options of each have the learning rate, LR, and the rate of weight decay, WeightDecay. A [Rule] makes other optimizers by
// [NewOptimizer].
//
// # Gradients
//
// [Gradients] are clipped, decayed, and given noise before an update, and [Gradients.Where] gives some of the parameters an optimizer
// of their own. An [Accumulator] adds up those of several batches, [Mean] those of several goroutines.
//
// # Rates and losses
//
// A [Schedule] says how the learning rate moves. A [LossScaler] keeps gradients of float16 in range.
//
// # Files
//
// [Optimizer.Of] is what package nn/archive keeps of an optimizer, [Optimizer.ChainerOf] the same as Chainer's files have it.
package optim
