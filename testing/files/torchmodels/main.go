// Torchmodels is the Go side of torch.sh: it runs modules and trains networks whose parameters PyTorch made.
//
//	torchmodels module DIR NAME...     computes each module on its input, and writes the output and the parameters
//	torchmodels train IN OUT STEPS     trains the network in a checkpoint further
//	torchmodels copy IN OUT            reads every tensor of a file, and writes them again
package main

import (
	"errors"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/torch"
)

func main() {
	log.SetFlags(0)
	var err error
	switch args := os.Args; args[1] {
	case "module":
		for _, name := range args[3:] {
			if err = module(args[2], name); err != nil {
				log.Fatalf("%s: %v", name, err)
			}
		}
	case "train":
		var steps int
		if steps, err = strconv.Atoi(args[4]); err == nil {
			err = train(args[2], args[3], steps)
		}
	case "copy":
		err = copyTensors(args[2], args[3])
	}
	if err != nil {
		log.Fatal(err)
	}
}

// modules are functions of package nn for modules that torchmodels.py makes.
var modules = map[string]func(s *nn.Scope, x *nd.Array) *nd.Array{
	"linear": func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.Affine(s, x, 5) },
	"conv": func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.Convolution(s, x, 6, []int{3, 2}, nn.ConvolutionOptions{Group: 2})
	},
	"deconv": func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.Deconvolution(s, x, 6, []int{3, 2}, nn.DeconvolutionOptions{Stride: []int{2}})
	},
	"depth": func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.DepthwiseConvolution(s, x, []int{3}, nn.DepthwiseConvolutionOptions{Multiplier: 2})
	},
	"batch":    func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.BatchNormalization(s, x) },
	"group":    func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.GroupNormalization(s, x, 2) },
	"instance": func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.InstanceNormalization(s, x) },
	"layer":    func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.LayerNormalization(s, x, ops.Over(0, 1)) },
	"layers":   func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.LayerNormalization(s, x) },
	"embed":    func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.Embed(s, x, 7, 3) },
	"prelu":    func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.PReLU(s, x) },
	"prelus":   func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.PReLU(s, x, nn.PReLUOptions{Shared: new(false)}) },
	"attention": func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.MultiHeadAttention(s, x, x, x, nn.MultiHeadAttentionOptions{NumHeads: 2, AddAttnBias: true})
	},
	"attentions": func(s *nn.Scope, x *nd.Array) *nd.Array {
		key := x.Index(nd.Ellipsis(), nd.Until(5))
		return nn.MultiHeadAttention(s, x, key, key, nn.MultiHeadAttentionOptions{NumHeads: 2, VEmbedDim: 8})
	},
	"rnn": func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.RNN(s, x, nil, 5, nn.RecurrentOptions{Layers: 2}) },
	"lstm": func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.LSTM(s, x, nil, 5, nn.RecurrentOptions{Layers: 3, Bidirectional: true})
	},
	"gru": func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.GRU(s, x, nil, 5, nn.RecurrentOptions{Layers: 2, Bidirectional: true})
	},
	"gru1": func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.GRU(s, x, nil, 5, nn.RecurrentOptions{WithBias: new(false)})
	},
	"cell": func(s *nn.Scope, x *nd.Array) *nd.Array { return nn.LSTMCell(s, x, &nn.State{}, 5) },
	"encoder": func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.TransformerEncode(s, x, 2, nn.TransformerEncodeOptions{DimFeedforward: 16})
	},
	"decoder": func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.TransformerDecode(s, x, x, 2, nn.TransformerDecodeOptions{DimFeedforward: 16})
	},
	"transformer": func(s *nn.Scope, x *nd.Array) *nd.Array {
		return nn.Transformer(s, x, x, nn.TransformerOptions{NumHeads: 2, NumEncoderLayers: new(2), NumDecoderLayers: new(1), DimFeedforward: 16})
	},
	"links": func(s *nn.Scope, x *nd.Array) *nd.Array {
		h := link.Convolution2D{OutChannels: 3, KSize: []int{3}}.Apply(s.Sub("conv"), x)
		h = link.BatchNormalization{Eps: new(1e-5)}.Apply(s.Sub("bn"), h)
		return link.Linear{OutSize: 4}.Apply(s.Sub("fc"), h.Reshape(h.Dim(0), -1))
	},
}

// module computes a module with PyTorch's parameters, and writes the output and the parameters.
func module(dir, name string) error {
	in := filepath.Join(dir, name+".pt")
	f, err := nd.OpenTorch(in)
	if err != nil {
		return err
	}
	defer f.Close()
	x, err := f.Read("input")
	if err != nil {
		return err
	}
	params, o := nn.NewScope(), torch.Options{Prefix: "model", Links: name == "links"}
	modules[name](params.Sub("m"), x)
	if err := torch.Load(in, params, o); err != nil {
		return err
	}
	y := modules[name](params.Sub("m"), x)
	dict, err := torch.StateDict(params, o)
	if err != nil {
		return err
	}
	return nd.SaveTorch(filepath.Join(dir, name+".ours.pt"), nd.TorchDict{{Key: "output", Value: y}, {Key: "model", Value: dict}})
}

// network is the network that torchmodels.py trains too.
func network(s *nn.Scope, x *nd.Array) *nd.Array {
	h := nn.Convolution(s.Sub("conv1"), x, 4, []int{3}, nn.ConvolutionOptions{WithBias: new(false)})
	h = conv.MaxPooling(ops.ReLU(nn.BatchNormalization(s.Sub("bn1"), h)), []int{2})
	h = nn.Affine(s.Sub("fc1"), h, 8)
	h = nn.PReLU(s.Sub("act"), nn.LayerNormalization(s.Sub("norm"), h))
	return nn.Affine(s.Sub("fc2"), h, 3)
}

// train trains the network in a checkpoint further, with the batches that the checkpoint has, and writes a checkpoint.
func train(in, out string, steps int) error {
	f, err := nd.OpenTorch(in)
	if err != nil {
		return err
	}
	defer f.Close()
	read := func(name string) *nd.Array {
		x, e := f.Read(name)
		if e != nil {
			err = e
		}
		return x
	}
	images, labels := read("images"), read("labels")
	step, valueErr := f.Value("step")
	if err := errors.Join(err, valueErr); err != nil {
		return err
	}
	first := int(step.(int64))
	params := nn.NewScope()
	network(params, images.Index(nd.At(0)))
	if err := torch.Load(in, params, torch.Options{Prefix: "model"}); err != nil {
		return err
	}
	opt, err := torch.LoadOptimizer(in, params, torch.Options{Prefix: "optimizer", Model: "model"})
	if err != nil {
		return err
	}
	tape := grad.NewTape()
	for i := range steps {
		model := params.Watch(tape)
		y := network(model, images.Index(nd.At(first+i)))
		l := ops.Mean(loss.SoftmaxCrossEntropy(y, labels.Index(nd.At(first+i)).Reshape(-1, 1)))
		opt.Update(optim.GradientsOf(model, l))
		tape.Reset()
	}
	model, err := torch.StateDict(params)
	if err != nil {
		return err
	}
	var order []string
	for _, name := range f.Names() {
		order = append(order, strings.TrimPrefix(name, "model/"))
	}
	optimizer, err := torch.OptimizerDict(opt, params, torch.Options{Order: order})
	if err != nil {
		return err
	}
	return nd.SaveTorch(out, nd.TorchDict{{Key: "images", Value: images}, {Key: "labels", Value: labels}, {Key: "step", Value: first + steps},
		{Key: "model", Value: model}, {Key: "optimizer", Value: optimizer}})
}

// copyTensors writes the tensors of a file, and, if it is one of torch.save, the whole value.
func copyTensors(in, out string) error {
	if strings.HasSuffix(in, ".safetensors") {
		arrays, _, err := nd.LoadSafetensors(in)
		if err != nil {
			return err
		}
		return nd.SaveTorch(out, arrays)
	}
	f, err := nd.OpenTorch(in)
	if err != nil {
		return err
	}
	defer f.Close()
	arrays, err := f.ReadAll()
	if err != nil {
		return err
	}
	if err := nd.SaveTorch(out, arrays); err != nil {
		return err
	}
	v, err := f.Value("")
	if err != nil {
		return err
	}
	return nd.SaveTorch(out+".whole", v)
}
