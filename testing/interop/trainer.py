"""Chainer's side of chainer.sh: trains a small classifier for five epochs, from the initial parameters or from a snapshot."""

import os
import sys

import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import training
from chainer.training import extensions

folder, name, resume, out = sys.argv[1:]
OPTIMIZERS = {
    "sgd": lambda: chainer.optimizers.SGD(lr=0.1),
    "momentum": lambda: chainer.optimizers.MomentumSGD(lr=0.05),
    "adam": lambda: chainer.optimizers.Adam(alpha=0.02),
    "adagrad": lambda: chainer.optimizers.AdaGrad(lr=0.05),
    "rmsprop": lambda: chainer.optimizers.RMSprop(lr=0.01),
    "smorms3": lambda: chainer.optimizers.SMORMS3(lr=0.05),
}


class MLP(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l1 = L.Linear(6, 8)
            self.l2 = L.Linear(8, 4)

    def forward(self, x):
        return self.l2(F.relu(self.l1(x)))


model = L.Classifier(MLP())
chainer.serializers.load_npz(os.path.join(folder, "initial.npz"), model)
data = np.load(os.path.join(folder, "data.npz"))
optimizer = OPTIMIZERS[name]()
optimizer.setup(model)
examples = chainer.datasets.TupleDataset(data["x"], data["t"])
iterator = chainer.iterators.SerialIterator(examples, 6, shuffle=False)
updater = training.updaters.StandardUpdater(iterator, optimizer)
trainer = training.Trainer(updater, (5, "epoch"), out=os.path.join(folder, out))
trainer.extend(extensions.LogReport())
trainer.extend(extensions.snapshot(), trigger=(2, "epoch"))
if resume != "-":
    chainer.serializers.load_npz(os.path.join(folder, resume), trainer)
trainer.run()
chainer.serializers.save_npz(os.path.join(folder, out, "final.npz"), model)
