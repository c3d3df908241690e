/** The events that webhooks and alerts by mail can tell. */
export const eventTypes = [
  ...(['LINK_OPENED', 'CONVERSION', 'FORM_SUBMITTED', 'SEARCH_MATCHED'] as const),
  ...(['DOCUMENT_READY', 'DOCUMENT_FAILED', 'JOB_FAILED'] as const),
  ...(['DRAFT_REVIEW_REQUESTED', 'DRAFT_APPROVED', 'DRAFT_RETURNED', 'DRAFT_REOPENED'] as const),
  ...(['DRAFT_PUBLISHED', 'DRAFT_WITHDRAWN'] as const),
  ...(['DRAFT_COMMENTED', 'DRAFT_COMMENT_RESOLVED'] as const),
  ...(['SOURCE_FAILING', 'SOURCE_RECOVERED'] as const),
  ...(['WEBHOOK_PAUSED', 'WEBHOOK_RESUMED', 'BUDGET_REACHED'] as const),
  ...(['REACTIONS_COMPLETED', 'SUMMARY_STALE'] as const),
];
