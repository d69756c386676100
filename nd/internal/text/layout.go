package text

// Layout says which elements of an array are shown: along each axis, the first Leading and the last Trailing ones.
type Layout []AxisLayout

// AxisLayout is one axis of a [Layout]. Leading + Trailing is the axis's length in the shown values.
type AxisLayout struct {
	Size       int  // length of the axis in the array
	Leading    int  // items shown at its beginning
	Trailing   int  // items shown at its end
	Summarised bool // "..." stands between the two
}

// Layout tells which elements of an array of the given shape the printing methods need.
//
// With EdgeItems 0 a summarised axis shows its last item only, but all of its items count for the width of the columns,
// as in NumPy; so all of them are asked for.
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

// ShownShape is the shape of the shown values.
func (l Layout) ShownShape() []int {
	shape := make([]int, len(l))
	for axis, a := range l {
		shape[axis] = a.Leading + a.Trailing
	}
	return shape
}
