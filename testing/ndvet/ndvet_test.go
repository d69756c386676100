package main

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// The packages in testdata have faults, with what is to be reported, and the good forms beside them.

func TestTemporaries(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), temporaries, "temporaries")
}

func TestIgnored(t *testing.T) { analysistest.Run(t, analysistest.TestData(), ignored, "ignored") }

func TestReleased(t *testing.T) { analysistest.Run(t, analysistest.TestData(), released, "released") }
