package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/caffe"
	"github.com/ndgrad/ndgrad/nn/vision"
)

// pretrained is the argument for a parameter file: Chainer's nets are objects with parameters; here a net is a value.
var pretrained = []string{"pretrained_model"}

const (
	byLoad  = "the parameters are in the scope: nn.Load reads a file; nothing is downloaded"
	byView  = "the view of the scope selects training or evaluation"
	nearest = "nearest pixels, as in Pillow before version 7"
	anyFile = "the extension of path_npz chooses the format"
	of50    = "shown for ResNet50; the other nets have it, too"
)

// visionRows is the chapter of networks for images.
var visionRows = []Row{
	{Signature: "chainer.links.VGG16Layers(pretrained_model='auto')", Func: vision.VGG16, Ignores: pretrained, Note: byLoad},
	{Signature: "chainer.links.VGG16Layers.__call__(x, layers=['prob'], test=True)",
		Func: featuresOf(vision.VGG16()), Ignores: []string{"test"}, Note: byView},
	{Signature: "chainer.links.VGG16Layers.extract(images, layers=['fc7'], size=(224, 224), test=True, volatile=OFF)",
		Func: extractOf(vision.VGG16()), Ignores: []string{"test", "volatile"}, Note: byView},
	{Signature: "chainer.links.VGG16Layers.predict(images, oversample=True)", Func: predictOf(vision.VGG16())},
	{Signature: "chainer.links.model.vision.vgg.prepare(image, size=(224, 224))", Func: prepareOf(vision.VGG16()), NoGrad: true, Note: nearest},
	{Signature: "chainer.links.VGG16Layers.convert_caffemodel_to_npz(path_caffemodel, path_npz)", Func: vision.VGG16().ConvertCaffe, NoGrad: true, Note: anyFile},

	{Signature: "chainer.links.GoogLeNet(pretrained_model='auto')", Func: vision.GoogLeNet, Ignores: pretrained, Note: byLoad},
	{Signature: "chainer.links.GoogLeNet.__call__(x, layers=['prob'], train=False)",
		Func: featuresOf(vision.GoogLeNet()), Ignores: []string{"train"}, Note: byView},
	{Signature: "chainer.links.GoogLeNet.extract(images, layers=['pool5'], size=(224, 224), train=False, volatile=OFF)",
		Func: extractOf(vision.GoogLeNet()), Ignores: []string{"train", "volatile"}, Note: byView},
	{Signature: "chainer.links.GoogLeNet.predict(images, oversample=True)", Func: predictOf(vision.GoogLeNet())},
	{Signature: "chainer.links.model.vision.googlenet.prepare(image, size=(224, 224))", Func: prepareOf(vision.GoogLeNet()), NoGrad: true, Note: nearest},
	{Signature: "chainer.links.GoogLeNet.convert_caffemodel_to_npz(path_caffemodel, path_npz)", Func: vision.GoogLeNet().ConvertCaffe, NoGrad: true, Note: anyFile},

	{Signature: "chainer.links.model.vision.resnet.ResNetLayers(pretrained_model, n_layers)", Func: vision.ResNet, Ignores: pretrained, Note: byLoad},
	{Signature: "chainer.links.ResNet50Layers(pretrained_model='auto')", Func: vision.ResNet50, Ignores: pretrained, Note: byLoad},
	{Signature: "chainer.links.ResNet101Layers(pretrained_model='auto')", Func: vision.ResNet101, Ignores: pretrained, Note: byLoad},
	{Signature: "chainer.links.ResNet152Layers(pretrained_model='auto')", Func: vision.ResNet152, Ignores: pretrained, Note: byLoad},
	{Signature: "chainer.links.model.vision.resnet.ResNetLayers.__call__(x, layers=['prob'], test=True)",
		Func: featuresOf(vision.ResNet50()), Ignores: []string{"test"}, Note: byView + "; " + of50},
	{Signature: "chainer.links.model.vision.resnet.ResNetLayers.extract(images, layers=['pool5'], size=(224, 224), test=True, volatile=OFF)",
		Func: extractOf(vision.ResNet50()), Ignores: []string{"test", "volatile"}, Note: byView + "; " + of50},
	{Signature: "chainer.links.model.vision.resnet.ResNetLayers.predict(images, oversample=True)", Func: predictOf(vision.ResNet50()), Note: of50},
	{Signature: "chainer.links.model.vision.resnet.prepare(image, size=(224, 224))", Func: prepareOf(vision.ResNet50()), NoGrad: true, Note: nearest},
	{Signature: "chainer.links.model.vision.resnet.ResNetLayers.convert_caffemodel_to_npz(path_caffemodel, path_npz, n_layers=50)",
		Func: func(from, to string, layers int) error { return vision.ResNet(layers).ConvertCaffe(from, to) }, NoGrad: true, Note: anyFile},

	{Signature: "chainer.links.caffe.CaffeFunction(model_path)", Func: caffe.Load, NoGrad: true},
	{Signature: "chainer.links.caffe.CaffeFunction.__call__(self, inputs, outputs, disable=(), train=True)",
		Func: func(self *caffe.Net, inputs map[string]*nd.Array, outputs, disable []string) []*nd.Array {
			return self.Call(inputs, outputs, caffe.CallOptions{Disable: disable})
		}, Ignores: []string{"train"}, Note: byView},
}

// featuresOf returns a net's Features, which takes the layers as a list.
func featuresOf(net vision.Net) any {
	return func(s *nn.Scope, x *nd.Array, layers []string) []*nd.Array { return net.Features(s, x, layers...) }
}

// extractOf returns a net's Extract; without a size, the images keep their size.
func extractOf(net vision.Net) any {
	return func(s *nn.Scope, images []*nd.Array, layers []string, size []int) []*nd.Array {
		return net.Extract(s, images, vision.ExtractOptions{Layers: layers, PrepareOptions: resized(size)})
	}
}

func predictOf(net vision.Net) any {
	return func(s *nn.Scope, images []*nd.Array, oversample bool) *nd.Array {
		return net.Predict(s, images, vision.PredictOptions{NoOversample: !oversample})
	}
}

// prepareOf returns a net's Prepare; without a size, the image keeps its size.
func prepareOf(net vision.Net) any {
	return func(image *nd.Array, size []int) *nd.Array { return net.Prepare(image, resized(size)) }
}

func resized(size []int) vision.PrepareOptions {
	return vision.PrepareOptions{Size: size, KeepSize: size == nil}
}
