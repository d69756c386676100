// Package runner runs golden cases through the rows of the catalogue, compares results, written arguments and gradients with
// what was recorded, and reports; it also chooses the cases that are committed. The command is testing/conform.
//
// Every case runs twice: with the arguments that it leaves out left to this library's defaults, then with the document's
// passed. Solvers and schedules of learning rates are driven for some updates, and small nets are trained.
package runner
