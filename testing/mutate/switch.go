package main

import (
	"fmt"
	"go/parser"
	"go/token"
)

// switchFile is the file added to every mutated package: the switch, and operations with two variants.
const switchFile = "zz_mutant.go"

// Environment variables of a test: the number of the active fault, and a file for the numbers of the faults that are
// reached.
const (
	mutantVariable = "MUTANT"
	logVariable    = "MUTANT_LOG"
)

const switchText = `
import (
	"os"
	"strconv"
	"sync/atomic"
)

var (
	mutantNumber, _ = strconv.Atoi(os.Getenv("MUTANT"))
	mutantLog       = os.Getenv("MUTANT_LOG")
	mutantReached   [10000]atomic.Bool
)

func mutantOn(number int) bool {
	if mutantLog != "" {
		mutantReach(number)
	}
	return number == mutantNumber
}

func mutantReach(number int) {
	if mutantReached[number].Swap(true) {
		return
	}
	if f, err := os.OpenFile(mutantLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
		f.WriteString(strconv.Itoa(number) + "\n")
		f.Close()
	}
}

type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type mutantFloat interface {
	~float32 | ~float64 | ~complex64 | ~complex128
}

func mutantAdd[T mutantInteger | mutantFloat](number int, a, b T) T {
	if mutantOn(number) {
		return a - b
	}
	return a + b
}

func mutantSubtract[T mutantInteger | mutantFloat](number int, a, b T) T {
	if mutantOn(number) {
		return a + b
	}
	return a - b
}

func mutantMultiply[T mutantInteger | mutantFloat](number int, a, b T) T {
	if mutantOn(number) {
		return a + b
	}
	return a * b
}

func mutantDivide[T mutantInteger | mutantFloat](number int, a, b T) T {
	if mutantOn(number) {
		return a * b
	}
	return a / b
}

func mutantAnd[T mutantInteger](number int, a, b T) T {
	if mutantOn(number) {
		return a | b
	}
	return a & b
}

func mutantOr[T mutantInteger](number int, a, b T) T {
	if mutantOn(number) {
		return a & b
	}
	return a | b
}

func mutantNegate[T mutantInteger | mutantFloat](number int, a T) T {
	if mutantOn(number) {
		return a
	}
	return -a
}

func mutantBound[T mutantInteger](number int, a T) T {
	if mutantOn(number) {
		return a + 1
	}
	return a
}
`

// switchSource returns the text of the switch for a package.
func (t *target) switchSource() []byte {
	f, err := parser.ParseFile(token.NewFileSet(), "", t.sources[t.files[0]], parser.PackageClauseOnly)
	if err != nil {
		panic(err) // it was parsed successfully before
	}
	return fmt.Appendf(nil, "package %s\n%s", f.Name.Name, switchText)
}
