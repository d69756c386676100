package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/reg"
)

// instruction is an instruction as GNU as reads it, and its code.
type instruction struct {
	text string
	code []byte
}

// compare compares codes with those of GNU as.
func compare(t *testing.T, instructions []instruction) {
	t.Helper()
	if out, err := exec.Command("as", "--version").Output(); err != nil || !strings.Contains(string(out), "x86_64") {
		t.Skip("no GNU as for amd64")
	}
	var source strings.Builder
	for _, i := range instructions {
		fmt.Fprintln(&source, i.text)
	}
	dir := t.TempDir()
	text, object, binaryFile := filepath.Join(dir, "text.s"), filepath.Join(dir, "text.o"), filepath.Join(dir, "text.bin")
	if err := os.WriteFile(text, []byte(source.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"as", "-o", object, text}, {"objcopy", "-O", "binary", "-j", ".text", object, binaryFile}} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%s: %v\n%s", command[0], err, out)
		}
	}
	got, err := os.ReadFile(binaryFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range instructions {
		n := min(len(i.code), len(got))
		if string(got[:n]) != string(i.code) {
			t.Fatalf("%s: % x, want % x", i.text, i.code, got[:n])
		}
		got = got[n:]
	}
}

// TestDotBFloats encodes VDPBF16PS for every register.
func TestDotBFloats(t *testing.T) {
	var all []instruction
	for i := range 32 * 32 {
		b, a, sum := i%32, i/32, (i*7+i/32)%32
		first, last := encodeDotBFloats(b, a, sum)
		all = append(all, instruction{
			fmt.Sprintf("vdpbf16ps %%zmm%d, %%zmm%d, %%zmm%d", b, a, sum),
			binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint32(nil, first), last),
		})
	}
	compare(t, all)
}

// TestAMX encodes the instructions of AMX for every tile, and with every register that the routines use.
func TestAMX(t *testing.T) {
	all := []instruction{
		{"ldtilecfg 64(%r12)", loadConfig.memory(0, number(reg.R12), noIndex, 64)},
		{"tilerelease", release.registers(0, 0, 0)},
	}
	registers := []reg.GPPhysical{
		reg.RAX, reg.RCX, reg.RDX, reg.RBX, reg.RSI, reg.RDI, reg.R8, reg.R9, reg.R10, reg.R11, reg.R14, reg.R15,
	}
	for tile := range 8 {
		all = append(all, instruction{fmt.Sprintf("tilezero %%tmm%d", tile), zeroTile.registers(tile, 0, 0)})
		for i := range 8 * 8 {
			for _, p := range addProducts {
				if i/8 == i%8 || i/8 == tile || i%8 == tile {
					continue // which the processor does not permit
				}
				text := fmt.Sprintf("%s %%tmm%d, %%tmm%d, %%tmm%d", strings.ToLower(p.name), i/8, i%8, tile)
				all = append(all, instruction{text, p.registers(tile, i%8, i/8)})
			}
		}
		for _, base := range registers {
			for _, index := range registers {
				at := fmt.Sprintf("64(%s,%s,1)", gnuName(base), gnuName(index))
				all = append(all, instruction{fmt.Sprintf("tileloadd %s, %%tmm%d", at, tile), loadTile.memory(tile, number(base), number(index), 64)},
					instruction{fmt.Sprintf("tilestored %%tmm%d, %s", tile, at), storeTile.memory(tile, number(base), number(index), 64)})
			}
		}
	}
	compare(t, all)
}

// gnuName returns the name of a register of 64 bits.
func gnuName(r reg.GPPhysical) string {
	if name := strings.ToLower(r.Asm()); name[0] == 'r' {
		return "%" + name
	} else {
		return "%r" + name
	}
}
