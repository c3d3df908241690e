package model

// LinkConnection is one page of links.
type LinkConnection = Connection[Link]

// LinkEdge is a link and its cursor.
type LinkEdge = Edge[Link]

// LinkSessionConnection is one page of viewer sessions.
type LinkSessionConnection = Connection[LinkSession]

// LinkSessionEdge is a session and its cursor.
type LinkSessionEdge = Edge[LinkSession]

// LinkConversionConnection is one page of conversions.
type LinkConversionConnection = Connection[LinkConversion]

// LinkConversionEdge is a conversion and its cursor.
type LinkConversionEdge = Edge[LinkConversion]

// LinkSubmissionConnection is one page of submissions.
type LinkSubmissionConnection = Connection[LinkSubmission]

// LinkSubmissionEdge is a submission and its cursor.
type LinkSubmissionEdge = Edge[LinkSubmission]
