// Command neon translates the routines for AVX2 that a generator has printed to routines for arm64, with the same names. It
// replaces the files: the assembly, and the declarations in Go.
//
//	neon FILE.s FILE.go
//
// A vector of 256 bits becomes the pair of registers with twice its number, so that the routines for both processors
// compute the same numbers in the same order. General registers keep their numbers. Go's assembler has names for few vector
// instructions, so that all of them are words, which [assemble] makes. The registers that the translation needs for itself
// are those that the routine does not: generators for arm64 leave two pairs.
package main

import (
	"fmt"
	"go/format"
	"log"
	"os"
	"regexp"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: neon FILE.s FILE.go")
	}
	for i, convert := range []func(string) string{translateFile, declarations} {
		name := os.Args[i+1]
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, []byte(convert(string(text))), 0o644)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// declarations returns the declarations with bodies for the routines that arm64 does not have. Nothing calls them.
func declarations(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "func ") && !translated(line) {
			if last := len(out) - 1; out[last] == "//go:noescape" {
				out = append(out[:last-1], out[last+1:]...) // with the line before it
			}
			line += " { panic(\"an instruction of amd64\") }"
		}
		out = append(out, line)
	}
	formatted, err := format.Source([]byte(strings.Join(out, "\n")))
	if err != nil {
		log.Fatal(err)
	}
	return string(formatted)
}

// translated reports whether a routine is for AVX2, or for every processor.
func translated(name string) bool {
	return !strings.Contains(name, "AVX512") && !strings.Contains(name, "VNNI")
}

// translateFile translates a file of assembly.
func translateFile(text string) string {
	head, _, _ := strings.Cut(text, "\n")
	f := parse(text)
	t := &translator{file: f, constants: &constants{offsets: map[string]int{}}}
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n//go:build !purego\n\n#include \"textflag.h\"\n", head)
	used := ""
	for _, fn := range f.functions {
		var atExit vregs
		if strings.Contains(fn.attributes, "NOFRAME") || strings.HasPrefix(fn.name, "resume") {
			atExit = 0xff // the accumulator of package vm's handlers
		}
		fn.analyse(atExit)
		body := t.translate(fn)
		used += body
		fmt.Fprintf(&out, "\n%s", body)
	}
	for _, name := range f.order {
		if strings.Contains(used, "$"+name+"<>") {
			writeData(&out, name, f.data[name].bytes)
		}
	}
	if len(t.constants.bytes) > 0 {
		writeData(&out, "constants", t.constants.bytes)
	}
	return emptyLines.ReplaceAllString(out.String(), "\n\n")
}

var emptyLines = regexp.MustCompile("\n\n\n+")

func writeData(out *strings.Builder, name string, bytes []byte) {
	out.WriteString("\n")
	for at := 0; at < len(bytes); at += 8 {
		n := min(8, len(bytes)-at)
		v := uint64(0)
		for i := range n {
			v |= uint64(bytes[at+i]) << (8 * i)
		}
		fmt.Fprintf(out, "DATA %s<>+%d(SB)/%d, $%#x\n", name, at, n, v)
	}
	fmt.Fprintf(out, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n", name, len(bytes))
}
