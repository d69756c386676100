package ops

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

// KeepDims leaves the reduced axes in the result, with length 1: Max(x, Over(1).KeepDims()). It is NumPy's
// keepdims=True.
func (a Axes) KeepDims() KeptAxes { return KeptAxes(a) }

// KeptAxes are axes to reduce that stay in the result with length 1: see [Axes.KeepDims].
type KeptAxes []int

// The types below say, for each family of options, what axes alone mean.

// ReduceOption is a [ReduceOptions], or the axes alone: [Axes] or [KeptAxes].
type ReduceOption interface{ reduce() ReduceOptions }

func (o ReduceOptions) reduce() ReduceOptions { return o }
func (a Axes) reduce() ReduceOptions          { return ReduceOptions{Axes: a} }
func (a KeptAxes) reduce() ReduceOptions      { return ReduceOptions{Axes: Axes(a), KeepDims: true} }

// VarOption is a [VarOptions], or the axes alone: [Axes] or [KeptAxes].
type VarOption interface{ variance() VarOptions }

func (o VarOptions) variance() VarOptions { return o }
func (a Axes) variance() VarOptions       { return VarOptions{Axes: a} }
func (a KeptAxes) variance() VarOptions   { return VarOptions{Axes: Axes(a), KeepDims: true} }

// AverageOption is an [AverageOptions], or the axis alone: [Axes] or [KeptAxes].
type AverageOption interface{ average() AverageOptions }

func (o AverageOptions) average() AverageOptions { return o }
func (a Axes) average() AverageOptions           { return AverageOptions{Axis: a} }
func (a KeptAxes) average() AverageOptions       { return AverageOptions{Axis: Axes(a), KeepDims: true} }

// NormOption is a [NormOptions], or the axes alone: [Axes] or [KeptAxes].
type NormOption interface{ norm() NormOptions }

func (o NormOptions) norm() NormOptions { return o }
func (a Axes) norm() NormOptions        { return NormOptions{Axes: a} }
func (a KeptAxes) norm() NormOptions    { return NormOptions{Axes: Axes(a), KeepDims: true} }

// QuantileOption is a [QuantileOptions], or the axes alone: [Axes] or [KeptAxes].
type QuantileOption interface{ quantile() QuantileOptions }

func (o QuantileOptions) quantile() QuantileOptions { return o }
func (a Axes) quantile() QuantileOptions            { return QuantileOptions{Axes: a} }
func (a KeptAxes) quantile() QuantileOptions        { return QuantileOptions{Axes: Axes(a), KeepDims: true} }

// ArgOption is an [ArgOptions], or the axis alone: [Axes] or [KeptAxes].
type ArgOption interface{ arg() ArgOptions }

func (o ArgOptions) arg() ArgOptions { return o }
func (a Axes) arg() ArgOptions       { return ArgOptions{Axis: a} }
func (a KeptAxes) arg() ArgOptions   { return ArgOptions{Axis: Axes(a), KeepDims: true} }

// ExtremeOption is an [ExtremeOptions], or the axes alone: [Axes] or [KeptAxes].
type ExtremeOption interface{ extreme() ExtremeOptions }

func (o ExtremeOptions) extreme() ExtremeOptions { return o }
func (a Axes) extreme() ExtremeOptions           { return ExtremeOptions{Axes: a} }
func (a KeptAxes) extreme() ExtremeOptions       { return ExtremeOptions{Axes: Axes(a), KeepDims: true} }

// ScanOption is a [ScanOptions], or the axis alone.
type ScanOption interface{ scan() ScanOptions }

func (o ScanOptions) scan() ScanOptions { return o }
func (a Axes) scan() ScanOptions        { return ScanOptions{Axis: a} }

// SortOption is a [SortOptions], or the axis alone.
type SortOption interface{ sort() SortOptions }

func (o SortOptions) sort() SortOptions { return o }
func (a Axes) sort() SortOptions        { return SortOptions{Axis: a} }

// TopKOption is a [TopKOptions], or the axis alone.
type TopKOption interface{ topK() TopKOptions }

func (o TopKOptions) topK() TopKOptions { return o }
func (a Axes) topK() TopKOptions        { return TopKOptions{Axis: a} }

// JoinOption is a [JoinOptions], or the axis alone.
type JoinOption interface{ join() JoinOptions }

func (o JoinOptions) join() JoinOptions { return o }
func (a Axes) join() JoinOptions        { return JoinOptions{Axis: a} }

// TakeOption is a [TakeOptions], or the axis alone.
type TakeOption interface{ take() TakeOptions }

func (o TakeOptions) take() TakeOptions { return o }
func (a Axes) take() TakeOptions        { return TakeOptions{Axis: a} }

// UniqueOption is an [UniqueOptions], or the axis alone.
type UniqueOption interface{ unique() UniqueOptions }

func (o UniqueOptions) unique() UniqueOptions { return o }
func (a Axes) unique() UniqueOptions          { return UniqueOptions{Axis: a} }

// TraceOption is a [TraceOptions], or the axes alone.
type TraceOption interface{ trace() TraceOptions }

func (o TraceOptions) trace() TraceOptions { return o }
func (a Axes) trace() TraceOptions         { return TraceOptions{Axes: a} }

// DiffOption is a [DiffOptions], or the axis alone.
type DiffOption interface{ diff() DiffOptions }

func (o DiffOptions) diff() DiffOptions { return o }
func (a Axes) diff() DiffOptions        { return DiffOptions{Axis: a} }

// GradientOption is a [GradientOptions], or the axes alone.
type GradientOption interface{ gradient() GradientOptions }

func (o GradientOptions) gradient() GradientOptions { return o }
func (a Axes) gradient() GradientOptions            { return GradientOptions{Axes: a} }

// TrapezoidOption is a [TrapezoidOptions], or the axis alone.
type TrapezoidOption interface{ trapezoid() TrapezoidOptions }

func (o TrapezoidOptions) trapezoid() TrapezoidOptions { return o }
func (a Axes) trapezoid() TrapezoidOptions             { return TrapezoidOptions{Axis: a} }

// BitsOption is a [BitsOptions], or the axis alone.
type BitsOption interface{ bits() BitsOptions }

func (o BitsOptions) bits() BitsOptions { return o }
func (a Axes) bits() BitsOptions        { return BitsOptions{Axis: a} }

// UnpackOption is an [UnpackOptions], or the axis alone.
type UnpackOption interface{ unpack() UnpackOptions }

func (o UnpackOptions) unpack() UnpackOptions { return o }
func (a Axes) unpack() UnpackOptions          { return UnpackOptions{Axis: a} }

// DropoutOption is a [DropoutOptions], or the axes alone.
type DropoutOption interface{ dropout() DropoutOptions }

func (o DropoutOptions) dropout() DropoutOptions { return o }
func (a Axes) dropout() DropoutOptions           { return DropoutOptions{Axes: a} }

// CELUOption is a [CELUOptions], or the axis alone.
type CELUOption interface{ celu() CELUOptions }

func (o CELUOptions) celu() CELUOptions { return o }
func (a Axes) celu() CELUOptions        { return CELUOptions{Axis: a} }

// CrossEntropyOption is a [CrossEntropyOptions], or the axis alone.
type CrossEntropyOption interface{ crossEntropy() CrossEntropyOptions }

func (o CrossEntropyOptions) crossEntropy() CrossEntropyOptions { return o }
func (a Axes) crossEntropy() CrossEntropyOptions                { return CrossEntropyOptions{Axis: a} }

// BatchNormalizationOption is a [BatchNormalizationOptions], or the axes alone.
type BatchNormalizationOption interface {
	batchNormalization() BatchNormalizationOptions
}

func (o BatchNormalizationOptions) batchNormalization() BatchNormalizationOptions { return o }
func (a Axes) batchNormalization() BatchNormalizationOptions {
	return BatchNormalizationOptions{Axes: a}
}

// NormNormalizationOption is a [NormNormalizationOptions], or the axes alone.
type NormNormalizationOption interface {
	normNormalization() NormNormalizationOptions
}

func (o NormNormalizationOptions) normNormalization() NormNormalizationOptions { return o }
func (a Axes) normNormalization() NormNormalizationOptions                     { return NormNormalizationOptions{Axes: a} }

// NormalizeOption is a [NormalizeOptions], or the axis alone.
type NormalizeOption interface{ normalize() NormalizeOptions }

func (o NormalizeOptions) normalize() NormalizeOptions { return o }
func (a Axes) normalize() NormalizeOptions             { return NormalizeOptions{Axis: a} }

// CosineSimilarityOption is a [CosineSimilarityOptions], or the axis alone.
type CosineSimilarityOption interface {
	cosineSimilarity() CosineSimilarityOptions
}

func (o CosineSimilarityOptions) cosineSimilarity() CosineSimilarityOptions { return o }
func (a Axes) cosineSimilarity() CosineSimilarityOptions                    { return CosineSimilarityOptions{Axis: a} }

// RMSNormalizationOption is an [RMSNormalizationOptions], or the axes alone.
type RMSNormalizationOption interface {
	rmsNormalization() RMSNormalizationOptions
}

func (o RMSNormalizationOptions) rmsNormalization() RMSNormalizationOptions { return o }
func (a Axes) rmsNormalization() RMSNormalizationOptions                    { return RMSNormalizationOptions{Axes: a} }
