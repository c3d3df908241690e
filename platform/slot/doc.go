// Package slot limits how much of one workspace's work runs at the same time, so that its burst
// leaves connections and processors to others.
//
// Idea: work takes a slot of its workspace and one of the whole process before it starts. Waiters
// are served first in, first out. dbx takes a slot before it takes a connection: a workspace has at
// most four, and all together leave a quarter of the connections to reads. graph/policy lets two
// queries and two mutations of a workspace run for each processor. Compute limits the analysis and
// export of long texts to half as many as there are processors. A Quota does not wait: what would
// exceed a share of it, such as one more stream or the bytes of a body, is refused.
//
// Limits: slots are per process. The time of waiting counts toward the limit of the operation.
//
// Fallback: work that waits for another program, such as a text model, gives its slot back for that
// time (Leave).
package slot
