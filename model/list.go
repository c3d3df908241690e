package model

import (
	"strings"
	"time"
)

// OrderDirection is the direction of an order.
type OrderDirection string

// The values of OrderDirection.
const (
	OrderDirectionAsc  OrderDirection = "asc"
	OrderDirectionDesc OrderDirection = "desc"
)

// ListOrder is the order of a list that a caller chooses; F is the enum of the list's fields.
type ListOrder[F any] struct {
	Field     F
	Direction OrderDirection
}

// TimeRange is a range of time: From is included, To is not. A nil end is open.
type TimeRange struct {
	From, To *time.Time
}

// RatingRange is a range of ratings, both ends included. A nil end is open.
type RatingRange struct {
	From, To *float64
}

// DocumentOrderField is what documents are ordered by.
type DocumentOrderField string

// The values of DocumentOrderField.
const (
	DocumentOrderFieldCreatedAt   DocumentOrderField = "created_at"
	DocumentOrderFieldUpdatedAt   DocumentOrderField = "updated_at"
	DocumentOrderFieldPublishedAt DocumentOrderField = "published_at"
	DocumentOrderFieldTitle       DocumentOrderField = "title"
	DocumentOrderFieldLength      DocumentOrderField = "length"
	DocumentOrderFieldRelevance   DocumentOrderField = "relevance"
	DocumentOrderFieldRating      DocumentOrderField = "rating"
)

// DocumentOrder is an order of documents.
type DocumentOrder = ListOrder[DocumentOrderField]

// Order returns the order that the value names.
func (s DocumentSort) Order() *DocumentOrder {
	column, desc := strings.CutSuffix(string(s), "_desc")
	order := &DocumentOrder{Field: DocumentOrderField(strings.TrimSuffix(column, "_asc")), Direction: OrderDirectionAsc}
	switch order.Field {
	case "extracted_date":
		order.Field = DocumentOrderFieldPublishedAt
	case "word_count":
		order.Field = DocumentOrderFieldLength
	}
	if desc {
		order.Direction = OrderDirectionDesc
	}
	return order
}

// DocumentState is the state of a document in lists. Each document has exactly one.
type DocumentState string

// The values of DocumentState.
const (
	DocumentStateProcessing DocumentState = "processing"
	DocumentStateFailed     DocumentState = "failed"
	DocumentStateReady      DocumentState = "ready"
	DocumentStateHidden     DocumentState = "hidden"
)

// PersonaOrderField is what personas are ordered by.
type PersonaOrderField string

// The values of PersonaOrderField.
const (
	PersonaOrderFieldName            PersonaOrderField = "name"
	PersonaOrderFieldCreatedAt       PersonaOrderField = "created_at"
	PersonaOrderFieldLastInteraction PersonaOrderField = "last_interaction"
)

// PersonaOrder is an order of personas.
type PersonaOrder = ListOrder[PersonaOrderField]

// ReactionOrderField is what reactions are ordered by.
type ReactionOrderField string

// The values of ReactionOrderField.
const (
	ReactionOrderFieldCreatedAt ReactionOrderField = "created_at"
	ReactionOrderFieldRating    ReactionOrderField = "rating"
)

// ReactionOrder is an order of reactions.
type ReactionOrder = ListOrder[ReactionOrderField]

// CompanyOrderField is what companies are ordered by.
type CompanyOrderField string

// The values of CompanyOrderField.
const (
	CompanyOrderFieldName      CompanyOrderField = "name"
	CompanyOrderFieldCreatedAt CompanyOrderField = "created_at"
)

// CompanyOrder is an order of companies.
type CompanyOrder = ListOrder[CompanyOrderField]

// ExecutiveOrderField is what executives are ordered by.
type ExecutiveOrderField string

// The values of ExecutiveOrderField.
const (
	ExecutiveOrderFieldName              ExecutiveOrderField = "name"
	ExecutiveOrderFieldDocuments         ExecutiveOrderField = "documents"
	ExecutiveOrderFieldLastCommunication ExecutiveOrderField = "last_communication"
)

// ExecutiveOrder is an order of executives.
type ExecutiveOrder = ListOrder[ExecutiveOrderField]

// JobOrderField is what jobs are ordered by.
type JobOrderField string

// The values of JobOrderField.
const (
	JobOrderFieldCreatedAt  JobOrderField = "created_at"
	JobOrderFieldFinishedAt JobOrderField = "finished_at"
)

// JobOrder is an order of jobs.
type JobOrder = ListOrder[JobOrderField]

// LinkOrderField is what links are ordered by.
type LinkOrderField string

// The values of LinkOrderField.
const (
	LinkOrderFieldCreatedAt LinkOrderField = "created_at"
	LinkOrderFieldOpens     LinkOrderField = "opens"
	LinkOrderFieldTitle     LinkOrderField = "title"
)

// LinkOrder is an order of links.
type LinkOrder = ListOrder[LinkOrderField]

// DeliveryOrderField is what deliveries are ordered by.
type DeliveryOrderField string

// The values of DeliveryOrderField.
const (
	DeliveryOrderFieldCreatedAt   DeliveryOrderField = "created_at"
	DeliveryOrderFieldDeliveredAt DeliveryOrderField = "delivered_at"
)

// DeliveryOrder is an order of deliveries.
type DeliveryOrder = ListOrder[DeliveryOrderField]

// DraftOrderField is what drafts are ordered by.
type DraftOrderField string

// The values of DraftOrderField.
const (
	DraftOrderFieldSavedAt DraftOrderField = "saved_at"
	DraftOrderFieldTitle   DraftOrderField = "title"
	DraftOrderFieldDueAt   DraftOrderField = "due_at"
)

// DraftOrder is an order of drafts.
type DraftOrder = ListOrder[DraftOrderField]
