package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// TestArm64KeepsRegisters reads the assembly for arm64. Routines may overwrite every register but the platform's (R18),
// the context of closures and the assembler's own (R26, R27), g (R28), the frame pointer (R29) and the link register (R30).
func TestArm64KeepsRegisters(t *testing.T) {
	files, err := filepath.Glob("../*/*_arm64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no assembly: %v", err)
	}
	register := regexp.MustCompile(`\b[Rxw](\d+)\b`)
	other := regexp.MustCompile(`\b(SP|g|REGTMP|CALL|BL)\b`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line, s := range regexp.MustCompile(`(?m)^\t.*$`).FindAllString(string(text), -1) {
			if other.MatchString(s) {
				t.Errorf("%s, instruction %d: %s", file, line, s)
			}
			for _, m := range register.FindAllStringSubmatch(s, -1) {
				if n, _ := strconv.Atoi(m[1]); n == 18 || n >= 26 {
					t.Errorf("%s, instruction %d: %s", file, line, s)
				}
			}
		}
	}
}
