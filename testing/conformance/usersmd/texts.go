package main

import _ "embed"

// Handwritten parts of the documents: their beginnings, and the end of docs/numpy.md. A test in the module's root runs
// the programs in docs/torch.md.
var (
	//go:embed text/numpy.md
	numpyIntroduction string
	//go:embed text/numpydifferences.md
	numpyDifferences string
	//go:embed text/torch.md
	torchIntroduction string
)
