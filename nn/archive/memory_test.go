package archive_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// counter is a count and an array.
type counter struct {
	n int
	x *nd.Array
}

func (c *counter) Archive(a *archive.Archive) {
	a.Int("n", &c.n)
	a.Array("part/x", c.x)
}

func TestCollectAndRestore(t *testing.T) {
	saved := &counter{7, nd.FromSlice([]float32{1, 2})}
	values, err := archive.Collect(saved)
	if err != nil || len(values) != 2 || values[0].Name != "n" || values[1].Name != "part/x" || nd.Value[int](values[0].Array) != 7 {
		t.Fatalf("%v, %v", values, err)
	}
	restored := &counter{0, nd.FromSlice([]float32{0, 0})}
	if err := archive.Restore("here", values, restored); err != nil || restored.n != 7 || nd.ToSlice[float32](restored.x)[1] != 2 {
		t.Errorf("restored %v, %v", restored, err)
	}
	other := &counter{3, nd.FromSlice([]float32{5, 5, 5})}
	if err := archive.Restore("here", values, other); err == nil || !strings.Contains(err.Error(), "archive.Restore: here: ") || other.n != 3 {
		t.Errorf("error %v, count %d", err, other.n)
	}
	if err := archive.Restore("here", append(values, values[0]), &counter{0, nd.FromSlice([]float32{0, 0})}); err == nil || !strings.Contains(err.Error(), `two values "n"`) {
		t.Errorf("error %v", err)
	}
	lenient := &counter{0, nd.FromSlice([]float32{0, 0})}
	if err := archive.Restore("here", values[:1], lenient, archive.LoadOptions{Lenient: true}); err != nil || lenient.n != 7 {
		t.Errorf("error %v, count %d", err, lenient.n)
	}
	text := "text"
	if _, err := archive.Collect(archive.Func(func(a *archive.Archive) { a.Text("t", &text) })); err == nil || !strings.Contains(err.Error(), `"t" is a text`) {
		t.Errorf("error %v", err)
	}
}
