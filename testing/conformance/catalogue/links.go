package catalogue

// linkRows is the chapter of links:  layers that are values.
var linkRows = []Row{}
