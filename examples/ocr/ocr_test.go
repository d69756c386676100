package main

import (
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

var models = flag.String("models", "", "folder with the models: testing/onnx/fetch.sh fetches them")

// near reports whether two boxes have about the same corners.
func near(a, b box, within float64) bool {
	for i := range a {
		if a[i].minus(b[i]).length() > within {
			return false
		}
	}
	return true
}

// TestBoxes finds an upright and a slanted line in a map, and neither a speck nor a faint one.
func TestBoxes(t *testing.T) {
	m := probabilities{width: 200, height: 120, values: make([]float32, 200*120)}
	slanted := box{{100, 40}, {170, 80}, {164, 90.5}, {94, 50.5}}
	right, down := slanted[1].minus(slanted[0]), slanted[3].minus(slanted[0])
	for y := range m.height {
		for x := range m.width {
			p := point{float64(x), float64(y)}.minus(slanted[0])
			a, b := p.dot(right)/right.dot(right), p.dot(down)/down.dot(down)
			switch at := &m.values[y*m.width+x]; {
			case x >= 10 && x <= 80 && y >= 20 && y <= 30:
				*at = 0.9
			case a >= 0 && a <= 1 && b >= 0 && b <= 1:
				*at = 0.8
			case x >= 10 && x <= 60 && y >= 90 && y <= 100:
				*at = 0.4 // too faint
			case x == 180 && y == 10:
				*at = 1
			}
		}
	}
	got := m.boxes()
	want := []box{box{{10, 20}, {80, 20}, {80, 30}, {10, 30}}.grown(growth), slanted.grown(growth)}
	if len(got) != 2 || !near(got[0], want[0], 1e-6) || !near(got[1], want[1], 2.5) {
		t.Errorf("boxes %.1f, want %.1f", got, want)
	}
}

func TestBox(t *testing.T) {
	b := box{{0, 0}, {10, 0}, {10, 4}, {0, 4}}
	if g := b.grown(1.4); !near(g, box{{-2, -2}, {12, -2}, {12, 6}, {-2, 6}}, 1e-9) {
		t.Errorf("grown %.1f", g)
	}
	if u := b.turned().turned().upright(); u != b {
		t.Errorf("upright %.1f", u)
	}
	if tall := (box{{0, 0}, {4, 0}, {4, 10}, {0, 10}}).upright(); tall.width() != 10 || tall[0] != (point{4, 0}) {
		t.Errorf("a tall box %.1f", tall)
	}
	if s := smallest([]point{{3, 3}}); s.width() != 0 || s.height() != 0 {
		t.Errorf("around a point %.1f", s)
	}
	if s := smallest([]point{{1, 1}, {5, 1}, {5, 3}, {1, 3}, {2, 2}}); !near(s, box{{1, 1}, {5, 1}, {5, 3}, {1, 3}}, 1e-9) {
		t.Errorf("around a rectangle %.1f", s)
	}
}

func TestDecode(t *testing.T) {
	text, confidence := decode([]int{0, 1, 1, 0, 1, 2, 0, 3, 0}, []float32{1, 0.9, 0.1, 1, 0.7, 0.5, 1, 0.3, 1}, []string{"", "a", "b", " "})
	if text != "aab" || math.Abs(confidence-0.6) > 1e-6 {
		t.Errorf("%q, %v", text, confidence)
	}
	if text, confidence := decode([]int{0, 0}, []float32{1, 1}, nil); text != "" || confidence != 0 {
		t.Errorf("%q, %v of nothing", text, confidence)
	}
}

// TestFill: the planes are blue, green and red, and a turned box gives a turned picture.
func TestFill(t *testing.T) {
	picture := image.NewRGBA(image.Rect(0, 0, 4, 2))
	for x := range 4 {
		for y := range 2 {
			picture.Set(x, y, color.RGBA{R: uint8(60 * x), G: 255, B: uint8(100 * y), A: 255})
		}
	}
	b := box{{0, 0}, {4, 0}, {4, 2}, {0, 2}}
	planes, turned := make([]float32, 3*2*5), make([]float32, 3*2*5)
	fill(planes, 5, 4, 2, picture, b)
	fill(turned, 5, 4, 2, picture, b.turned())
	for y := range 2 {
		for x := range 4 {
			for c, want := range []float64{float64(100 * y), 255, float64(60 * x)} {
				at, opposite := (c*2+y)*5+x, (c*2+1-y)*5+3-x
				if got := float64(planes[at]+1) * 127.5; math.Abs(got-want) > 1e-3 || planes[at] != turned[opposite] {
					t.Errorf("plane %d at %d, %d: %.1f and %.2f, want %.1f", c, x, y, got, turned[opposite], want)
				}
			}
		}
	}
}

// TestReads reads a page that it has drawn. It needs the models.
func TestReads(t *testing.T) {
	if *models == "" {
		t.Skip("no -models: testing/onnx/examples.sh fetches them and runs the test")
	}
	text := []string{"Gradients of any model", "run, trained further and handed back", "in one static binary, 2026"}
	page := image.NewRGBA(image.Rect(0, 0, 900, 420))
	draw.Draw(page, page.Bounds(), image.White, image.Point{}, draw.Src)
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 40, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range text {
		d := font.Drawer{Dst: page, Src: image.Black, Face: face, Dot: fixed.P(40, 90+120*i)}
		d.DrawString(l)
	}
	for _, turned := range []bool{false, true} {
		if turned {
			for i, j := 0, len(page.Pix)-4; i < j; i, j = i+4, j-4 {
				a, b := [4]byte(page.Pix[i:]), [4]byte(page.Pix[j:])
				copy(page.Pix[i:], b[:])
				copy(page.Pix[j:], a[:])
			}
		}
		path := filepath.Join(t.TempDir(), "page.png")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, page); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		boxes := filepath.Join(t.TempDir(), "boxes.png")
		if err := run(&out, *models, path, boxes); err != nil {
			t.Fatal(err)
		}
		t.Logf("upside down: %v\n%s", turned, &out)
		for _, l := range text {
			if !strings.Contains(out.String(), "  "+l+"\n") {
				t.Errorf("upside down: %v: %q is missing in\n%s", turned, l, &out)
			}
		}
		if drawn, err := open(boxes); err != nil || drawn.Bounds() != page.Bounds() {
			t.Errorf("the picture with the boxes: %v", err)
		}
	}
}

func TestRefuses(t *testing.T) {
	folder := t.TempDir()
	if _, err := load(folder); err == nil || !strings.Contains(err.Error(), "_det_infer.onnx") {
		t.Errorf("a folder without models: %v", err)
	}
	path := filepath.Join(folder, "no.png")
	if err := run(&strings.Builder{}, folder, path, ""); err == nil {
		t.Error("a missing picture is accepted")
	}
	if err := os.WriteFile(path, []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(&strings.Builder{}, folder, path, ""); err == nil || !strings.Contains(err.Error(), "no.png") {
		t.Errorf("no picture: %v", err)
	}
}
