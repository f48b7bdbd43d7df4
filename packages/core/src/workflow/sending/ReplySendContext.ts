import { Effect } from "effect"
import type { Message } from "../../domain/conversation/Message.ts"
import { automaticRecipient } from "./AutomaticRecipient.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { undeliverableAddress } from "../contact/Undeliverable.ts"
import type { ReplySendContext } from "../../domain/consent/MaySend.ts"
import { hasOptedOut } from "./MailSendContext.ts"
import { withSpan } from "../WithSpan.ts"

const dayMillis = 24 * 3_600_000

/** An email that is answered automatically, and the accounts of the tenant. */
export interface ReplySendInput {
  readonly tenant: Tenant
  readonly message: Message
  /** The addresses of all accounts. Null when the account that has to answer is missing or not active. */
  readonly ownAddresses: ReadonlyArray<string> | null
  /** The earliest time that the hourly limit permits, in epoch milliseconds. */
  readonly slotAt: number
  readonly now: number
  /** 1 if the reply itself is already among the counted replies, otherwise 0. */
  readonly counted: 0 | 1
}

/** Reads the facts that `maySend` needs for an automatic email reply. */
export const readReplySendContext = Effect.fnUntraced(function* (requested: ReplySendInput) {
  const { counted, message, now, ownAddresses, slotAt, tenant } = requested
  const { tenantId } = tenant
  const { diverted, email: recipient } = yield* automaticRecipient(message, ownAddresses ?? [])
  const counts =
    message.threadId === null
      ? { inThread: 0, toCorrespondent: 0 }
      : yield* (yield* Sends).replyCounts(tenantId, message.threadId, recipient ?? "", now - dayMillis)
  return {
    channel: "email",
    by: "nobody",
    tenantId,
    hipaa: tenant.hipaa,
    auto: message.auto,
    flags: message.flags,
    recipient,
    ownAddresses,
    tenantDomain: tenant.domain,
    optedOut: recipient !== null && (yield* hasOptedOut(tenantId, [recipient])),
    undeliverable: recipient === null ? null : yield* undeliverableAddress(tenantId, recipient),
    diverted,
    repliesInThread: Math.max(0, counts.inThread - counted),
    repliesToCorrespondent: Math.max(0, counts.toCorrespondent - counted),
    now,
    slotAt
  } satisfies ReplySendContext
}, withSpan("readReplySendContext"))
