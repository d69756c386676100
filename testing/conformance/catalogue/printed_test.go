package catalogue

import (
	"fmt"
	"math/big"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestSignaturesAreDocumented compares the rows' signatures with those that the documents print. It reports a
// documented argument that a row lacks, has at another position, or has with another default. It skips documents that
// print no arguments, or *args.
func TestSignaturesAreDocumented(t *testing.T) {
	printed := printedSignatures(t)
	for _, row := range Rows() {
		s, err := parseSignature(row.Signature)
		if err != nil {
			t.Fatal(err)
		}
		want, ok := PrintedParams(s.name, printed[s.name])
		if !ok || misprinted[s.name] {
			continue
		}
		if d := paramsDiffer(s, want); d != "" {
			t.Errorf("%s: %s; the document: %s", row.Signature, d, printed[s.name])
		}
	}
}

// printedSignatures reads the signatures that the documents print, by name.
func printedSignatures(t *testing.T) map[string]string {
	t.Helper()
	table, err := os.ReadFile("signatures.tsv")
	if err != nil {
		t.Fatal(err)
	}
	printed := map[string]string{}
	for line := range strings.Lines(string(table)) {
		name, signature, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		printed[name] = signature
	}
	if len(printed) == 0 {
		t.Fatal("the table of signatures is empty")
	}
	return printed
}

// misprinted lists methods whose object the document prints under another name or as no argument, and functions whose
// printed arguments contain remarks.
var misprinted = map[string]bool{
	"mxnet.npx.modulated_deformable_convolution": true,
	"chainer.Variable.__getitem__":               true, // (x, slices), where x is the variable
	"nnabla.function.Function.args":              true, // (property), which is no argument
	"nnabla.function.Function.info":              true,
	"nnabla.function.PythonFunction.name":        true,
}

// paramsDiffer describes how a row's arguments differ from the documented ones, or returns "". A row may lack arguments for which there is a
// reason.
func paramsDiffer(s signature, documented []Param) string {
	row, at := s.params, -1
	for _, d := range documented {
		i := slices.IndexFunc(row, func(p Param) bool { return p.Name == d.Name })
		switch {
		case i < 0:
			if _, ok := ignoredArgument(s.name, d.Name); ok {
				continue
			}
			return "it lacks " + d.Name
		case i < at:
			return d.Name + " is at another position"
		case !d.HasDefault || d.Stars > 0: // a row may have a default: documents omit those of optional arrays
		case !row[i].HasDefault:
			return fmt.Sprintf("%s has no default, want %s", d.Name, Describe(d.Default))
		case !sameDefault(row[i].Default, d.Default):
			return fmt.Sprintf("%s has the default %s, want %s", d.Name, Describe(row[i].Default), Describe(d.Default))
		}
		at = i
	}
	return ""
}

// sameDefault compares defaults: 1 and 1.0 are equal, and MXNet writes bools as numbers.
func sameDefault(a, b any) bool {
	number := func(v any) (float64, bool) {
		if b, ok := v.(bool); ok {
			return map[bool]float64{true: 1}[b], true
		}
		return asFloat(v)
	}
	x, ok1 := number(a)
	y, ok2 := number(b)
	if ok1 && ok2 {
		return x == y
	}
	if i, ok := a.(*big.Int); ok {
		j, same := b.(*big.Int)
		return same && i.Cmp(j) == 0
	}
	la, ok1 := a.([]any)
	lb, ok2 := b.([]any)
	if ok1 && ok2 {
		return slices.EqualFunc(la, lb, sameDefault)
	}
	return reflect.DeepEqual(a, b)
}
