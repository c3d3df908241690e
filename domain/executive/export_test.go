package executive

// FindChief is the task that looks for a workspace's chief executive.
var FindChief = (*Service).findChief
