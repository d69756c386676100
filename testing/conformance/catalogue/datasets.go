package catalogue

// datasetRows is the chapter of data sets, and the batches that are read of them.
var datasetRows = []Row{}
