package main

import _ "embed"

// torchIntroduction is what docs/torch.md begins with; the root's test runs its programs.
//
//go:embed torch.md
var torchIntroduction string
