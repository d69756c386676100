package catalogue

// reportRows is the chapter of what is reported, and its means.
var reportRows = []Row{}
