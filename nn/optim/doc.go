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
//   - with one learning rate: [NewSGD], [NewSGDW], [NewMomentum], [NewNesterov], [NewNesterovAG]
//   - adaptive: [NewAdam], [NewAdamW], [NewAdamax], [NewAMSGRAD], [NewAdaBelief], [NewAdaBound], [NewAMSBound],
//     [NewAdaGrad], [NewAdaDelta], [NewRMSprop], [NewRMSpropGraves], [NewSMORMS3]
//   - by signs, or by norms of whole layers: [NewLion], [NewLars], [NewLamb]
//
// The options of every optimizer have the learning rate, LR, and the rate of weight decay, WeightDecay. [NewOptimizer]
// makes other optimizers from a [Rule].
//
// The adaptive optimizers but Adamax square gradients, and divide by the root of a mean of the squares. They limit a
// gradient to 1e17 before they square it, in float64 to 1e150, so that no state leaves the range and a parameter moves
// as far as it does for any other large gradient. An infinite gradient counts as the limit: [Gradients.HasInf] finds it.
//
// # Gradients
//
// [Gradients] can be clipped, decayed, and given noise before an update. [Gradients.Where] selects parameters, so that
// they can have their own optimizer. An [Accumulator] adds up the gradients of several batches, [Mean] those of several
// goroutines.
//
// # Rates and losses
//
// A [Schedule] gives the learning rate of each update. A [LossScaler] keeps float16 gradients in range.
//
// # Files
//
// [Optimizer.Of] returns an optimizer as an object of package nn/archive, [Optimizer.ChainerOf] the same in the form of
// Chainer's files.
package optim
