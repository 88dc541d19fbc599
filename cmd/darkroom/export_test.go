package main

// Main is main, for the tests' binary to be the program.
var Main = main
