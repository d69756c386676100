package catalogue

// trainingRows is the chapter of the loop of a training, and what happens in it.
var trainingRows = []Row{}
