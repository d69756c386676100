package pooling

import (
	"slices"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/pool"
)

// Away from the borders all rows of results are computed from the same points, only shifted. So the indices along each
// axis are sorted into classes: the indices of one class have the same points, each counted from its own base.

// axisPoint is a point along an axis: its distance from the base, and its index in the window.
type axisPoint struct{ distance, k int }

// axisClasses says from which points the results along an axis are computed.
type axisClasses struct {
	bases, class []int // by index
	classes      [][]axisPoint
}

// add appends an index. The caller may overwrite the points later.
func (a *axisClasses) add(base int, points []axisPoint) {
	a.bases = append(a.bases, base)
	if n := len(a.class); n > 0 && slices.Equal(a.classes[a.class[n-1]], points) {
		a.class = append(a.class, a.class[n-1])
		return
	}
	c := slices.IndexFunc(a.classes, func(known []axisPoint) bool { return slices.Equal(known, points) })
	if c < 0 {
		c = len(a.classes)
		a.classes = append(a.classes, slices.Clone(points))
	}
	a.class = append(a.class, c)
}

func newAxisClasses(n int) *axisClasses {
	both := make([]int, 2*n)
	return &axisClasses{bases: both[:0:n], class: both[n:n]}
}

// windowClasses says from which elements of the input the windows along an axis are computed.
func (p *plan) windowClasses(axis int) *axisClasses {
	clips := p.clips(axis)
	a := newAxisClasses(len(clips))
	var points []axisPoint
	for o, s := range clips {
		points = points[:0]
		for k := s.from; k < s.to; k++ {
			points = append(points, axisPoint{k * p.window.Dilation[axis], k})
		}
		a.add(o*p.window.Stride[axis]-p.window.Before[axis], points)
	}
	return a
}

// elementClasses says which windows cover the elements of the input along an axis.
func (p *plan) elementClasses(axis int) *axisClasses {
	n := p.input.size[axis]
	a := newAxisClasses(n)
	var points []axisPoint
	for i := range n {
		base := (i + p.window.Before[axis]) / p.window.Stride[axis]
		points = p.windowsOver(axis, i, base, points[:0])
		a.add(base, points)
	}
	return a
}

// windowsOver appends the windows that cover element i along an axis, counted from a base.
func (p *plan) windowsOver(axis, i, base int, points []axisPoint) []axisPoint {
	stride := p.window.Stride[axis]
	for k := range p.kernel[axis] {
		start := i + p.window.Before[axis] - k*p.window.Dilation[axis]
		if o := start / stride; start >= 0 && start%stride == 0 && o < p.result.size[axis] {
			points = append(points, axisPoint{o - base, k})
		}
	}
	return points
}

// run is a part of a row whose results are all computed from the same points. It has one list of points for each phase:
// one phase for windows; for elements under windows, one phase for each element of a group, which has as many elements
// as the stride.
type run struct {
	from, to int // number of results; for elements under windows, of groups
	base     int // of the first
	phases   [][]axisPoint
}

// runsOfWindows returns the runs of a row of windows.
func (p *plan) runsOfWindows() []run {
	a := p.windowClasses(2)
	var runs []run
	for o, c := range a.class {
		if o == 0 || c != a.class[o-1] {
			runs = append(runs, run{from: o, base: a.bases[o], phases: a.classes[c : c+1]})
		}
		runs[len(runs)-1].to = o + 1
	}
	return runs
}

// runsOfElements returns the runs of a row of elements under windows.
func (p *plan) runsOfElements() []run {
	stride, n := p.window.Stride[2], p.input.size[2]
	var runs []run
	for group := 0; group*stride < n; group++ {
		phases := make([][]axisPoint, stride)
		for i := range min(stride, n-group*stride) {
			phases[i] = p.windowsOver(2, group*stride+i, group, nil)
		}
		last := len(runs) - 1
		if last < 0 || !slices.EqualFunc(runs[last].phases, phases, slices.Equal[[]axisPoint]) {
			runs = append(runs, run{from: group, base: group, phases: phases})
			last++
		}
		runs[last].to = group + 1
	}
	return runs
}

// tapList has the points of the results of a run, in a row with given classes: the taps of its phases one after the
// other.
type tapList struct {
	taps []pool.Tap
	ends []int
}

// tapLists finds the lists for rows with given classes, and creates them when they are first requested.
type tapLists struct {
	axes    [2]*axisClasses
	runs    []run
	strides [3]int // of the planes that contain the taps
	kernel  [3]int
	lists   [][]tapList // by the classes of a row
}

func newTapLists(p *plan, first, second *axisClasses, runs []run, strides [3]int) *tapLists {
	return &tapLists{axes: [2]*axisClasses{first, second}, runs: runs, strides: strides, kernel: p.kernel,
		lists: make([][]tapList, len(first.classes)*len(second.classes))}
}

// row returns the lists of the runs of row (i, k), and its base.
func (t *tapLists) row(i, k int) (lists []tapList, base int) {
	a, b := t.axes[0], t.axes[1]
	at := a.class[i]*len(b.classes) + b.class[k]
	if t.lists[at] == nil {
		t.lists[at] = t.make(a.classes[a.class[i]], b.classes[b.class[k]])
	}
	return t.lists[at], a.bases[i]*t.strides[0] + b.bases[k]*t.strides[1]
}

func (t *tapLists) make(first, second []axisPoint) []tapList {
	lists := make([]tapList, len(t.runs))
	for r := range t.runs {
		list := &lists[r]
		for _, third := range t.runs[r].phases {
			for _, a := range first {
				for _, b := range second {
					for _, c := range third {
						list.taps = append(list.taps, pool.Tap{
							At:       a.distance*t.strides[0] + b.distance*t.strides[1] + c.distance*t.strides[2],
							Position: (a.k*t.kernel[1]+b.k)*t.kernel[2] + c.k,
						})
					}
				}
			}
			list.ends = append(list.ends, len(list.taps))
		}
	}
	return lists
}
