// Package initializer makes the initial values of parameters: package nn's Scope.Parameter and the options of layers
// take an [Initializer].
//
//   - one value, or given values: [Constant], [Values]
//   - random numbers: [Uniform], [Normal], [UniformInt]
//   - random numbers whose range follows from a layer's inputs and outputs: [UniformGlorot], [NormalGlorot],
//     [NormalHeForward], [NormalHeBackward] take these numbers as arguments; [LeCunNormal], [LeCunUniform],
//     [GlorotNormal], [GlorotUniform], [HeNormal], [HeUniform] read them from the shape
//   - elements that depend on each other: [Range], [Identity], [Orthogonal], [WeightNormalizationScale]
//
// Any function of the type [Initializer] is an initializer. Its stream of random numbers follows from the scope's seed
// and the parameter's path.
package initializer
