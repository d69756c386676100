package vision

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/caffe"
)

// ConvertCaffe reads the parameters of the net from the .caffemodel file of its authors, and writes them to a file that
// nn.Load and Chainer read, such as an .npz file. It is an error if the file lacks a parameter, or has one of another
// shape. The bias of the first convolution of ResNet101 and ResNet152, which Caffe's nets lack, is zero.
// Chainer: links.VGG16Layers.convert_caffemodel_to_npz, links.GoogLeNet.convert_caffemodel_to_npz,
// links.model.vision.resnet.ResNetLayers.convert_caffemodel_to_npz.
func (n Net) ConvertCaffe(caffemodel, file string) error {
	const fn nd.Func = "Net.ConvertCaffe"
	from, err := caffe.Load(caffemodel)
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	first := "conv1/W"
	if n.name == "VGG16" {
		first = "conv1_1/W"
	}
	if from.Params().Get(n.caffeName(first)) == nil { // before the work of making all parameters
		return n.missing(fn, caffemodel, first)
	}
	params := nn.NewScope()
	n.Features(params, nd.Zeros([]int{0, 3, 224, 224}), n.Layers()...)
	for to, p := range params.All() {
		name := n.caffeName(to)
		x := from.Params().Get(name)
		switch {
		case name == "":
		case x == nil && n.isResNet() && name == "conv1/b":
			p.Value().Assign(nd.Scalar(0))
		case x == nil:
			return n.missing(fn, caffemodel, to)
		case !broadcast.Equal(x.Shape(), p.Value().Shape()):
			return fmt.Errorf("%s: %s: %q has shape %s, %q of %s has %s", fn, caffemodel, name, broadcast.FormatShape(x.Shape()), to, n.name,
				broadcast.FormatShape(p.Value().Shape()))
		default:
			params.Set(to, x)
		}
	}
	return nn.Save(file, params)
}

// missing is the error that a file lacks a parameter.
func (n Net) missing(fn nd.Func, file, parameter string) error {
	return fmt.Errorf("%s: %s has no parameter %q, which is %q of %s", fn, file, n.caffeName(parameter), parameter, n.name)
}

func (n Net) isResNet() bool { return strings.HasPrefix(n.name, "ResNet") }

// caffeName returns the name that package caffe gives to a parameter of the net, or "" if Caffe's nets do not have it.
func (n Net) caffeName(parameter string) string {
	layer, last := path.Split(parameter)
	layer = strings.TrimSuffix(layer, "/")
	switch {
	case n.name == "GoogLeNet":
		return googLeNetInCaffe(layer) + "/" + last
	case n.isResNet():
		return n.resNetInCaffe(layer, last)
	}
	return parameter
}

// googLeNetInCaffe returns the name of a layer of GoogLeNet.
func googLeNetInCaffe(layer string) string {
	block, part, isBlock := strings.Cut(layer, "/")
	if isBlock { // inc3a/conv1
		parts := map[string]string{"conv1": "1x1", "conv3": "3x3", "conv5": "5x5", "proj3": "3x3_reduce", "proj5": "5x5_reduce", "projp": "pool_proj"}
		return "inception_" + strings.TrimPrefix(block, "inc") + "/" + parts[part]
	}
	switch layer {
	case "conv1":
		return "conv1/7x7_s2"
	case "conv2_reduce":
		return "conv2/3x3_reduce"
	case "conv2":
		return "conv2/3x3"
	}
	loss, part, _ := strings.Cut(layer, "_") // loss1_conv, loss1_fc1, loss1_fc2, loss3_fc
	switch {
	case part == "fc1":
		part = "fc"
	case part == "fc2" || loss == "loss3":
		part = "classifier"
	}
	return loss + "/" + part
}

// resNetInCaffe returns the name of a parameter of a ResNet: Caffe divides batch normalisation into two layers.
func (n Net) resNetInCaffe(layer, last string) string {
	if layer == "fc6" {
		return "fc1000/" + last
	}
	convolution, name := "conv1", "_conv1"                   // of conv1, and of bn1
	if parts := strings.Split(layer, "/"); len(parts) == 3 { // res2/a/conv1
		name = n.branch(parts[0], parts[1], parts[2])
		convolution = "res" + name
	}
	switch last {
	case "W", "b":
		return convolution + "/" + last
	case "avg_mean", "avg_var":
		return "bn" + name + "/" + last
	case "gamma":
		return "scale" + name + "/W"
	case "beta":
		return "scale" + name + "/bias/b"
	}
	return "" // N
}

// branch returns what the names of the layers of a convolution in a block have in common: 2a_branch2a for the first one of
// the first block of res2. The blocks of long stages are a, b1, b2, …; those of short ones a, b, c, ….
func (n Net) branch(stage, block, convolution string) string {
	long := n.name != "ResNet50" && (stage == "res3" || stage == "res4")
	if i, err := strconv.Atoi(strings.TrimPrefix(block, "b")); err == nil && !long {
		block = string(rune('a' + i))
	}
	branches := map[byte]string{'1': "2a", '2': "2b", '3': "2c", '4': "1"}
	return strings.TrimPrefix(stage, "res") + block + "_branch" + branches[convolution[len(convolution)-1]]
}
