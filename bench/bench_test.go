package bench

import (
	"flag"
	"slices"
	"strings"
	"testing"

	_ "github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/testing/deferring"
)

var onDevice = flag.String("device", "cpu", "the device that cases are computed on, such as cuda:0")

// BenchmarkCases runs every case: -bench 'Cases/matmul' selects a group.
func BenchmarkCases(b *testing.B) {
	dev, err := device.Get(*onDevice)
	if err != nil {
		b.Fatal(err)
	}
	On(dev)
	defer On(nil)
	b.Setenv("TMPDIR", b.TempDir())
	for _, c := range Cases() {
		b.Run(c.Name, func(b *testing.B) {
			call := c.Setup()
			b.ReportAllocs()
			if c.Bytes > 0 {
				b.SetBytes(int64(c.Bytes))
			}
			for b.Loop() {
				if y := call(); y != nil {
					y.Release()
				}
			}
			if err := Wait(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.Per), "ns/operation")
			if c.Flops > 0 {
				b.ReportMetric(c.Flops*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
			}
		})
	}
}

// TestFiles reads and writes a file of every kind.
func TestFiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	x := f32(2, 2)
	for _, k := range fileKinds() {
		if err := k.save(k.path(), x); err != nil {
			t.Errorf("%s: %v", k.name, err)
			continue
		}
		if y, err := k.load(k.path()); err != nil || y.String() != x.String() {
			t.Errorf("%s: read %v, %v, want %v", k.name, y, err, x)
		}
	}
}

// TestCases runs the small cases twice, on the CPU and on a device whose memory the host cannot see, and checks the
// names.
func TestCases(t *testing.T) {
	for _, name := range []string{"cpu", "deferring"} {
		t.Run(name, func(t *testing.T) {
			dev, err := device.Get(name)
			if err != nil {
				t.Fatal(err)
			}
			On(dev)
			defer On(nil)
			testCases(t)
		})
	}
}

func testCases(t *testing.T) {
	var names []string
	for _, c := range Cases() {
		names = append(names, c.Name)
		small := strings.Contains(c.Name, "1e3") || Program.MatchString(c.Name) && !strings.Contains(c.Name, "1.6e7") || strings.HasPrefix(c.Name, "dispatch/") || strings.Contains(c.Name, "tiny") || strings.Contains(c.Name, "/256/")
		if !small {
			continue
		}
		call := c.Setup()
		for range 2 {
			y := call()
			if (y != nil) != c.Returns {
				t.Errorf("%s returns %v; it is marked %v", c.Name, y, c.Returns)
			}
			y.Release()
		}
		if err := Wait(); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	if len(names) != 658 {
		t.Errorf("%d cases, want 658", len(names))
	}
	slices.Sort(names)
	if unique := len(slices.Compact(slices.Clone(names))); unique != len(names) {
		t.Errorf("only %d of %d names differ", unique, len(names))
	}
	if n := len(slices.DeleteFunc(names, func(name string) bool { return !Quick.MatchString(name) })); n < 35 || n > 50 {
		t.Errorf("the quick subset has %d cases", n)
	}
}
