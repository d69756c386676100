// Package sweeps is tests alone. They call every function of the catalogue in ways that no golden case shows: with other
// layouts, dtypes, shapes and ranks, with bad arguments, under a tape, on other devices, with other numbers of workers. Their
// arguments come from the committed golden cases, and hence from the functions' domains.
//
//	go test ./testing/conformance/sweeps -only '^cupy\.sum$'
package sweeps
