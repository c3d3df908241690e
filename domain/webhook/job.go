package webhook

const (
	// Queue is the name of the queue of deliveries.
	Queue = "webhook"
	// Workers is the number of its tasks that a process runs at the same time; a worker spends
	// nearly all of its time waiting for receivers.
	Workers = 1000
	// MaxRunning is the number of deliveries that a process runs at the same time.
	MaxRunning = 2000
)

// Names of the tasks: JobDelivery sends one delivery, JobProbe tries a webhook that was paused
// after failures.
const (
	JobDelivery = "webhook.deliver"
	JobProbe    = "webhook.probe"
)
