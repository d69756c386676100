// Package sweeps contains only tests. They call every function of the catalogue in ways that no golden case covers:
// with other layouts, dtypes, shapes and ranks, with bad arguments, on a tape, on other devices, and with other numbers
// of workers. The arguments come from the committed golden cases, and therefore are in the domains of the functions.
//
//	go test ./testing/conformance/sweeps -only '^cupy\.sum$'
package sweeps
