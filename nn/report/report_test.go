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

// A model reports under the names of its parts, and means are taken over the times that a name was reported.
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

// listed returns the values as text, in their order.
func listed(v *report.Values) string {
	var b strings.Builder
	for name, x := range v.All() {
		fmt.Fprintf(&b, "%s=%.4g ", name, x)
	}
	return strings.TrimSpace(b.String())
}

func TestValues(t *testing.T) {
	var v report.Values
	if x, ok := v.Get("loss"); ok || x != 0 || v.Len() != 0 || listed(&v) != "" {
		t.Errorf("the zero value has %v", listed(&v))
	}
	v.Clear()
	v.Set("loss", 1)
	v.Set("accuracy", 2)
	v.Set("loss", 3) // keeps its position
	if got := listed(&v); got != "loss=3 accuracy=2" {
		t.Error(got)
	}
	names := v.Names()
	names[0] = "mine"
	if got := v.Names(); !slices.Equal(got, []string{"loss", "accuracy"}) {
		t.Errorf("names %v", got)
	}
	for range v.All() {
		break // a walk may end early
	}
	v.Clear()
	v.Set("accuracy", 4)
	v.Set("loss", 5)
	if got := listed(&v); got != "accuracy=4 loss=5" {
		t.Errorf("after Clear: %s", got)
	}
}

func TestReporter(t *testing.T) {
	var v report.Values
	r := report.New(&v)
	main := r.Sub("main")
	main.Value("loss", 1)
	main.Sub("encoder").Report("norm", nd.FromSlice([]float32{0.5}))
	main.Sub("").Report("count", nd.FromSlice([]int64{7}).Reshape())
	r.Value("free", 2)
	r.Report("absent", nil)
	if got := listed(&v); got != "main/loss=1 main/encoder/norm=0.5 main/count=7 free=2" {
		t.Error(got)
	}
}

func TestNilReporterForgets(t *testing.T) {
	var r *report.Reporter
	if r.Sub("main") != nil {
		t.Error("a part of nobody's reporter is somebody's")
	}
	r.Value("loss", 1)
	r.Report("loss", nd.FromSlice([]float64{1, 2})) // Report does not look at the array
	r.Sub("main").Report("loss", nil)
}

func TestReporterRefuses(t *testing.T) {
	var v report.Values
	r := report.New(&v).Sub("main")
	for _, x := range []*nd.Array{nd.FromSlice([]float32{1, 2}), nd.FromSlice([]complex64{1})} {
		err := nd.Catch(func() { r.Report("loss", x) })
		if err == nil || !strings.Contains(err.Error(), `Reporter.Report: "main/loss": want one real number`) {
			t.Errorf("error %v", err)
		}
	}
	if v.Len() != 0 {
		t.Errorf("%s is noted", listed(&v))
	}
}

func TestSummary(t *testing.T) {
	var s report.Summary
	if mean, std := s.Statistics(); s.Count() != 0 || !math.IsNaN(mean) || !math.IsNaN(std) {
		t.Errorf("of nothing: %g, %g", mean, std)
	}
	for _, x := range []float64{2, 4, 4, 4, 5, 5, 7, 9} {
		s.Add(x)
	}
	if mean, std := s.Statistics(); s.Count() != 8 || s.Mean() != 5 || mean != 5 || std != 2 {
		t.Errorf("mean %g, deviation %g", mean, std)
	}
	// The difference of squares of equal numbers may come out below 0.
	s = report.Summary{}
	for range 3 {
		s.Add(0.1)
	}
	if _, std := s.Statistics(); !(std >= 0 && std < 1e-8) {
		t.Errorf("deviation %g", std)
	}
	s.Add(math.NaN())
	if !math.IsNaN(s.Mean()) {
		t.Errorf("mean %g", s.Mean())
	}
}

// summaries returns summaries of two names, the second of which was added once.
func summaries() *report.Summaries {
	var s report.Summaries
	var v report.Values
	v.Set("loss", 1)
	s.Add(&v)
	v.Set("accuracy", 0.5)
	v.Set("loss", 3)
	s.Add(&v)
	s.AddValue("loss", 5)
	return &s
}

func TestSummaries(t *testing.T) {
	s := summaries()
	if got := listed(s.Means()); got != "loss=3 accuracy=0.5" {
		t.Errorf("means %s", got)
	}
	if got := listed(s.Statistics()); got != "loss=3 accuracy=0.5 loss.std=1.633 accuracy.std=0" { // √(8/3)
		t.Errorf("statistics %s", got)
	}
	s.Clear()
	if got := s.Means(); got.Len() != 0 {
		t.Errorf("after Clear %s", listed(got))
	}
	s.AddValue("loss", 1)
	if got := listed(s.Means()); got != "loss=1" {
		t.Errorf("after Clear %s", got)
	}
}

// Sums from a file replace those of the Summaries that reads it, and adding continues from them.
func TestSummariesArchive(t *testing.T) {
	for _, extension := range []string{".npz", ".safetensors", ".h5"} {
		path := filepath.Join(t.TempDir(), "sums"+extension)
		saved := summaries()
		saved.AddValue(`with "quotes"`, 2)
		if err := archive.Save(path, saved); err != nil {
			t.Fatal(err)
		}
		var s report.Summaries
		s.AddValue("other", 1)
		if err := archive.Load(path, &s); err != nil {
			t.Fatal(err)
		}
		s.AddValue("accuracy", 1.5)
		if got := listed(s.Means()); got != `loss=3 accuracy=1 with "quotes"=2` {
			t.Errorf("%s: %s", extension, got)
		}
		if err := archive.Save(path, &report.Summaries{}); err != nil {
			t.Fatal(err)
		}
		if err := archive.Load(path, &s); err != nil || s.Means().Len() != 0 {
			t.Errorf("%s: of nothing: %s, error %v", extension, listed(s.Means()), err)
		}
	}
}

// names is an object whose file has the names of summaries and no sums.
type names string

func (n names) Archive(a *archive.Archive) {
	text := string(n)
	a.Text("_names", &text)
}

func TestSummariesRefuseFiles(t *testing.T) {
	for text, want := range map[string]string{
		"[":        "not a list of texts",
		`{"a": 1}`: "not a list of texts",
		`["a"]`:    "_summaries/0/_n",
	} {
		path := filepath.Join(t.TempDir(), "sums.npz")
		if err := archive.Save(path, names(text)); err != nil {
			t.Fatal(err)
		}
		s := summaries()
		if err := archive.Load(path, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
		if got := listed(s.Means()); got != "loss=3 accuracy=0.5" {
			t.Errorf("%s: now %s", text, got)
		}
	}
}
