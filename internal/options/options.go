// Package options reads the options of functions: the last argument of many, of which there is at most one.
package options

// Read returns the struct of options that a function was called with, or the zero value, which stands for the defaults.
// Several are refused by CheckOptions of fn, which is the function's name, an nd.Func; its type is a parameter, since nd reads
// options here too.
func Read[F interface{ CheckOptions(n int) }, T any](fn F, opts []T) (o T) {
	if len(opts) > 0 {
		fn.CheckOptions(len(opts))
		o = opts[0]
	}
	return o
}
