package main

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// The packages in testdata contain faults, with the expected reports, and correct variants beside them.

func TestTemporaries(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), temporaries, "temporaries")
}

func TestIgnored(t *testing.T) { analysistest.Run(t, analysistest.TestData(), ignored, "ignored") }

func TestReleased(t *testing.T) { analysistest.Run(t, analysistest.TestData(), released, "released") }
