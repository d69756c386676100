// Package initializer makes the first values of parameters: an [Initializer] is what package nn's Scope.Parameter and the options of
// layers take.
//
//   - one value, given ones: [Constant], [Values]
//   - draws: [Uniform], [Normal], [UniformInt]
//   - draws whose range follows from a layer's inputs and outputs: [UniformGlorot], [NormalGlorot], [NormalHeForward],
//     [NormalHeBackward], of numbers that are given; [LeCunNormal], [LeCunUniform], [GlorotNormal], [GlorotUniform], [HeNormal],
//     [HeUniform], of numbers that are read from the shape
//   - of elements that depend on each other: [Range], [Identity], [Orthogonal], [WeightNormalizationScale]
//
// Any function of the type [Initializer] is one. It is given a stream of random numbers that follows from the scope's seed and the
// parameter's path.
package initializer
