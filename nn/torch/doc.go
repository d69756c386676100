// Package torch exchanges models and optimizers with PyTorch: it reads state dicts into the scopes of package nn, and
// writes scopes as state dicts, under the names, and in the layouts, of PyTorch's modules.
//
//	params := nn.NewScope()
//	model(params, nd.Zeros([]int{1, 1, 28, 28})) // creates the parameters
//	err := torch.Load("model.pt", params)
//
// # Names
//
// A parameter "fc1/affine/W" is the tensor "fc1.weight": the folders of the scope are the modules, and the last folder, which
// the function of package nn adds, says what kind of module it is.
//
//	nn.Affine                           nn.Linear: W is the transpose of weight
//	nn.Convolution, nn.Deconvolution    nn.Conv1d …, nn.ConvTranspose1d …, without ChannelLast
//	nn.DepthwiseConvolution, …          the same with groups=in_channels
//	nn.BatchNormalization               nn.BatchNorm1d …: gamma, beta, mean and var are weight, bias, running_mean, running_var
//	nn.GroupNormalization, …            nn.GroupNorm, nn.InstanceNorm1d …, nn.LayerNorm: gamma and beta are weight and bias
//	nn.Embed, nn.PReLU                  nn.Embedding, nn.PReLU
//	nn.MultiHeadAttention               nn.MultiheadAttention
//	nn.RNN, nn.LSTM, nn.GRU             the modules of the same names, all layers and directions
//	nn.LSTMCell                         nn.LSTMCell
//	nn.TransformerEncode, …             nn.TransformerEncoderLayer, nn.TransformerDecoderLayer, nn.Transformer without its last two
//	                                    normalisations
//
// Other parameters keep their names, with dots instead of slashes. PyTorch's recurrent layers have two biases that are only
// added: Load adds them, and Save writes zeros for the second. Training with PyTorch moves both, so that it moves the sum
// twice as far as here. Batch normalisation's num_batches_tracked, which nothing reads by default, is ignored, and not written.
//
// If two layers share a folder, such as "conv1/conv" and "conv1/bn", or PyTorch's modules have other names,
// Options.Modules says which module a layer is. Options.Links reads the scopes of package link, whose names and layouts are
// Chainer's.
//
// # Optimizers
//
// [LoadOptimizer] makes an optimizer from the state dict of one of package torch.optim, with its options, states and counts of
// updates, and [OptimizerDict] is its inverse. A checkpoint has both beside other values:
//
//	err := torch.Load("checkpoint.pt", params, torch.Options{Prefix: "model"})
//	opt, err := torch.LoadOptimizer("checkpoint.pt", params, torch.Options{Prefix: "optimizer"})
//
// The code of modules is never run, and files that need it are refused: see nd.TorchFile.
package torch
