package webhook

const (
	// Queue is the name of the queue of deliveries.
	Queue = "webhook"
	// Workers is the number of tasks that a process runs at the same time. It is high because
	// workers mostly wait for receivers.
	Workers = 1000
	// MaxRunning is the number of deliveries that a process runs at the same time.
	MaxRunning = 2000
)

// Names of the tasks: JobDelivery sends deliveries, JobProbe tries a webhook that was paused for
// failures, JobAnnounce appends the event of a pause or resumption.
const (
	JobDelivery = "webhook.deliver"
	JobProbe    = "webhook.probe"
	JobAnnounce = "webhook.announce"
)
