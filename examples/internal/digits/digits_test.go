package digits

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
)

func TestEmbeddedImages(t *testing.T) {
	train, test, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if train.Count() != 1797-testImages || test.Count() != testImages {
		t.Errorf("%d and %d images", train.Count(), test.Count())
	}
	var seen [Classes]int
	for _, label := range nd.ToSlice[int64](test.Labels) {
		seen[label]++
	}
	for digit, n := range seen {
		if n < testImages/20 {
			t.Errorf("only %d of %d test images show a %d: are they shuffled?", n, testImages, digit)
		}
	}
	for _, v := range nd.ToSlice[float32](train.X) {
		if v < 0 || v > 1 {
			t.Fatalf("a pixel has brightness %v, want 0 to 1", v)
		}
	}
}

func row(pixel, label string) string { return strings.Repeat(pixel+",", Pixels) + label + "\n" }

func TestParse(t *testing.T) {
	got, err := parse(strings.NewReader(row("16", "9") + "\n" + row("0", "0")))
	if err != nil {
		t.Fatal(err)
	}
	if x := nd.ToSlice[float32](got.X); got.Count() != 2 || x[0] != 1 || x[Pixels] != 0 {
		t.Errorf("parsed %v", got.X)
	}
	if labels := nd.ToSlice[int64](got.Labels); !cmp.Equal(labels, []int64{9, 0}) {
		t.Errorf("labels %v", labels)
	}
}

func TestParseRefuses(t *testing.T) {
	good := row("3", "7")
	for name, text := range map[string]string{
		"nothing":         "",
		"blank lines":     "\n\n",
		"too few":         "1,2,3\n",
		"too many":        strings.Repeat("0,", Pixels+1) + "0\n",
		"second too few":  good + "1,2,3\n",
		"too bright":      row("17", "1"),
		"dark":            row("-1", "1"),
		"label":           row("0", "10"),
		"negative label":  row("0", "-1"),
		"fraction":        row("1.5", "1"),
		"exponent":        row("1e1", "1"),
		"text":            row("x", "1"),
		"empty field":     row("", "1"),
		"space":           row(" 1", "1"),
		"not a number":    row("NaN", "1"),
		"huge":            row("99999999999999999999999999", "1"),
		"quote":           row("\"1", "1"),
		"zero bytes":      good + strings.Repeat("\x00", 100),
		"cut off":         good + good[:40],
		"a very long one": strings.Repeat("1", 1<<20),
		"too many rows":   strings.Repeat(row("0", "1"), maxRows+1),
	} {
		if got, err := parse(strings.NewReader(text)); err == nil {
			t.Errorf("%s: accepted as %d images", name, got.Count())
		} else if len(err.Error()) > 200 {
			t.Errorf("%s: an error of %d characters", name, len(err.Error()))
		}
	}
}

func TestParseOfGarbage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		text := []byte(row("3", "7") + row("0", "0"))
		for range 1 + rng.IntN(3) {
			text[rng.IntN(len(text))] = byte(rng.IntN(256))
		}
		_, _ = parse(bytes.NewReader(text)) // it returns an error or images, and never panics
	}
}
