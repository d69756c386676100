package options

// Of is [Read] where an axis, or axes, may stand for a struct of options: over makes options of them. It looks at what the
// interfaces hold instead of calling them, so that nothing is allocated for those.
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

// OfKept is [Of] where axes may also be kept: kept makes options of those.
func OfKept[F interface{ CheckOptions(n int) }, I, O any, A, K ~[]int](fn F, opts []I, over func(A) O, kept func(K) O) O {
	if len(opts) == 1 {
		if given, ok := any(opts[0]).(K); ok {
			return kept(given)
		}
	}
	return Of(fn, opts, over)
}
