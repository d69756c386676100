package catalogue

import (
	"iter"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
)

// A Chainer link has two parts here: a value with Apply, and the scope that has its parameters.
const (
	valueAndScope = "any Go value with Apply is a link; its parameters are in the scope passed to Apply"
	childrenNote  = "a child gets the sub-scope that Apply passes to it"
)

// chainRows is the chapter of whole links: operations on all their parameters, and links made of other links.
var chainRows = []Row{
	{Signature: "chainer.Link()", Func: nn.NewScope, Note: valueAndScope},
	{Signature: "chainer.Link.add_param(name, shape, dtype=float32, initializer=None)",
		Func: func(s *nn.Scope, name string, shape []int, initial initializer.Initializer) *nd.Array {
			return s.Parameter(name, shape, initial, true)
		}, Ignores: scopesDType, Note: "`Scope.Parameter`"},
	{Signature: "chainer.Link.add_persistent(name, value)", Func: (*nn.Scope).Value},
	{Signature: "chainer.Link.children()", Func: (*nn.Scope).Children},
	{Signature: "chainer.Link.copy()", Func: (*nn.Scope).Copy, Note: "values are copied; Chainer's copy shares them, as using one scope twice does"},
	{Signature: "chainer.Link.links(skipself=False)", Func: linksOf, Note: skipSelfNote},
	{Signature: "chainer.Link.namedlinks(skipself=False)", Func: linksOf, Note: skipSelfNote},
	{Signature: "chainer.Link.namedparams()", Func: (*nn.Scope).Trained},
	{Signature: "chainer.Link.params()", Func: (*nn.Scope).Trained},
	{Signature: "chainer.Link.serialize(serializer)", Func: (*nn.Scope).Archive},
	{Signature: "chainer.Link.to_cpu()", Func: func(s *nn.Scope) (*nn.Scope, error) { return scopeTo(s, "cpu") }},
	{Signature: "chainer.Link.to_gpu(device=None)", Func: scopeTo, Note: "`Scope.To`"},
	{Signature: "chainer.Link.xp()", Func: (*nn.Scope).Device, Note: "the device on which arrays compute"},

	{Signature: "chainer.Chain()", Func: nn.NewScope, Note: valueAndScope},
	{Signature: "chainer.Chain.__getitem__(name)", Func: (*nn.Scope).Sub},
	{Signature: "chainer.Chain.add_link(name, link)", Func: (*nn.Scope).Sub, Ignores: []string{"link"}, Note: childrenNote},
	{Signature: "chainer.ChainList(*links)", Func: func(links []link.Layer) link.Sequential { return links }, Note: "`link.Sequential`"},
	{Signature: "chainer.ChainList.__getitem__(self, index)", Func: func(self link.Sequential, index int) link.Layer { return self[index] }},
	{Signature: "chainer.ChainList.__len__(self)", Func: func(self link.Sequential) int { return len(self) }},
	{Signature: "chainer.ChainList.add_link(self, link)", Func: func(self link.Sequential, l link.Layer) link.Sequential { return append(self, l) },
		Note: childrenNote},

	{Signature: "chainer.utils.conv.get_conv_outsize(size, k, s, p, cover_all=False, d=1)", Func: conv.OutputSize, Renames: sizeOptions},
	{Signature: "chainer.utils.conv.get_deconv_outsize(size, k, s, p, cover_all=False)", Func: conv.TransposedOutputSize, Renames: sizeOptions},
}

var sizeOptions = map[string]string{"s": "Stride", "p": "Pad", "d": "Dilation", "cover_all": "CoverPadding"}

const skipSelfNote = "the scope itself comes first, with the name \"\""

func linksOf(s *nn.Scope, skipSelf bool) iter.Seq2[string, *nn.Scope] {
	return func(yield func(string, *nn.Scope) bool) {
		for name, link := range s.Scopes() {
			if !(skipSelf && name == "") && !yield(name, link) {
				return
			}
		}
	}
}

// scopeTo returns the scope on the device that a value names.
func scopeTo(s *nn.Scope, dev any) (*nn.Scope, error) {
	d, err := gpuOf(dev)
	if err != nil {
		return nil, err
	}
	return s.To(d), nil
}
