package options

// Of is [Read] for functions that accept an axis, or axes, instead of a struct of options: over converts axes to
// options. Of examines the interface values instead of calling them, so that it allocates nothing for axes.
func Of[F interface{ CheckOptions(n int) }, I, O any, A ~[]int](fn F, opts []I, over func(A) O) (o O) {
	if len(opts) == 0 {
		return o
	}
	fn.CheckOptions(len(opts))
	switch given := any(opts[0]).(type) {
	case O:
		o = given
	case *O:
		o = *given
	case A:
		o = over(given)
	}
	return o
}

// OfKept is [Of] for functions that also accept kept axes: kept converts those to options.
func OfKept[F interface{ CheckOptions(n int) }, I, O any, A, K ~[]int](fn F, opts []I, over func(A) O, kept func(K) O) O {
	if len(opts) == 1 {
		if given, ok := any(opts[0]).(K); ok {
			return kept(given)
		}
	}
	return Of(fn, opts, over)
}
