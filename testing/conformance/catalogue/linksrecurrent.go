package catalogue

// linkRecurrentRows is the chapter of recurrent links, and links that are losses.
var linkRecurrentRows = []Row{}
