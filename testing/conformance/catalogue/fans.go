package catalogue

// fanRows is the chapter of initial values by the numbers of inputs and outputs.
var fanRows = []Row{}
