package ops

import "github.com/ndgrad/ndgrad/nd"

// Axes are axes to work along, negative ones counted from the end: Sum(x, Over(1)). An Axes is an option by itself, and
// the type of the field Axis or Axes of all options: Sort(x, SortOptions{Axis: Over(0), Descending: true}).
type Axes []int

// Over chooses axes. Over() chooses none, like NumPy's axis=().
func Over(axes ...int) Axes {
	if axes == nil {
		axes = []int{}
	}
	return axes
}

// oneAxis returns the axis of x that a call must choose.
func oneAxis(fn nd.Func, x *nd.Array, axis Axes) int {
	if axis == nil {
		axis = Axes{}
	}
	return fn.Axis(x, axis, 0)
}

// KeepDims leaves the reduced axes in the result, with length 1: Max(x, Over(1).KeepDims()). It is NumPy's
// keepdims=True.
func (a Axes) KeepDims() KeptAxes { return KeptAxes(a) }

// KeptAxes are axes to reduce that stay in the result with length 1: see [Axes.KeepDims].
type KeptAxes []int

// The types below say, for each family of options, what axes alone mean.

// ReduceOption is a [ReduceOptions], or the axes alone: [Axes] or [KeptAxes].
type ReduceOption interface {
	reduce(ReduceOptions) ReduceOptions
}

func (o ReduceOptions) reduce(ReduceOptions) ReduceOptions { return o }
func (a Axes) reduce(o ReduceOptions) ReduceOptions        { o.Axes = a; return o }
func (a KeptAxes) reduce(o ReduceOptions) ReduceOptions    { o.Axes, o.KeepDims = Axes(a), true; return o }

// VarOption is a [VarOptions], or the axes alone: [Axes] or [KeptAxes].
type VarOption interface{ variance(VarOptions) VarOptions }

func (o VarOptions) variance(VarOptions) VarOptions { return o }
func (a Axes) variance(o VarOptions) VarOptions     { o.Axes = a; return o }
func (a KeptAxes) variance(o VarOptions) VarOptions { o.Axes, o.KeepDims = Axes(a), true; return o }

// AverageOption is an [AverageOptions], or the axis alone: [Axes] or [KeptAxes].
type AverageOption interface {
	average(AverageOptions) AverageOptions
}

func (o AverageOptions) average(AverageOptions) AverageOptions { return o }
func (a Axes) average(o AverageOptions) AverageOptions         { o.Axis = a; return o }
func (a KeptAxes) average(o AverageOptions) AverageOptions {
	o.Axis, o.KeepDims = Axes(a), true
	return o
}

// NormOption is a [NormOptions], or the axes alone: [Axes] or [KeptAxes].
type NormOption interface{ norm(NormOptions) NormOptions }

func (o NormOptions) norm(NormOptions) NormOptions { return o }
func (a Axes) norm(o NormOptions) NormOptions      { o.Axes = a; return o }
func (a KeptAxes) norm(o NormOptions) NormOptions  { o.Axes, o.KeepDims = Axes(a), true; return o }

// QuantileOption is a [QuantileOptions], or the axes alone: [Axes] or [KeptAxes].
type QuantileOption interface {
	quantile(QuantileOptions) QuantileOptions
}

func (o QuantileOptions) quantile(QuantileOptions) QuantileOptions { return o }
func (a Axes) quantile(o QuantileOptions) QuantileOptions          { o.Axes = a; return o }
func (a KeptAxes) quantile(o QuantileOptions) QuantileOptions {
	o.Axes, o.KeepDims = Axes(a), true
	return o
}

// ArgOption is an [ArgOptions], or the axis alone: [Axes] or [KeptAxes].
type ArgOption interface{ arg(ArgOptions) ArgOptions }

func (o ArgOptions) arg(ArgOptions) ArgOptions { return o }
func (a Axes) arg(o ArgOptions) ArgOptions     { o.Axis = a; return o }
func (a KeptAxes) arg(o ArgOptions) ArgOptions { o.Axis, o.KeepDims = Axes(a), true; return o }

// ExtremeOption is an [ExtremeOptions], or the axes alone: [Axes] or [KeptAxes].
type ExtremeOption interface {
	extreme(ExtremeOptions) ExtremeOptions
}

func (o ExtremeOptions) extreme(ExtremeOptions) ExtremeOptions { return o }
func (a Axes) extreme(o ExtremeOptions) ExtremeOptions         { o.Axes = a; return o }
func (a KeptAxes) extreme(o ExtremeOptions) ExtremeOptions {
	o.Axes, o.KeepDims = Axes(a), true
	return o
}

// ScanOption is a [ScanOptions], or the axis alone.
type ScanOption interface{ scan(ScanOptions) ScanOptions }

func (o ScanOptions) scan(ScanOptions) ScanOptions { return o }
func (a Axes) scan(o ScanOptions) ScanOptions      { o.Axis = a; return o }

// SortOption is a [SortOptions], or the axis alone.
type SortOption interface{ sort(SortOptions) SortOptions }

func (o SortOptions) sort(SortOptions) SortOptions { return o }
func (a Axes) sort(o SortOptions) SortOptions      { o.Axis = a; return o }

// TopKOption is a [TopKOptions], or the axis alone.
type TopKOption interface{ topK(TopKOptions) TopKOptions }

func (o TopKOptions) topK(TopKOptions) TopKOptions { return o }
func (a Axes) topK(o TopKOptions) TopKOptions      { o.Axis = a; return o }

// JoinOption is a [JoinOptions], or the axis alone.
type JoinOption interface{ join(JoinOptions) JoinOptions }

func (o JoinOptions) join(JoinOptions) JoinOptions { return o }
func (a Axes) join(o JoinOptions) JoinOptions      { o.Axis = a; return o }

// TakeOption is a [TakeOptions], or the axis alone.
type TakeOption interface{ take(TakeOptions) TakeOptions }

func (o TakeOptions) take(TakeOptions) TakeOptions { return o }
func (a Axes) take(o TakeOptions) TakeOptions      { o.Axis = a; return o }

// BroadcastLikeOption is a [BroadcastLikeOptions], or the axes alone.
type BroadcastLikeOption interface {
	broadcastLike(BroadcastLikeOptions) BroadcastLikeOptions
}

func (o BroadcastLikeOptions) broadcastLike(BroadcastLikeOptions) BroadcastLikeOptions { return o }
func (a Axes) broadcastLike(o BroadcastLikeOptions) BroadcastLikeOptions               { o.Axes = a; return o }

// ArangeLikeOption is an [ArangeLikeOptions], or the axis alone.
type ArangeLikeOption interface {
	arangeLike(ArangeLikeOptions) ArangeLikeOptions
}

func (o ArangeLikeOptions) arangeLike(ArangeLikeOptions) ArangeLikeOptions { return o }
func (a Axes) arangeLike(o ArangeLikeOptions) ArangeLikeOptions            { o.Axis = a; return o }

// UniqueOption is an [UniqueOptions], or the axis alone.
type UniqueOption interface {
	unique(UniqueOptions) UniqueOptions
}

func (o UniqueOptions) unique(UniqueOptions) UniqueOptions { return o }
func (a Axes) unique(o UniqueOptions) UniqueOptions        { o.Axis = a; return o }

// TraceOption is a [TraceOptions], or the axes alone.
type TraceOption interface {
	trace(TraceOptions) TraceOptions
}

func (o TraceOptions) trace(TraceOptions) TraceOptions { return o }
func (a Axes) trace(o TraceOptions) TraceOptions       { o.Axes = a; return o }

// DiffOption is a [DiffOptions], or the axis alone.
type DiffOption interface{ diff(DiffOptions) DiffOptions }

func (o DiffOptions) diff(DiffOptions) DiffOptions { return o }
func (a Axes) diff(o DiffOptions) DiffOptions      { o.Axis = a; return o }

// GradientOption is a [GradientOptions], or the axes alone.
type GradientOption interface {
	gradient(GradientOptions) GradientOptions
}

func (o GradientOptions) gradient(GradientOptions) GradientOptions { return o }
func (a Axes) gradient(o GradientOptions) GradientOptions          { o.Axes = a; return o }

// TrapezoidOption is a [TrapezoidOptions], or the axis alone.
type TrapezoidOption interface {
	trapezoid(TrapezoidOptions) TrapezoidOptions
}

func (o TrapezoidOptions) trapezoid(TrapezoidOptions) TrapezoidOptions { return o }
func (a Axes) trapezoid(o TrapezoidOptions) TrapezoidOptions           { o.Axis = a; return o }

// BitsOption is a [BitsOptions], or the axis alone.
type BitsOption interface{ bits(BitsOptions) BitsOptions }

func (o BitsOptions) bits(BitsOptions) BitsOptions { return o }
func (a Axes) bits(o BitsOptions) BitsOptions      { o.Axis = a; return o }

// UnpackOption is an [UnpackOptions], or the axis alone.
type UnpackOption interface {
	unpack(UnpackOptions) UnpackOptions
}

func (o UnpackOptions) unpack(UnpackOptions) UnpackOptions { return o }
func (a Axes) unpack(o UnpackOptions) UnpackOptions        { o.Axis = a; return o }

// DropoutOption is a [DropoutOptions], or the axes alone.
type DropoutOption interface {
	dropout(DropoutOptions) DropoutOptions
}

func (o DropoutOptions) dropout(DropoutOptions) DropoutOptions { return o }
func (a Axes) dropout(o DropoutOptions) DropoutOptions         { o.Axes = a; return o }

// SoftmaxOption is a [SoftmaxOptions], or the axis alone.
type SoftmaxOption interface {
	softmax(SoftmaxOptions) SoftmaxOptions
}

func (o SoftmaxOptions) softmax(SoftmaxOptions) SoftmaxOptions { return o }
func (a Axes) softmax(o SoftmaxOptions) SoftmaxOptions         { o.Axis = a; return o }

// MaxoutOption is a [MaxoutOptions], or the axis alone.
type MaxoutOption interface {
	maxout(MaxoutOptions) MaxoutOptions
}

func (o MaxoutOptions) maxout(MaxoutOptions) MaxoutOptions { return o }
func (a Axes) maxout(o MaxoutOptions) MaxoutOptions        { o.Axis = a; return o }

// CELUOption is a [CELUOptions], or the axis alone.
type CELUOption interface{ celu(CELUOptions) CELUOptions }

func (o CELUOptions) celu(CELUOptions) CELUOptions { return o }
func (a Axes) celu(o CELUOptions) CELUOptions      { o.Axis = a; return o }

// CosineSimilarityOption is a [CosineSimilarityOptions], or the axis alone.
type CosineSimilarityOption interface {
	cosineSimilarity(CosineSimilarityOptions) CosineSimilarityOptions
}

func (o CosineSimilarityOptions) cosineSimilarity(CosineSimilarityOptions) CosineSimilarityOptions {
	return o
}
func (a Axes) cosineSimilarity(o CosineSimilarityOptions) CosineSimilarityOptions {
	o.Axis = a
	return o
}
