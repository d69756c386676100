package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const printed = `go run ./bench/compare -quick
go1.26.8, linux/amd64, 1 of 2 processors
numpy: numpy 2.4.6, openblas SkylakeX, python 3.11.7, scipy 1.17.1
torch: instructions AVX512, numpy 2.4.6, python 3.11.7, torch 2.15.0+cu132

| case                | ours | unreleased | numpy | torch | ratio | from–to | of limit |
| --- | --- | --- | --- | --- | --- | --- | --- |
| matmul/dot/1e6/f32  | 1 µs | 2 µs | 2 µs | 4 µs | 2.00 | 1.9–2.1 | 0.5 |
| ew/add/1e3/f32      | 1 ms | 8 ms |      | 8 ms | 8.00 | 7–9     |     |
| ew_out/add/1e3/f32  | 2 s  |      | 1 s  |      | 0.50 loss | 0.4–0.6 |     |
| linalg/qr/512/f64   | 9 ms | 9 ms | 1 ms | 1 ms | 0.11 (not counted) | 0.1–0.2 |  |
| ew/alone/1e3/f32    | 5 ns |      |      |      |       |         |     |
| natural/life/f32          | 4 ns |  | 2 ns | | 0.50 | 0.5–0.5 |  |
| natural/life/f32/scope    | 1 ns |  | 2 ns | | 2.00 | 2.0–2.0 |  |
| natural/life/f32/released | 1 ns |  | 3 ns | | 3.00 | 3.0–3.0 |  |

bench: 3 cases

| case                | ours | unreleased | numpy | torch | ratio | from–to | of limit |
| --- | --- | --- | --- | --- | --- | --- | --- |
| sort/sort/1e6/f32  | 1 µs | 2 µs | 2 µs | 4 µs | 2.00 | 1.9–2.1 | 0.5 |
`

func TestReadSaved(t *testing.T) {
	s, err := readSaved(strings.NewReader(printed))
	if err != nil {
		t.Fatal(err)
	}
	if s.command != "go run ./bench/compare -quick" || strings.Join(s.facts, "; ") != "Go 1.26.8; NumPy 2.4.6; PyTorch 2.15.0" {
		t.Errorf("of %s: %v", s.command, s.facts)
	}
	var got strings.Builder
	for _, b := range s.bars() {
		fmt.Fprintf(&got, "%s %.3g %.3g\n", b.title, b.released, b.dropped)
	}
	if want := `all cases [2 8 0.5] [1 1]
matrix products [2] [1]
elementwise [8] [1]
elementwise, with Out [0.5] []
whole programs [3] [0.5]
`; got.String() != want {
		t.Errorf("bars are\n%swant\n%s", &got, want)
	}
	for _, text := range []string{"", "no table", strings.Replace(printed, "| 2 µs", "| 2 weeks", 1), strings.Replace(printed, "| 8.00 |", "| fast |", 1)} {
		if s, err := readSaved(strings.NewReader(text)); err == nil {
			t.Errorf("read %v of %q", s.cases, text)
		}
	}
	if m := geometricMean([]float64{2, 8, 0.5}); math.Abs(m-2) > 1e-15 {
		t.Errorf("the mean is %v", m)
	}
}

// TestPictureIsCurrent draws README's picture from the table that its caption names, and compares it with the committed
// one.
func TestPictureIsCurrent(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	path := filepath.Join(t.TempDir(), "bench.svg")
	if o, _, err := parse([]string{"-table", "docs/performance.md", "-plot", path}); err != nil {
		t.Fatal(err)
	} else if err := run(o, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	drawn, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join("docs", "bench.svg"))
	if err != nil {
		t.Fatal(err)
	}
	const again = "go run ./bench/compare -table docs/performance.md -plot docs/bench.svg"
	if strings.ReplaceAll(string(drawn), path, "docs/bench.svg") != string(kept) {
		t.Errorf("docs/bench.svg does not show the current table: run %s", again)
	}
	for _, file := range []string{"README.md", "docs/performance.md"} {
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "bench.svg)") || !strings.Contains(string(text), "`"+again+"`") {
			t.Errorf("%s does not show the picture, or does not name the command that made it (%v)", file, err)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(string(drawn))); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestPictureRefuses(t *testing.T) {
	for _, args := range [][]string{{"-table", "x"}, {"-plot", "x", "-memory"}, {"-plot", "x", "-garbage"}, {"-plot", "x", "-against", "y"}} {
		if _, _, err := parse(args); err == nil {
			t.Errorf("%v was accepted", args)
		}
	}
	dir := t.TempDir()
	for _, table := range []string{filepath.Join(dir, "nowhere"), "main.go"} { // which has no table
		if err := (options{table: table, picture: filepath.Join(dir, "p.svg")}).plot(nil); err == nil {
			t.Errorf("%s was drawn", table)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}
