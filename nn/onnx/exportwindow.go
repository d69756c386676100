package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// exportedWindows are the attributes of an operator that slides windows.
type exportedWindows struct {
	kernel, stride, dilation, before, after []int
	extra                                   []int // of ConvTranspose: points at the end that no window reaches
}

// newExportedWindows returns the attributes of windows of which counts fit along the axes. ok is false if ONNX has no such windows.
func newExportedWindows(w device.Window, kernel, counts []int) (exportedWindows, bool) {
	all := exportedWindows{kernel: kernel}
	for k := range w.Rank {
		reach := (counts[k]-1)*w.Stride[k] + (kernel[k]-1)*w.Dilation[k] + 1
		after := reach - w.Size[k] - w.Before[k]
		all.stride, all.dilation = append(all.stride, w.Stride[k]), append(all.dilation, w.Dilation[k])
		all.before, all.after = append(all.before, w.Before[k]), append(all.after, max(after, 0))
		all.extra = append(all.extra, max(-after, 0))
		if w.Before[k] < 0 || -after >= w.Stride[k] {
			return all, false
		}
	}
	return all, true
}

// attributes returns the attributes; those of default values too.
func (w exportedWindows) attributes() []*attributeMessage {
	return []*attributeMessage{intsValue("kernel_shape", w.kernel...), intsValue("strides", w.stride...),
		intsValue("dilations", w.dilation...), intsValue("pads", slices.Concat(w.before, w.after)...)}
}

// convolve is a convolution, or the transpose of one. Groups are an axis of their own here, and part of the channels in ONNX.
func (r *recorded) convolve(t traced.Convolve) string {
	kind := r.OutDType(0)
	if kind.IsComplex() || t.Part == device.PartWeight {
		return r.unknown()
	}
	in, weight, out := r.Shape(0), r.Shape(1), r.OutShape(0)
	counts := out
	if t.Part == device.PartInput {
		counts = in
	}
	w, ok := newExportedWindows(t.Window, weight[3:], counts[3:])
	if !ok {
		r.refuse(r.Func, "ONNX has no such windows")
		return ""
	}
	operands := []string{r.reshape(r.inAs(0, kind), joinedChannels(in)), r.reshape(r.inAs(1, kind), joinedGroups(weight))}
	if r.Inputs() > 2 {
		operands = append(operands, r.reshape(r.inAs(2, kind), []int{broadcast.Size(r.Shape(2))}))
	}
	attributes := append(w.attributes(), intValue("group", weight[0]))
	op := "Conv"
	if t.Part == device.PartInput {
		op = "ConvTranspose"
		attributes = append(attributes, intsValue("output_padding", w.extra...))
	}
	y := r.node(op, operands, attributes...)
	r.define(y, kind, joinedChannels(out))
	return r.reshape(y, out)
}

// joinedChannels joins axis 1, the groups, and axis 2; joinedGroups joins axes 0 and 1.
func joinedChannels(shape []int) []int {
	return slices.Concat(shape[:1], []int{shape[1] * shape[2]}, shape[3:])
}

func joinedGroups(shape []int) []int { return slices.Concat([]int{shape[0] * shape[1]}, shape[2:]) }

// pool combines windows: by MaxPool, or by AveragePool and the number of points for sums.
func (r *recorded) pool(t traced.Pool) string {
	w, ok := newExportedWindows(t.Window, t.Kernel, r.OutShape(0)[2:])
	for k, n := range t.Kernel {
		ok = ok && max(w.before[k], w.after[k]) < n
	}
	if !ok || r.k > 0 {
		r.refuse(r.Func, "ONNX has no such windows, or no positions in windows")
		return ""
	}
	if t.Combine == device.CombineMax {
		return r.node("MaxPool", []string{r.in(0)}, w.attributes()...)
	}
	if slices.ContainsFunc(w.dilation, func(n int) bool { return n > 1 }) {
		r.refuse(r.Func, "ONNX has no sums of windows with a dilation")
		return ""
	}
	attributes := slices.DeleteFunc(w.attributes(), func(a *attributeMessage) bool { return a.Name == "dilations" })
	kind := r.DType(0)
	wide := kind
	if !kind.IsFloat() {
		wide = dtype.Float64
	}
	mean := r.node("AveragePool", []string{r.cast(r.in(0), kind, wide)}, append(attributes, intValue("count_include_pad", 1))...)
	return r.cast(r.node("Mul", []string{mean, r.number(float64(broadcast.Size(t.Kernel)), wide)}), wide, kind)
}
