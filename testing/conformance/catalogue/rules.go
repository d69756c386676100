package catalogue

// ruleRows is the chapter of Chainer's optimizers, and what is done to gradients before.
var ruleRows = []Row{}
