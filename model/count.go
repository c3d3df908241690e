package model

// CountDifference is a stored figure that differs from the rows that it counts.
type CountDifference struct {
	WorkspaceID string
	Subject     string // the id of the row with the figure, and the column
	Stored      int
	Counted     int
}
