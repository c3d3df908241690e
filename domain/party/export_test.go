package party

// AttributedRows is attributedRows for tests.
const AttributedRows = attributedRows
