package optim

// limited begins the body of a rule that squares the gradient and divides by the root of a mean of the squares. It
// limits gradients to 1e17, or in float64 to 1e150, so that no state leaves the range. The rule divides by about what it
// multiplies by, so that its steps are those of larger gradients, too.
const limited = "top = T(1e150) == inf ? T(1e17) : T(1e150); lowest = T(1e150) == inf ? T(-1e17) : T(-1e150); " +
	"grad = max(min(grad, top), lowest); "
