package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEncoding compares the bytes of VDPBF16PS with those of GNU as, for every register.
func TestEncoding(t *testing.T) {
	if out, err := exec.Command("as", "--version").Output(); err != nil || !strings.Contains(string(out), "x86_64") {
		t.Skip("no GNU as for amd64")
	}
	var source strings.Builder
	var want []byte
	for i := range 32 * 32 {
		b, a, sum := i%32, i/32, (i*7+i/32)%32
		fmt.Fprintf(&source, "vdpbf16ps %%zmm%d, %%zmm%d, %%zmm%d\n", b, a, sum)
		first, last := encodeDotBFloats(b, a, sum)
		want = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint32(want, first), last)
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
	for i := 0; i < len(want); i += 6 {
		if string(got[i:i+6]) != string(want[i:i+6]) {
			t.Errorf("%s: % x, want % x", strings.Split(source.String(), "\n")[i/6], want[i:i+6], got[i:i+6])
		}
	}
}
