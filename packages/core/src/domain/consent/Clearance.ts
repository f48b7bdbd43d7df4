import { Effect } from "effect"

/** Channels on which something can go out to a contact. */
export type OutboundChannel = "email" | "sms" | "voice"

/** Whom a message or a call of a tenant goes to. */
export interface SendTarget {
  readonly tenantId: string
  readonly channel: OutboundChannel
  /** Normalised addresses, or numbers in E.164. */
  readonly recipients: ReadonlyArray<string>
}

/**
 * The consent of `maySend`. Its class is private to this file and its state private to the class, so that no other code
 * can make one, not even of the same shape; `maySend` alone calls `grantClearance`, which a test holds it to.
 */
class Cleared {
  readonly #going: SendTarget

  constructor(target: SendTarget) {
    this.#going = target
  }

  /** Whether this is the consent for exactly this: same tenant, same channel, nobody beyond those it was asked for. */
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

/** What every port that reaches people asks for beside the message. */
export type Clearance = Cleared

/** What every adapter asks before anything leaves: a message that its clearance does not cover is a mistake of ours. */
export const demandClearance = (clearance: Clearance, target: SendTarget): Effect.Effect<void> =>
  clearance.covers(target)
    ? Effect.void
    : Effect.die(new Error(`There is no clearance of ${target.tenantId} for this by ${target.channel}.`))

/** Only for `maySend`. */
export const grantClearance = (target: SendTarget): Clearance => new Cleared(target)
