// Package roots is a test of the GC's work: it limits what the garbage collector must scan in every cycle because a
// program imports the library, namely variables with pointers and objects that are allocated at program start.
package roots
