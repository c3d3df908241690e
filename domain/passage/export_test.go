package passage

// BackfillNext enqueues the tasks of the next batch of documents, as Run does.
var BackfillNext = (*Service).backfillNext
