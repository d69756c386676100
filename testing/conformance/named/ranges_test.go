package named_test

import (
	"bytes"
	"runtime/trace"
	"slices"
	"testing"
)

// TestRanges writes marks and ranges to Go's execution trace, which needs no GPU, and looks for their names there.
func TestRanges(t *testing.T) {
	var out bytes.Buffer
	if err := trace.Start(&out); err != nil {
		t.Skip(err) // a trace is running
	}
	var order []string
	note := func(text string) { order = append(order, text) }
	marks := []string{"cupy.cuda.nvtx.Mark", "cupy.cuda.nvtx.MarkC"}
	for _, name := range marks {
		call(t, name, "the text of "+name, 3)
	}
	ranges := []string{"cupy.cuda.nvtx.RangePush", "cupy.cuda.nvtx.RangePushC", "cupy.nvtx.range", "cupy.prof.time_range"}
	for _, name := range ranges {
		end := one[func()](t, name, "the text of "+name)
		call(t, "cupy.cuda.nvtx.RangePop", func() { end(); note("end of " + name) })
	}
	decorate := one[func(func()) func()](t, "cupy.prof.TimeRangeDecorator", "the text of cupy.prof.TimeRangeDecorator")
	decorated := decorate(func() { note("body") })
	note("decorated")
	decorated()
	trace.Stop()
	for _, name := range append(append(marks, ranges...), "cupy.prof.TimeRangeDecorator") {
		if !bytes.Contains(out.Bytes(), []byte("the text of "+name)) {
			t.Errorf("%s leaves nothing in the trace", name)
		}
	}
	want := []string{"end of cupy.cuda.nvtx.RangePush", "end of cupy.cuda.nvtx.RangePushC", "end of cupy.nvtx.range", "end of cupy.prof.time_range", "decorated", "body"}
	if !slices.Equal(order, want) {
		t.Errorf("order %q, want %q", order, want)
	}
}
