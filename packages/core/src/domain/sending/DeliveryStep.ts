/** The limit of stored steps per send. A send that is retried for a day has about 40. */
export const maxDeliverySteps = 100

/**
 * The kinds of steps. `started`: a transport got the message. `postponed`: the message waits for another attempt. The
 * others are delivery states of the message.
 */
export const deliverySteps = ["started", "postponed", "sent", "failed", "unknown", "delivered", "bounced"] as const

/** One step of the delivery of a message. */
export interface DeliveryStep {
  /** Epoch milliseconds. */
  readonly at: number
  readonly step: (typeof deliverySteps)[number]
  /** The number of the attempt; null for a report of the provider. */
  readonly attempt: number | null
  /** The response of the provider or the cause of the wait; null if there is none. */
  readonly reason: string | null
}

/** Returns whether a delivery state can be a step that a provider reports after the transmission. */
export const isReported = (delivery: string): delivery is "delivered" | "bounced" | "failed" =>
  delivery === "delivered" || delivery === "bounced" || delivery === "failed"
