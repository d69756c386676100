// Package evidence reads from the repository what holds each documented name to its document: recorded cases, cases that
// are formulas, or tests that call the name.
package evidence
