// Package vision has nets for images, as Chainer has them: VGG16, GoogLeNet and ResNets of 50, 101 and 152 layers. They classify
// the 1000 classes of ImageNet, and the results of their layers describe images for other tasks.
//
// A net is a value; its parameters are in a scope, under Chainer's names and in its shapes, so that the .npz files of Chainer's
// nets are read as they are:
//
//	params := nn.NewScope()
//	if err := nn.Load("ResNet-50-model.npz", params); err != nil {
//		return err
//	}
//	file, err := os.Open("cat.jpg")
//	if err != nil {
//		return err
//	}
//	defer file.Close()
//	img, _, err := image.Decode(file) // with image/jpeg imported
//	if err != nil {
//		return err
//	}
//	y := vision.ResNet50().Predict(params, []*nd.Array{ndimage.From(img)})
//	fmt.Println(ops.ArgMax(y, ops.Over(1))) // the class
//
// Nothing is downloaded. A name that the file does not have, or an array of another shape, is refused when a layer asks for it. To
// have the file checked as a whole, let an empty batch create all parameters first, see [Net.Features].
//
// [Net.Extract] gives the results of layers by their names, and [Net.Features] does so for images that [Net.Prepare] has prepared.
// To teach a net other classes, put a layer on its features:
//
//	h := net.Features(s.Sub("net"), x, "pool5")[0] // with s.Sub("net").Fixed() only the new layer learns
//	y := link.Linear{OutSize: 10}.Apply(s.Sub("classes"), h)
//
// As everywhere a plain scope evaluates, and a view of [nn.Scope.Watch] trains: dropout drops, and batch normalisation uses the
// statistics of the batch.
package vision
