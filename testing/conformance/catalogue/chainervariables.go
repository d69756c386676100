package catalogue

// chainerVariableRows is the chapter of Chainer's variables and functions as objects.
var chainerVariableRows = []Row{}
