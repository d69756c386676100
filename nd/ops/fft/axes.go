package fft

import "github.com/ndgrad/ndgrad/nd/ops"

// Option is an [Options], or its settings alone: ops.Over(0), ops.Into(y).
type Option interface{ ops.Option }

// Option marks the struct as an option.
func (Options) Option() {}

func oneOver(axis ops.Axes, o Options) Options  { o.Axis = axis; return o }
func oneInto(out ops.Output, o Options) Options { o.Out = out.Array(); return o }

// AxesOption is an [AxesOptions], or its settings alone: ops.Over(0, 1), ops.Into(y).
type AxesOption interface{ ops.Option }

// Option marks the struct as an option.
func (AxesOptions) Option() {}

func severalOver(axes ops.Axes, o AxesOptions) AxesOptions  { o.Axes = axes; return o }
func severalInto(out ops.Output, o AxesOptions) AxesOptions { o.Out = out.Array(); return o }
