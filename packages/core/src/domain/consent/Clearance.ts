import { Effect } from "effect"

/** The channels of outbound messages and calls. */
export type OutboundChannel = "email" | "sms" | "voice"

/** The tenant, channel and recipients of an outbound message or call. */
export interface SendTarget {
  readonly tenantId: string
  readonly channel: OutboundChannel
  /** Normalised email addresses, or phone numbers in E.164. */
  readonly recipients: ReadonlyArray<string>
}

/**
 * The permission that `maySend` grants. The class and its state are private, so other code cannot create a clearance,
 * even one with the same shape. Only `maySend` calls `grantClearance`, and a test checks this.
 */
class Cleared {
  readonly #going: SendTarget

  constructor(target: SendTarget) {
    this.#going = target
  }

  /**
   * Returns whether the clearance covers a message: the message has the same tenant, the same channel, and no
   * additional recipient.
   */
  covers({ channel, recipients, tenantId }: SendTarget): boolean {
    const target = this.#going
    return (
      tenantId === target.tenantId &&
      channel === target.channel &&
      recipients.length > 0 &&
      recipients.every((recipient) => target.recipients.includes(recipient))
    )
  }
}

/** The proof that `maySend` allowed a message or call. Every port that reaches people requires it. */
export type Clearance = Cleared

/**
 * Checks a clearance before a message leaves the server. A clearance that does not cover the message is a defect of
 * this program, not an expected failure, so the effect dies.
 */
export const demandClearance = (clearance: Clearance, target: SendTarget): Effect.Effect<void> =>
  clearance.covers(target)
    ? Effect.void
    : Effect.die(new Error(`The clearance does not cover this ${target.channel} message of tenant ${target.tenantId}.`))

/** Grants a clearance. For `maySend` only. */
export const grantClearance = (target: SendTarget): Clearance => new Cleared(target)
