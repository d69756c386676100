// Package runner runs golden cases with the rows of the catalogue, compares results, written arguments and gradients
// with the recorded ones, and reports differences. It also selects the cases to commit. The command is testing/conform.
//
// Every case runs twice: first without the arguments that it omits, so that this library's defaults apply, then with
// the document's defaults. For solvers and learning rate schedules the runner makes some updates; it also trains small
// nets.
package runner
