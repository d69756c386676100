package fft

import "github.com/ndgrad/ndgrad/nd/ops"

// Axes are axes to transform along, negative ones counted from the end: FFT(x, Over(0)). An Axes is an option by
// itself, as an ops.Axes is in package ops.
type Axes []int

// Over chooses axes; Over() chooses none.
func Over(axes ...int) Axes { return Axes(ops.Over(axes...)) }

// Option is an [Options], or the axis alone.
type Option interface{ one() Options }

func (o Options) one() Options { return o }
func (a Axes) one() Options    { return Options{Axis: a} }

// AxesOption is an [AxesOptions], or the axes alone.
type AxesOption interface{ several() AxesOptions }

func (o AxesOptions) several() AxesOptions { return o }
func (a Axes) several() AxesOptions        { return AxesOptions{Axes: a} }
