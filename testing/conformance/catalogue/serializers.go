package catalogue

// serializerRows is the chapter of files of whole trainings.
var serializerRows = []Row{}
