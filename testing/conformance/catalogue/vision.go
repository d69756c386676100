package catalogue

// visionRows is the chapter of networks for images.
var visionRows = []Row{}
