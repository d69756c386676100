package catalogue

import "slices"

// Rows returns the rows of all chapters.
func Rows() []Row {
	return slices.Concat(
		arithmeticRows,
		operatorRows,
		expLogRows,
		trigonometryRows,
		roundingRows,
		compareRows,
		bitRows,
		activationRows,
		lossRows,
		specialRows,
		reduceRows,
		joinRows,
		creationRows,
		arrayRows,
		takeRows,
		statisticsRows,
		testingRows,
		deviceRows,
		indexRows,
		viewRows,
		matrixRows,
		linalgRows,
		polynomialRows,
		kernelRows,
		randomRows,
		linearRows,
		dtypeRows,
		printRows,
		fftRows,
		sequenceRows,
		alignmentRows,
		attentionRows,
		evaluationRows,
		likenessRows,
		checkpointRows,
		convolutionRows,
		poolingRows,
		detectionRows,
		normalizationRows,
		quantizeRows,
	)
}
