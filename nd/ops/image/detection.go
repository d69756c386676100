package image

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var boxIoU = ufunc.Definition{Fn: "image.BoxIoU", Loop: ufunc.RealFloat,
	In: "T a0, T a1, T a2, T a3, T b0, T b1, T b2, T b3",
	Body: "z = T(0); both = max(min(a2, b2) - max(a0, b0), z) * max(min(a3, b3) - max(a1, b1), z); " +
		"all = max(a2 - a0, z) * max(a3 - a1, z) + max(b2 - b0, z) * max(b3 - b1, z) - both; y = both / (all == 0 ? T(1) : all)"}

// BoxIoU returns the overlap of each box of a with each box of b: the area of their intersection divided by the area of
// their union, or 0 if the union is empty. A box is (x0, y0, x1, y1) with x0 ≤ x1 and y0 ≤ y1; any other box is empty.
// torchvision's box_iou is the same function.
//
// Shapes: a (M…, A, 4), b (M…, B, 4), whose axes M… broadcast; the result (M…, A, B).
func BoxIoU(a, b *nd.Array) *nd.Array {
	fn := boxIoU.Fn
	fn.Check(a, b)
	if a.Rank() < 2 || b.Rank() < 2 || a.Dim(-1) != 4 || b.Dim(-1) != 4 {
		panic(fn.Errorf([]*nd.Array{a, b}, "want boxes (…, 4)"))
	}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	var sides [8]*nd.Array
	for k := range 4 {
		sides[k] = a.Index(nd.Ellipsis(), nd.Span(k, k+1))
		sides[4+k] = b.Index(nd.Ellipsis(), nd.At(k)).ExpandDims(-2)
	}
	return made.Keep(boxIoU.Compute(nil, sides[:]...))
}

// BoxNMSOptions are the options of BoxNMS.
type BoxNMSOptions struct {
	// Overlap is the largest overlap (see BoxIoU) that both boxes survive; above it the box with the lower score is
	// dropped. nil means 0.5.
	Overlap *float64
	// Valid is the score that boxes must exceed.
	Valid float64
	// TopK is the number of boxes to consider, those with the highest scores; the others are dropped. nil, or a
	// negative number, means all; 0 returns x unchanged.
	TopK *int
	// Coordinates is the index of the first of the four coordinates in a row, Score the index of the score; nil means 2
	// and 1.
	Coordinates, Score *int
	// Class is the index of the class in a row; nil, or a negative number, means rows without a class. With classes,
	// only boxes of one class compete, unless Force is set, and boxes of the class Background are dropped; a nil
	// Background drops no class.
	Class      *int
	Background *float64
	Force      bool
	// InCenter says that the coordinates of x are a box's center, width and height instead of its first and last
	// corner; OutCenter says the same of the result. Rows whose first coordinate is negative are not converted.
	InCenter, OutCenter bool
}

// BoxNMS returns the box with the highest score of each set of overlapping boxes: non-maximum suppression. A box is a
// row of numbers, such as (class, score, x0, y0, x1, y1). In the order of descending scores, where ties keep their
// order, a box is kept unless it overlaps too much with a box kept before. The result has the kept rows in this order,
// then rows of -1. Its gradient is that of choosing rows, without the conversion of coordinates. It waits for the
// device.
//
// Shapes: x (M…, N, K), the result the same.
// MXNet: box_nms.
func BoxNMS(x *nd.Array, opts ...BoxNMSOptions) *nd.Array {
	const fn nd.Func = "image.BoxNMS"
	fn.Check(x)
	o := options.Read(fn, opts)
	s := suppression{o: o, coordinates: argument.ValueOr(o.Coordinates, 2), score: argument.ValueOr(o.Score, 1), class: argument.ValueOr(o.Class, -1), topK: argument.ValueOr(o.TopK, -1)}
	if x.Rank() < 2 {
		panic(fn.Errorf([]*nd.Array{x}, "want rows of boxes (…, N, K)"))
	}
	s.rows, s.width = x.Dim(-2), x.Dim(-1)
	if s.coordinates < 0 || s.coordinates > s.width-4 || s.score < 0 || s.score >= s.width || s.class >= s.width {
		panic(fn.Errorf([]*nd.Array{x}, "coordinates from %d, score at %d, class at %d: out of range for rows of length %d", s.coordinates, s.score, s.class, s.width))
	}
	if s.topK == 0 {
		x = argument.Float(fn, x)
		return x.Copy()
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = argument.Float(fn, x)
	var kept []int
	if x.DType() == dtype.Float64 {
		kept = keptBoxes(s, nd.ToSlice[float64](x))
	} else {
		kept = keptBoxes(s, nd.ToSlice[float32](x.AsType(dtype.Float32)))
	}
	none := make([]bool, len(kept))
	for k, row := range kept {
		none[k], kept[k] = row < 0, max(row, 0)
	}
	each := append(x.Shape()[:x.Rank()-1], 1)
	rows := made.Own(nd.FromSliceOn(x.Device(), kept, len(kept)))
	y := fn.Gather(x.Reshape(len(kept), s.width), []int{0}, 0, []*nd.Array{rows}, device.BoundsExact).Reshape(x.Shape()...)
	y = ufunc.Choose(made.Own(nd.FromSliceOn(x.Device(), none, each...)), nd.Scalar(-1), y)
	if o.InCenter != o.OutCenter {
		y = s.converted(y)
	}
	return made.Keep(y)
}

// otherValues returns the values of v, and passes the gradient to x.
var otherValues = ufunc.Definition{Fn: "image.BoxNMS", In: "T x, T v", Body: "y = v", Gradient: "gx = gy; gv = T(0)"}

// converted returns y with its coordinates in the other form.
func (s suppression) converted(y *nd.Array) *nd.Array {
	coordinates := func(from, to int) []nd.Index {
		return []nd.Index{nd.Ellipsis(), nd.Span(s.coordinates+from, s.coordinates+to)}
	}
	old := y.Detach()
	first, last := old.Index(coordinates(0, 2)...), old.Index(coordinates(2, 4)...)
	var position, extent *nd.Array
	if s.o.OutCenter {
		position, extent = ops.Multiply(ops.Add(first, last), 0.5), ops.Subtract(last, first)
	} else {
		half := ops.Multiply(last, 0.5)
		position, extent = ops.Subtract(first, half), ops.Add(first, half)
	}
	values := old.Copy()
	values.Assign(position, coordinates(0, 2)...)
	values.Assign(extent, coordinates(2, 4)...)
	left := ops.GreaterEqual(old.Index(coordinates(0, 1)...), 0)
	return otherValues.Compute(nil, y, ufunc.Choose(left, values, old))
}

// suppression holds the state of one BoxNMS.
type suppression struct {
	o                         BoxNMSOptions
	coordinates, score, class int // indices in a row
	rows, width               int
	topK                      int
}

// box is a candidate: its row, score, class, corners and area.
type box[T float32 | float64] struct {
	row                int
	score, class, area T
	corners            [4]T
}

// keptBoxes returns, for each row of the result, the index of its row among the rows of all sets of boxes, or -1.
func keptBoxes[T float32 | float64](s suppression, x []T) []int {
	size := s.rows * s.width
	kept := make([]int, 0, len(x)/s.width)
	for from := 0; from < len(x); from += size {
		candidates := make([]box[T], 0, s.rows)
		for row := range s.rows {
			if b, ok := boxOf(s, x[from+row*s.width:][:s.width]); ok {
				b.row = from/s.width + row
				candidates = append(candidates, b)
			}
		}
		slices.SortStableFunc(candidates, func(a, b box[T]) int {
			switch {
			case a.score > b.score:
				return -1
			case a.score < b.score:
				return 1
			}
			return 0
		})
		if s.topK > 0 {
			candidates = candidates[:min(s.topK, len(candidates))]
		}
		end := len(kept) + s.rows
		for _, b := range surviving(s, candidates) {
			kept = append(kept, b.row)
		}
		for len(kept) < end {
			kept = append(kept, -1)
		}
	}
	return kept
}

// boxOf reads a row, and reports whether it is a candidate.
func boxOf[T float32 | float64](s suppression, row []T) (b box[T], ok bool) {
	b.score = row[s.score]
	if s.class >= 0 {
		b.class = row[s.class]
		if s.o.Background != nil && b.class == T(*s.o.Background) {
			return b, false
		}
	}
	b.corners = [4]T(row[s.coordinates:])
	width, height := b.corners[2], b.corners[3]
	if s.o.InCenter {
		x, y := b.corners[0], b.corners[1]
		b.corners = [4]T{x - T(width/2), y - T(height/2), x + T(width/2), y + T(height/2)}
	} else {
		width, height = width-b.corners[0], height-b.corners[1]
	}
	if width >= 0 && height >= 0 {
		b.area = T(width * height)
	}
	return b, b.score > T(s.o.Valid)
}

// surviving returns those of the sorted candidates that do not overlap too much with an earlier survivor. It overwrites
// candidates.
func surviving[T float32 | float64](s suppression, candidates []box[T]) []box[T] {
	limit := T(argument.ValueOr(s.o.Overlap, 0.5))
	perClass := s.class >= 0 && !s.o.Force
	kept := candidates[:0]
	for _, b := range candidates {
		if !slices.ContainsFunc(kept, func(k box[T]) bool { return (!perClass || k.class == b.class) && k.overlap(&b) > limit }) {
			kept = append(kept, b)
		}
	}
	return kept
}

// overlap returns the BoxIoU of two boxes.
func (a *box[T]) overlap(b *box[T]) T {
	width := min(a.corners[2], b.corners[2]) - max(a.corners[0], b.corners[0])
	height := min(a.corners[3], b.corners[3]) - max(a.corners[1], b.corners[1])
	if width <= 0 || height <= 0 {
		return 0
	}
	both := T(width * height)
	return both / (a.area + b.area - both)
}

// MatchingOptions are the options of BipartiteMatching.
type MatchingOptions struct {
	// Ascending begins with the lowest scores, and matches pairs with scores below the threshold.
	Ascending bool
	// TopK is the largest number of pairs to match; 0, or a negative number, means any number.
	TopK int
}

// BipartiteMatching matches rows with columns greedily. It takes the pairs by descending scores, where ties keep their
// order, as long as scores exceed the threshold, and matches a row and a column that both have no match yet. It returns
// for each row its column, and for each column its row, or -1 (int64). No gradient flows. It waits for the device.
//
// Shapes: scores (M…, N, M); the results (M…, N) and (M…, M).
// MXNet: bipartite_matching.
func BipartiteMatching(scores *nd.Array, threshold float64, opts ...MatchingOptions) (columns, rows *nd.Array) {
	const fn nd.Func = "image.BipartiteMatching"
	fn.Check(scores)
	o := options.Read(fn, opts)
	if scores.Rank() < 2 || scores.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{scores}, "want real scores of rows and columns (…, N, M)"))
	}
	lead, n, m := scores.Shape()[:scores.Rank()-2], scores.Dim(-2), scores.Dim(-1)
	detached := scores.Detach()
	flat := release.Replace(detached, detached.Reshape(broadcast.Size(lead), n*m))
	sorted, order := ops.SortWithIndex(flat, ops.SortOptions{Descending: !o.Ascending})
	wide := release.Replace(sorted, sorted.AsType(dtype.Float64))
	values, indices := nd.ToSlice[float64](wide), nd.ToSlice[int](order)
	release.Operands(wide, flat, order).Release()
	limit := threshold
	if scores.DType() != dtype.Float64 && scores.DType().IsFloat() {
		limit = float64(float32(threshold))
	}
	columnOf, rowOf := slices.Repeat([]int{-1}, broadcast.Size(lead)*n), slices.Repeat([]int{-1}, broadcast.Size(lead)*m)
	for batch := range broadcast.Size(lead) {
		columnOf, rowOf := columnOf[batch*n:][:n], rowOf[batch*m:][:m]
		matched := 0
		for k, index := range indices[batch*n*m:][:n*m] {
			score := values[batch*n*m+k]
			row, column := index/m, index%m
			if columnOf[row] >= 0 || rowOf[column] >= 0 {
				continue
			}
			if o.Ascending && !(score < limit) || !o.Ascending && !(score > limit) || o.TopK > 0 && matched == o.TopK {
				break
			}
			columnOf[row], rowOf[column] = column, row
			matched++
		}
	}
	dev := scores.Device()
	return nd.FromSliceOn(dev, columnOf, append(lead[:len(lead):len(lead)], n)...), nd.FromSliceOn(dev, rowOf, append(lead[:len(lead):len(lead)], m)...)
}
