package ndgrad_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAssemblyLeavesNoUpperHalves reads every routine for amd64: a routine that uses vectors of 256 or 512 bits must
// return with VZEROUPPER. Without it the scalar instructions of all code that follows are slower, three to tenfold.
func TestAssemblyLeavesNoUpperHalves(t *testing.T) {
	files, checked := 0, 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != "." {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_amd64.s") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		faults, routines := upperHalves(string(text))
		checked += routines
		for _, fault := range faults {
			t.Errorf("%s: %s", path, fault)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 || checked == 0 {
		t.Errorf("%d files of assembly with %d routines that use vectors", files, checked)
	}
}

var (
	wideRegister = regexp.MustCompile(`\b[YZ][0-9]+\b`)
	label        = regexp.MustCompile(`^([A-Za-z_][A-Za-z_0-9]*):$`)
)

// upperHalves returns the routines of an assembly file that leave the upper halves of vector registers in use, and the
// number of routines that could.
//
// A routine that Go calls, and that names a wide register, executes VZEROUPPER right before each RET and jumps to no
// other routine. Routines of threaded code (no frame, no arguments) are a separate class: vectors are already in use
// when they start, and they end with a jump to the next routine (JMP through a register). Only those that end a program
// return, with VZEROUPPER too, whether or not they name a register. A routine with arguments may jump to the first
// routine of threaded code, if the file has one.
func upperHalves(text string) (faults []string, routines int) {
	const threadedCode = "NOSPLIT|NOFRAME, $0"
	threaded := strings.Contains(text, threadedCode+"\n")
	for _, routine := range strings.Split("\n"+text, "\nTEXT ")[1:] {
		heading, body, _ := strings.Cut(routine, "\n")
		name, _, _ := strings.Cut(heading, "(SB)")
		if !strings.HasSuffix(heading, threadedCode) && !wideRegister.MatchString(body) {
			continue
		}
		routines++
		fault := func(format string, a ...any) {
			faults = append(faults, fmt.Sprintf("%s: ", name)+fmt.Sprintf(format, a...))
		}
		labels := map[string]bool{}
		var lines [][]string
		for line := range strings.Lines(body) {
			line, _, _ = strings.Cut(line, "//")
			if fields := strings.Fields(line); len(fields) > 0 && !strings.HasPrefix(fields[0], "#") {
				lines = append(lines, fields)
				if l := label.FindStringSubmatch(fields[0]); l != nil {
					labels[l[1]] = true
				}
			}
		}
		before := ""
		for _, fields := range lines {
			switch instruction := fields[0]; {
			case instruction == "GLOBL" || instruction == "DATA":
				continue // tables stand between routines
			case instruction == "RET" && before != "VZEROUPPER":
				fault("RET without VZEROUPPER before it")
			case instruction == "CALL":
				fault("CALL of %s with vectors in use", fields[1])
			case strings.HasPrefix(instruction, "J") && !labels[fields[1]] &&
				!(threaded && instruction == "JMP" && strings.HasPrefix(fields[1], "(")):
				fault("%s to %s leaves with vectors in use", instruction, fields[1])
			}
			before = fields[0]
		}
		if before != "RET" && before != "JMP" {
			fault("it ends with %s", before)
		}
	}
	return faults, routines
}

func TestUpperHalves(t *testing.T) {
	const sum = "TEXT ·sum(SB), NOSPLIT, $0-8\n\tMOVQ n+0(FP), AX\n"
	const link = "TEXT ·add(SB), NOSPLIT|NOFRAME, $0\n\tADDQ $0x10, R8\n"
	for _, c := range []struct{ text, want string }{
		{sum + "\tRET\n", ""},
		{sum + "\tVADDPS X0, X0, X0\n\tRET\n", ""},
		{sum + "\tVADDPS Y0, Y0, Y0\n\tVZEROUPPER\n\tRET\n", ""},
		{sum + "loop:\n\tVADDPS Y0, Y0, Y0\n\tJNZ loop\n\tVZEROUPPER\n\tRET\n\nsmall:\n\tVZEROUPPER\n\tRET\n", ""},
		{sum + "\tVADDPS Y0, Y0, Y0\n\tRET\n", "·sum: RET without VZEROUPPER before it"},
		{sum + "\tVADDPS (AX), Z17, Z17\n\tRET\n", "·sum: RET without VZEROUPPER before it"},
		{sum + "\tVADDPS Y0, Y0, Y0\n\tVZEROUPPER\n\ndone:\n\tRET\n", "·sum: RET without VZEROUPPER before it"},
		{sum + "\tVADDPS Y0, Y0, Y0\n\tVZEROUPPER\n\tRET\n\ndone:\n\tRET // empty\n", "·sum: RET without VZEROUPPER before it"},
		{sum + "\tVADDPS Y0, Y0, Y0\n\tJMP ·other(SB)\n", "·sum: JMP to ·other(SB) leaves with vectors in use"},
		{sum + "\tVADDPS Y0, Y0, Y0\n\tJMP (R8)\n", "·sum: JMP to (R8) leaves with vectors in use"},
		{sum + "\tVADDPS Y0, Y0, Y0\n\tCALL ·other(SB)\n\tVZEROUPPER\n\tRET\n", "·sum: CALL of ·other(SB) with vectors in use"},
		{sum + "\tVADDPS Y0, Y0, Y0\n\tVZEROUPPER\n", "·sum: it ends with VZEROUPPER"},
		{link + "\tJMP (R8)\n\n" + sum + "\tVADDPS Y0, Y0, Y0\n\tJMP (R8)\n", ""},
		{link + "\tJZ done\n\tJMP (R8)\n\ndone:\n\tVZEROUPPER\n\tRET\n", ""},
		{link + "\tRET\n", "·add: RET without VZEROUPPER before it"},
	} {
		faults, _ := upperHalves(c.text)
		if got := strings.Join(faults, "; "); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}
