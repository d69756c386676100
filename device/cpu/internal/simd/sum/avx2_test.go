package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAVX2NeedsNoAVX512 reads the routines for AVX2. A machine with AVX-512 would run what a processor without it cannot: operands that
// are broadcast from memory, vectors of 512 bits, masks, and registers from 16 on.
func TestAVX2NeedsNoAVX512(t *testing.T) {
	files, err := filepath.Glob("../*/*_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no assembly: %v", err)
	}
	newer := regexp.MustCompile(`\.BCST\b|\.Z\b|\bZ\d+\b|\bK[0-7]\b|\b[XY](1[6-9]|2\d|3[01])\b`)
	routines := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, routine := range strings.Split(string(text), "\nTEXT ")[1:] {
			name, _, _ := strings.Cut(routine, "(")
			if !strings.Contains(name, "AVX2") {
				continue
			}
			routines++
			if found := newer.FindString(routine); found != "" {
				t.Errorf("%s: %s uses %s, which AVX-512 brought", file, name, found)
			}
		}
	}
	if routines < 500 {
		t.Errorf("%d routines for AVX2", routines)
	}
}
