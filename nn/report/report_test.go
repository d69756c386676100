package report_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/report"
)

// A model reports under the names of its parts, and means are taken over the times that a name came.
func ExampleReporter() {
	var sums report.Summaries
	for update := range 4 {
		var observed report.Values
		r := report.New(&observed).Sub("main")
		r.Report("loss", nd.Scalar(1/float64(update+1)))
		if update%2 == 1 {
			r.Value("accuracy", 0.25*float64(update))
		}
		sums.Add(&observed)
	}
	for name, mean := range sums.Means().All() {
		fmt.Printf("%s %.3f\n", name, mean)
	}
	// Output:
	// main/loss 0.521
	// main/accuracy 0.500
}

func TestValues(t *testing.T) {
	var v report.Values
	for k, name := range []string{"b", "a", "b"} {
		v.Set(name, float64(k))
	}
	if got := v.Names(); !slices.Equal(got, []string{"b", "a"}) || v.Len() != 2 {
		t.Errorf("names %v", got)
	}
	if x, ok := v.Get("b"); x != 2 || !ok {
		t.Errorf("b is %v, %v", x, ok)
	}
	if _, ok := v.Get("c"); ok {
		t.Error("there is a c")
	}
	for range v.All() {
		break
	}
	v.Clear()
	if v.Set("c", 1); v.Len() != 1 {
		t.Errorf("names %v after Clear", v.Names())
	}
}

func TestReporter(t *testing.T) {
	var nobody *report.Reporter
	nobody.Sub("main").Report("loss", nd.Scalar(1))
	nobody.Value("x", 1)
	var v report.Values
	r := report.New(&v)
	r.Sub("").Sub("a").Sub("b").Report("x", nd.Full([]int{1, 1}, 3))
	r.Report("missing", nil)
	if x, ok := v.Get("a/b/x"); x != 3 || !ok || v.Len() != 1 {
		t.Errorf("reported %v", v.Names())
	}
	for _, x := range []*nd.Array{nd.Zeros([]int{2}), nd.Scalar(complex(1, 2))} {
		if err := nd.Catch(func() { r.Report("x", x) }); err == nil || !strings.Contains(err.Error(), `"x": want one real number`) {
			t.Errorf("error %v", err)
		}
	}
}

func TestStatistics(t *testing.T) {
	var s report.Summary
	if !math.IsNaN(s.Mean()) {
		t.Errorf("the mean of nothing is %v", s.Mean())
	}
	for _, x := range []float64{1, 2, 4} {
		s.Add(x)
	}
	if mean, std := s.Statistics(); math.Abs(mean-7./3) > 1e-15 || math.Abs(std-math.Sqrt(14./9)) > 1e-15 || s.Count() != 3 {
		t.Errorf("mean %v, deviation %v of %d", mean, std, s.Count())
	}
	var all report.Summaries
	all.AddValue("x", 0.1)
	all.AddValue("x", 0.1)
	if v, _ := all.Statistics().Get("x.std"); v != 0 {
		t.Errorf("the deviation of equal numbers is %v", v)
	}
}

// Sums are restored as they are, in their order, also by an object that had others.
func TestSummariesResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sums.npz")
	var saved, restored report.Summaries
	for k, name := range []string{"main/loss", `with "quotes"`, "main/loss"} {
		saved.AddValue(name, float64(k)/3)
	}
	restored.AddValue("other", 1)
	for range 2 { // the second time without names
		if err := archive.Save(path, &saved); err != nil {
			t.Fatal(err)
		}
		if err := archive.Load(path, &restored); err != nil {
			t.Fatal(err)
		}
		if got, want := restored.Statistics(), saved.Statistics(); !slices.Equal(got.Names(), want.Names()) {
			t.Errorf("names %v, want %v", got.Names(), want.Names())
		} else {
			for name, v := range want.All() {
				if x, _ := got.Get(name); x != v {
					t.Errorf("%s is %v, want %v", name, x, v)
				}
			}
		}
		saved.Clear()
	}
	bad := archive.Func(func(a *archive.Archive) {
		text := "no JSON"
		a.Text("_names", &text)
	})
	if err := archive.Save(path, bad); err != nil {
		t.Fatal(err)
	}
	if err := archive.Load(path, &restored); err == nil || !strings.Contains(err.Error(), "no list of texts") {
		t.Errorf("error %v", err)
	}
}
