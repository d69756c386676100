package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// operandsOf lists, for each class and signature of forms, the operands that its instructions accept. In them V stands for
// any vector register, F for any scalar one, X for any general one, T for any arrangement after the colon, I for any index below the
// number after the bar, and N(low,high,step) for a number.
var operandsOf = map[string][]string{
	"int vvv":     {"vV.T, vV.T, vV.T:8b 16b 4h 8h 2s 4s"},
	"float vvv":   {"vV.T, vV.T, vV.T:2s 4s 2d"},
	"bits vvv":    {"vV.T, vV.T, vV.T:8b 16b"},
	"dot vvv":     {"vV.4s, vV.16b, vV.16b:"},
	"long vvv":    {"vV.8h, vV.8Tb, vV.8Tb:", "vV.4s, vV.4Th, vV.4Th:", "vV.2d, vV.2Ts, vV.2Ts:"},
	"float vv":    {"vV.T, vV.T:2s 4s 2d"},
	"int vv":      {"vV.T, vV.T:8b 16b"},
	"pairs vv":    {"vV.4h, vV.8b:", "vV.8h, vV.16b:", "vV.2s, vV.4h:", "vV.4s, vV.8h:", "vV.1d, vV.2s:", "vV.2d, vV.4s:"},
	"bits vv":     {"vV.T, vV.T:8b 16b"},
	"zero vv#":    {"vV.T, vV.T, #0:8b 16b 4h 8h 2s 4s 2d"},
	"narrow vv":   {"vV.8Tb, vV.8h:", "vV.4Th, vV.4s:", "vV.2Ts, vV.2d:"},
	"convert vv":  {"vV.4s, vV.4Th:", "vV.2d, vV.2Ts:"},
	"across fv":   {"bV, vV.T:8b 16b", "hV, vV.T:4h 8h", "sV, vV.4s:"},
	"left vv#":    {"vV.T, vV.T, #N(0,7,1):8b 16b", "vV.T, vV.T, #N(0,15,1):4h 8h", "vV.T, vV.T, #N(0,31,1):2s 4s", "vV.2d, vV.2d, #N(0,63,1):"},
	"right vv#":   {"vV.T, vV.T, #N(1,8,1):8b 16b", "vV.T, vV.T, #N(1,16,1):4h 8h", "vV.T, vV.T, #N(1,32,1):2s 4s", "vV.2d, vV.2d, #N(1,64,1):"},
	"widen vv#":   {"vV.8h, vV.8Tb, #N(0,7,1):", "vV.4s, vV.4Th, #N(0,15,1):", "vV.2d, vV.2Ts, #N(0,31,1):"},
	"ext vvv#":    {"vV.16b, vV.16b, vV.16b, #N(0,15,1):"},
	"table v{v":   {"vV.T, {vV.16b}, vV.T:8b 16b"},
	"element ve":  {"vV.T, vV.b[I]|16:8b 16b", "vV.T, vV.h[I]|8:4h 8h", "vV.T, vV.s[I]|4:2s 4s", "vV.2d, vV.d[I]|2:"},
	"general vw":  {"vV.T, wX:8b 16b 4h 8h 2s 4s"},
	"general vx":  {"vV.2d, xX:"},
	"element ee":  {"vV.b[I], vV.b[I]|16:", "vV.h[I], vV.h[I]|8:", "vV.s[I], vV.s[I]|4:", "vV.d[I], vV.d[I]|2:"},
	"general ew":  {"vV.b[I], wX|16:", "vV.h[I], wX|8:", "vV.s[I], wX|4:"},
	"general ex":  {"vV.d[I], xX|2:"},
	"w we":        {"wX, vV.b[I]|16:", "wX, vV.h[I]|8:", "wX, vV.s[I]|4:"},
	"x xe":        {"xX, vV.d[I]|2:"},
	"four vve":    {"vV.4s, vV.16b, vV.4b[I]|4:"},
	"by vve":      {"vV.T, vV.T, vV.s[I]|4:2s 4s", "vV.2d, vV.2d, vV.d[I]|2:"},
	"scaled fm":   {"qV, [xX, #N(0,65520,16)]:", "dV, [xX, #N(0,32760,8)]:", "sV, [xX, #N(0,16380,4)]:", "hV, [xX, #N(0,8190,2)]:", "bV, [xX, #N(0,4095,1)]:"},
	"unscaled fm": {"FV, [xX, #N(-256,-1,1)]:q d s h b"},
	"pair ffm":    {"qV, qV, [xX, #N(-1024,1008,16)]:"},
	"splat {m":    {"{vV.T}, [xX]:8b 16b 4h 8h 2s 4s 1d 2d"},
	"lane {m":     {"{vV.b}[I], [xX]|16:", "{vV.h}[I], [xX]|8:", "{vV.s}[I], [xX]|4:", "{vV.d}[I], [xX]|2:"},
	"byte v#":     {"vV.16b, #N(0,255,1):"},
	"single v#":   {"vV.T, #1.5:4s 2d", "vV.T, #-0.25:4s 2d", "vV.T, #31:4s 2d", "vV.T, #0.125:4s 2d", "vV.T, #1:4s 2d", "vV.T, #-2.5:4s 2d"},
	"scalar fff":  {"FV, FV, FV:s d"},
	"scalar ffff": {"FV, FV, FV, FV:s d"},
	"scalar ff":   {"FV, FV:s d"},
	"convert ff":  {"dV, sV:", "sV, dV:"},
	"to wf":       {"wX, sV:"},
	"to xf":       {"xX, dV:"},
	"from fw":     {"sV, wX:"},
	"from fx":     {"dV, xX:"},
}

// instructions returns some instructions of every name of every form.
func instructions(random *rand.Rand, each int) (texts []string) {
	for _, f := range forms {
		templates := operandsOf[f.class+" "+f.signature]
		for _, name := range strings.Fields(f.names) {
			for i := range each {
				text := name + " " + fill(random, templates[i%len(templates)], strings.HasSuffix(name, "2") && f.class != "int")
				if strings.HasPrefix(name, "fcvtn") { // its operands are those of fcvtl in the other order
					text = name + " " + exchange(text[len(name)+1:])
				}
				if name == "ldp" && text[len("ldp q"):strings.Index(text, ",")] == strings.TrimPrefix(strings.Fields(text)[2], "q")[:len(strings.Fields(text)[2])-2] {
					continue // unpredictable
				}
				if name == "uaddlv" {
					text = strings.NewReplacer(" s", " d", " h", " s", " b", " h").Replace(text[:8]) + text[8:]
				}
				texts = append(texts, text)
			}
		}
	}
	return texts
}

func exchange(operands string) string {
	a, b, _ := strings.Cut(operands, ", ")
	return b + ", " + a
}

func fill(random *rand.Rand, template string, upper bool) string {
	text, choices, _ := strings.Cut(template, ":")
	arrangement := ""
	if c := strings.Fields(choices); len(c) > 0 {
		arrangement = c[random.IntN(len(c))]
	}
	text, count, _ := strings.Cut(text, "|")
	indices := 1
	if count != "" {
		indices = number(count)
	}
	// In an instruction on the upper half of a vector, that vector has twice as many elements.
	for _, half := range []struct{ pattern, lower, upper string }{{"8Tb", "8b", "16b"}, {"4Th", "4h", "8h"}, {"2Ts", "2s", "4s"}} {
		if upper {
			text = strings.ReplaceAll(text, half.pattern, half.upper)
		}
		text = strings.ReplaceAll(text, half.pattern, half.lower)
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case 'V':
			fmt.Fprint(&b, random.IntN(32))
		case 'X':
			fmt.Fprint(&b, random.IntN(30))
		case 'T', 'F':
			b.WriteString(arrangement)
		case 'I':
			fmt.Fprint(&b, random.IntN(indices))
		case 'N':
			var low, high, step int
			end := strings.IndexByte(text[i:], ')') + i
			fmt.Sscanf(text[i:end+1], "N(%d,%d,%d)", &low, &high, &step)
			fmt.Fprint(&b, low+step*random.IntN((high-low)/step+1))
			i = end
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// TestAgainstGNU compares thousands of instructions with those of GNU as.
func TestAgainstGNU(t *testing.T) {
	as, err := exec.LookPath("aarch64-linux-gnu-as")
	if err != nil {
		t.Skip("aarch64-linux-gnu-as is not installed: testing/arm64/run installs it")
	}
	texts := instructions(rand.New(rand.NewPCG(1, 2)), 60)
	dir := t.TempDir()
	source, object, raw := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o"), filepath.Join(dir, "a")
	if err := os.WriteFile(source, []byte(strings.Join(texts, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{as, "-march=armv8.2-a+dotprod", "-o", object, source}, {strings.TrimSuffix(as, "as") + "objcopy", "-O", "binary", object, raw}} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	words, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	if len(words) != 4*len(texts) {
		t.Fatalf("%d bytes for %d instructions", len(words), len(texts))
	}
	for i, text := range texts {
		if got, want := assemble(text), binary.LittleEndian.Uint32(words[4*i:]); got != want {
			t.Errorf("%s: %08x, want %08x", text, got, want)
		}
	}
	t.Log(len(texts), "instructions")
}

// TestEncodings compares an instruction of every name of every form with a table that GNU as made.
func TestEncodings(t *testing.T) {
	texts := instructions(rand.New(rand.NewPCG(3, 4)), 1)
	var table bytes.Buffer
	for _, text := range texts {
		fmt.Fprintf(&table, "%08x %s\n", assemble(text), text)
	}
	want, err := os.ReadFile("testdata/encodings.txt")
	if err != nil || !bytes.Equal(want, table.Bytes()) {
		t.Errorf("the encodings differ from testdata/encodings.txt (%v):\n%s", err, table.Bytes())
	}
}

func TestFloatImmediates(t *testing.T) {
	for _, v := range []float64{1, -1, 0.5, 31, 0.125, 2, -3.875} {
		if _, ok := asFloatImmediate(v); !ok {
			t.Errorf("%v is an immediate number", v)
		}
	}
	for _, v := range []float64{0, 32, 0.1, 1 + 1.0/32, math.Inf(1), math.NaN(), math.Copysign(0, -1), 0x1p-4} {
		if _, ok := asFloatImmediate(v); ok {
			t.Errorf("%v is no immediate number", v)
		}
	}
}

// TestCommittedWords compares every word of the committed assembly with the instruction in its comment.
func TestCommittedWords(t *testing.T) {
	files, err := filepath.Glob("../../*/*_arm64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no assembly: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		words := 0
		for _, line := range strings.Split(string(text), "\n") {
			word, instruction, ok := strings.Cut(strings.TrimPrefix(line, "\tWORD $"), " // ")
			if !ok || word == line {
				continue
			}
			words++
			if want := fmt.Sprintf("0x%08x", assemble(instruction)); word != want {
				t.Errorf("%s: %s, want %s", file, line, want)
			}
		}
		if words == 0 {
			t.Errorf("%s has no words", file)
		}
	}
}
