package model

// ExportFormat is a file format of exports.
type ExportFormat string

// The values of ExportFormat.
const (
	ExportFormatPdf  ExportFormat = "pdf"
	ExportFormatDocx ExportFormat = "docx"
	ExportFormatHTML ExportFormat = "html"
	ExportFormatMd   ExportFormat = "md"
	ExportFormatTxt  ExportFormat = "txt"
)
