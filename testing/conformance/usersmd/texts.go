package main

import _ "embed"

// What a person wrote of the documents: how they begin, and how docs/numpy.md ends. The root's test runs the programs in
// docs/torch.md.
var (
	//go:embed text/numpy.md
	numpyIntroduction string
	//go:embed text/numpydifferences.md
	numpyDifferences string
	//go:embed text/torch.md
	torchIntroduction string
)
