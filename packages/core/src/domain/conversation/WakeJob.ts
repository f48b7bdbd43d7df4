/** A job that opens the conversations of a tenant whose snooze has ended. Each snooze has a job. */
export interface WakeJob {
  readonly kind: "wake_conversations"
}
