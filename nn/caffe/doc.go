// Package caffe reads the networks of Caffe, files of the extension .caffemodel, and runs them. It follows Chainer's
// CaffeFunction: what it supports, and the names of the parameters.
//
//	net, err := caffe.Load("bvlc_reference_caffenet.caffemodel")
//	fc8 := net.Call(map[string]*nd.Array{"data": images}, []string{"fc8"})[0]
//
// A network is a list of layers between blobs. A call is given some blobs, and runs the layers whose bottom blobs are given
// or computed; all other layers are skipped, and so are layers that this package does not support, such as those that read
// data. [Net.Skipped] lists these. A layer may work in place: its top blob replaces the blob of the same name.
//
// The parameters are in a scope, under Chainer's names: "conv1/W", "conv1/b", "bn1/avg_mean". They can be trained further,
// and saved by package nn.
package caffe
