// Package options reads the options of functions: the last argument, which occurs at most once.
package options

// Read returns the struct of options that a function was called with, or the zero value, which means the defaults.
// CheckOptions of fn refuses several structs. fn is the function's name, an nd.Func; its type is a parameter because
// package nd reads options here too.
func Read[F interface{ CheckOptions(n int) }, T any](fn F, opts []T) (o T) {
	if len(opts) > 0 {
		fn.CheckOptions(len(opts))
		o = opts[0]
	}
	return o
}
