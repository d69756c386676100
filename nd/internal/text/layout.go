package text

// Layout says which elements of an array are shown: the first Leading and the last Trailing ones along each axis.
type Layout []AxisLayout

// AxisLayout is one axis of a [Layout]. Leading + Trailing is the length of the axis in the shown values.
type AxisLayout struct {
	Size       int  // length of the axis in the array
	Leading    int  // items shown at its beginning
	Trailing   int  // items shown at its end
	Summarised bool // "..." stands between the two
}

// Layout returns which elements of an array of the given shape the printing methods need.
//
// With EdgeItems 0 a summarised axis shows its last item only. As in NumPy, all of its items determine the width of the
// columns; so the layout contains all of them.
func (o Options) Layout(shape []int) Layout {
	summarises := o.summarises(shape)
	edge := o.edgeItems()
	layout := make(Layout, len(shape))
	for axis, length := range shape {
		layout[axis] = AxisLayout{Size: length, Leading: length}
		if summarises && length-edge > edge {
			layout[axis] = AxisLayout{Size: length, Leading: edge, Trailing: edge, Summarised: true}
			if edge == 0 {
				layout[axis].Trailing = length
			}
		}
	}
	return layout
}

// ShownShape returns the shape of the shown values.
func (l Layout) ShownShape() []int {
	shape := make([]int, len(l))
	for axis, a := range l {
		shape[axis] = a.Leading + a.Trailing
	}
	return shape
}
