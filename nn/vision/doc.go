// Package vision has Chainer's nets for images: VGG16, GoogLeNet and ResNets of 50, 101 and 152 layers. They classify
// the 1000 classes of ImageNet, and the results of their layers describe images for other tasks.
//
// A net is a value; its parameters are in a scope, under Chainer's names and in its shapes, so that the .npz files of
// Chainer's nets can be loaded unchanged:
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
// The package downloads nothing. When a layer asks for a name that is missing in the file, or for an array of another
// shape, the scope panics. To check the whole file at once, first let an empty batch create all parameters, see
// [Net.Features].
//
// [Net.Extract] returns the results of layers by their names. [Net.Features] does the same for images that
// [Net.Prepare] has prepared. To teach a net other classes, put a layer on its features:
//
//	h := net.Features(s.Sub("net"), x, "pool5")[0] // with s.Sub("net").Fixed() only the new layer learns
//	y := link.Linear{OutSize: 10}.Apply(s.Sub("classes"), h)
//
// As everywhere, a scope evaluates, and its view of [nn.Scope.Watch] trains: dropout drops, and batch normalisation
// uses the statistics of the batch.
package vision
