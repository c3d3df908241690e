package webhook

// Queue is the name of the queue of deliveries, and Workers the number of them that a process runs at the same time; a worker spends
// nearly all of its time waiting for the receiver.
const (
	Queue   = "webhook"
	Workers = 2000
)

// Names of the tasks: JobDelivery sends one delivery, JobProbe tries a webhook that was paused after failures.
const (
	JobDelivery = "webhook.deliver"
	JobProbe    = "webhook.probe"
)
