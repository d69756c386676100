// Package evidence reads from the repository what each documented name was checked with: cases that the system itself
// computed, cases that are formulas, or tests that call the name.
package evidence
