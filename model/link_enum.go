package model

// LinkKind is the kind of content that a link leads to.
type LinkKind string

// The values of LinkKind.
const (
	LinkKindRedirect LinkKind = "redirect"
	LinkKindFile     LinkKind = "file"
	LinkKindPage     LinkKind = "page"
)

// LinkEndedReason is why a link has ended.
type LinkEndedReason string

// The values of LinkEndedReason.
const (
	LinkEndedReasonExpired LinkEndedReason = "expired"
	LinkEndedReasonUsedUp  LinkEndedReason = "used_up"
)

// ConversionType is the kind of a viewer's action, for example a click on the page's button.
type ConversionType string

// The values of ConversionType.
const (
	ConversionTypeCtaClick  ConversionType = "cta_click"
	ConversionTypeScroll25  ConversionType = "scroll_25"
	ConversionTypeScroll50  ConversionType = "scroll_50"
	ConversionTypeScroll75  ConversionType = "scroll_75"
	ConversionTypeScroll100 ConversionType = "scroll_100"
	ConversionTypeCustom    ConversionType = "custom"
)

// scrollPercents are the parts of a page that its viewers scrolled to, by type.
var scrollPercents = map[ConversionType]int{
	ConversionTypeScroll25: 25, ConversionTypeScroll50: 50, ConversionTypeScroll75: 75, ConversionTypeScroll100: 100,
}

// ScrollPercent returns the part of the page that a scroll milestone reports; 0 for a conversion.
func (t ConversionType) ScrollPercent() int { return scrollPercents[t] }

// ConversionTypes lists the values of ConversionType.
var ConversionTypes = []ConversionType{
	ConversionTypeCtaClick, ConversionTypeScroll25, ConversionTypeScroll50, ConversionTypeScroll75,
	ConversionTypeScroll100,
	ConversionTypeCustom,
}

// DeviceType is the kind of a viewer's device; an empty one is unknown.
type DeviceType string

// The values of DeviceType.
const (
	DeviceTypeDesktop DeviceType = "desktop"
	DeviceTypeMobile  DeviceType = "mobile"
	DeviceTypeTablet  DeviceType = "tablet"
	DeviceTypeTv      DeviceType = "tv"
	DeviceTypeConsole DeviceType = "console"
	DeviceTypeWatch   DeviceType = "watch"
	DeviceTypeOther   DeviceType = "other"
)

// FormFieldType is the type of a form field's values.
type FormFieldType string

// The values of FormFieldType.
const (
	FormFieldTypeText     FormFieldType = "text"
	FormFieldTypeEmail    FormFieldType = "email"
	FormFieldTypeTel      FormFieldType = "tel"
	FormFieldTypeURL      FormFieldType = "url"
	FormFieldTypeNumber   FormFieldType = "number"
	FormFieldTypeDate     FormFieldType = "date"
	FormFieldTypeTextarea FormFieldType = "textarea"
	FormFieldTypeCheckbox FormFieldType = "checkbox"
)

// ActivityUnit is the length of the spans in which a link's activity is counted.
type ActivityUnit string

// The values of ActivityUnit.
const (
	ActivityUnitHour ActivityUnit = "hour"
	ActivityUnitDay  ActivityUnit = "day"
	ActivityUnitWeek ActivityUnit = "week"
)

// LinkDimension is what the opens of a link are counted by.
type LinkDimension string

// The values of LinkDimension.
const (
	LinkDimensionCountry     LinkDimension = "country"
	LinkDimensionDevice      LinkDimension = "device"
	LinkDimensionBrowser     LinkDimension = "browser"
	LinkDimensionOS          LinkDimension = "os"
	LinkDimensionReferrer    LinkDimension = "referrer"
	LinkDimensionUTMSource   LinkDimension = "utm_source"
	LinkDimensionUTMMedium   LinkDimension = "utm_medium"
	LinkDimensionUTMCampaign LinkDimension = "utm_campaign"
	LinkDimensionUTMTerm     LinkDimension = "utm_term"
	LinkDimensionUTMContent  LinkDimension = "utm_content"
)

// SplitTestVerdict is whether the conversions of a split test's variants differ by more than chance.
type SplitTestVerdict string

// The values of SplitTestVerdict.
const (
	SplitTestVerdictTooFew       SplitTestVerdict = "too_few"
	SplitTestVerdictNoDifference SplitTestVerdict = "no_difference"
	SplitTestVerdictBetter       SplitTestVerdict = "better"
)
