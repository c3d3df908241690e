// Package sample holds files about a fictional company, written for this project, that fill a demo
// workspace.
package sample
