package executive

// FindChief is the task that finds the chief executive of a workspace.
var FindChief = (*Service).findChief
