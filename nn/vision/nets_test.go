package vision_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/vision"
)

// shapes are the shapes of arrays by path.
type shapes map[string][]int

// of returns the shapes of all parameters of a scope.
func of(s *nn.Scope) shapes {
	all := shapes{}
	for name, p := range s.All() {
		all[name] = slices.Clone(p.Value().Shape())
	}
	return all
}

// digest identifies a set of paths and shapes.
func (all shapes) digest() string {
	var lines []string
	for name, shape := range all {
		lines = append(lines, fmt.Sprintln(name, shape))
	}
	slices.Sort(lines)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, ""))))
}

// giveBack releases the memory of a scope for the next test.
func giveBack(s *nn.Scope) {
	for _, p := range s.All() {
		p.Value().Release()
	}
}

// nets has all nets, with the number of trained numbers, and a digest of the parameters' and statistics' names.
var nets = []struct {
	file               string // of Chainer's class
	net                vision.Net
	parameters, arrays int
	digest             string
	some               shapes
	results            string // the shapes of the layers' results for an image
}{
	{"VGG16Layers", vision.VGG16(), 138_357_544, 32, "7b963f8a166fad17882d176046e83f44411215cc5283ccc7059b91eb38a23a2f",
		shapes{"conv1_1/W": {64, 3, 3, 3}, "conv5_3/b": {512}, "fc6/W": {4096, 25088}, "fc8/b": {1000}},
		`conv1_1 64 224 224, conv1_2 64 224 224, pool1 64 112 112, conv2_1 128 112 112, conv2_2 128 112 112, pool2 128 56 56,
conv3_1 256 56 56, conv3_2 256 56 56, conv3_3 256 56 56, pool3 256 28 28, conv4_1 512 28 28, conv4_2 512 28 28, conv4_3 512 28 28,
pool4 512 14 14, conv5_1 512 14 14, conv5_2 512 14 14, conv5_3 512 14 14, pool5 512 7 7, fc6 4096, fc7 4096, fc8 1000, prob 1000`},
	{"GoogLeNet", vision.GoogLeNet(), 13_378_280, 128, "589f15391fafdb4502116d4d7eb4f509cb8947dae622c293852e322a8d2bb605",
		shapes{"conv1/W": {64, 3, 7, 7}, "conv2_reduce/b": {64}, "inc4e/projp/W": {128, 528, 1, 1}, "loss2_fc1/W": {1024, 2048}},
		`conv1 64 112 112, pool1 64 56 56, conv2_reduce 64 56 56, conv2 192 56 56, pool2 192 28 28, inception_3a 256 28 28,
inception_3b 480 28 28, pool3 480 14 14, inception_4a 512 14 14, inception_4b 512 14 14, inception_4c 512 14 14,
inception_4d 528 14 14, inception_4e 832 14 14, pool4 832 7 7, inception_5a 832 7 7, inception_5b 1024 7 7, pool5 1024 1 1,
loss3_fc 1000, prob 1000, loss1_fc2 1000, loss2_fc2 1000`},
	{"ResNet50Layers", vision.ResNet50(), 25_557_096, 321, "2a8fade575a155d56fa3c6f324c62296073eff22311e9923abee1b8ac8e9e1f1",
		shapes{"conv1/b": {64}, "bn1/N": {}, "res2/a/conv4/W": {256, 64, 1, 1}, "res5/b2/bn3/avg_var": {2048}, "fc6/W": {1000, 2048}},
		residualResults},
	{"ResNet101Layers", vision.ResNet101(), 44_549_224, 627, "b52ebc58460206a65a2938dd9434dc29786fdc5a7c18616430e7aa9cc8025568",
		shapes{"res4/b22/conv2/W": {256, 256, 3, 3}}, residualResults},
	{"ResNet152Layers", vision.ResNet152(), 60_192_872, 933, "443b168cfc82b7deccd9ac34dade2ae56cac7e9856d31bfa0f62b0a85ac70d5a",
		shapes{"res3/b7/bn2/gamma": {128}, "res4/b35/bn1/avg_mean": {256}}, residualResults},
}

const residualResults = `conv1 64 112 112, pool1 64 56 56, res2 256 56 56, res3 512 28 28, res4 1024 14 14, res5 2048 7 7,
pool5 2048, fc6 1000, prob 1000`

// All layers create the parameters of Chainer's nets. An empty batch is enough. TestChainerFilesVision compares the
// digests with the recordings.
func TestParameters(t *testing.T) {
	for _, n := range nets {
		t.Run(n.file, func(t *testing.T) {
			if _, err := os.Stat(chainerFiles); err == nil && n.parameters > 100_000_000 {
				t.Skip("TestChainerFilesVision finds them without drawing so many numbers")
			}
			s := nn.NewScope()
			defer giveBack(s)
			var got []string
			for k, y := range n.net.Features(s, nd.Zeros([]int{0, 3, 224, 224}), n.net.Layers()...) {
				if y.Dim(0) != 0 {
					t.Errorf("%s: %d results of no images", n.net.Layers()[k], y.Dim(0))
				}
				got = append(got, n.net.Layers()[k]+" "+strings.Trim(fmt.Sprint(y.Shape()[1:]), "[]"))
			}
			if diff := cmp.Diff(strings.Split(strings.ReplaceAll(n.results, ",\n", ", "), ", "), got); diff != "" {
				t.Error(diff)
			}
			count := 0
			for _, p := range s.Trained() {
				count += p.Value().Size()
			}
			all := of(s)
			if count != n.parameters || len(all) != n.arrays || all.digest() != n.digest {
				t.Errorf("%d parameters, %d arrays, digest %s: want %d, %d, %s", count, len(all), all.digest(), n.parameters, n.arrays, n.digest)
			}
			for name, shape := range n.some {
				if got, ok := all[name]; !ok || !slices.Equal(got, shape) {
					t.Errorf("%s: shape %v, want %v", name, got, shape)
				}
			}
		})
	}
}
