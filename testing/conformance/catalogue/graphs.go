package catalogue

// graphRows is the chapter of computational graphs, hooks of functions, and checks.
var graphRows = []Row{}
