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
 * even with the same shape. Only `maySend` calls `grantClearance`; a test checks this.
 */
class Cleared {
  readonly #going: SendTarget

  constructor(target: SendTarget) {
    this.#going = target
  }

  /** Returns whether the clearance covers a message: the same tenant, the same channel, and no additional recipient. */
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

/** The proof that every port with access to people requires. */
export type Clearance = Cleared

/**
 * Checks a clearance before a message leaves the server. A missing clearance is a defect of this program, not a normal
 * failure, so the effect dies.
 */
export const demandClearance = (clearance: Clearance, target: SendTarget): Effect.Effect<void> =>
  clearance.covers(target)
    ? Effect.void
    : Effect.die(new Error(`The clearance does not cover this ${target.channel} message of tenant ${target.tenantId}.`))

/** Grants a clearance. For `maySend` only. */
export const grantClearance = (target: SendTarget): Clearance => new Cleared(target)
