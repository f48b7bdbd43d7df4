import { Effect } from "effect"
import { messageIdKey } from "./AcceptMessage.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { type DedupKey, Messages } from "../../port/repository/conversation/Messages.ts"
import type { ReturnedMail } from "../../domain/email/ReturnedMail.ts"

/**
 * Marks the addresses in a bounce as undeliverable, if this server sent the returned mail to them. Anybody can forge a
 * bounce.
 */
export const suppressAddresses = Effect.fnUntraced(function* (tenantId: string, returned: ReturnedMail, now: number) {
  return yield* suppressAddressesOf(tenantId, [messageIdKey + returned.originalMessageId], returned.recipients, now)
})

/** Marks addresses as undeliverable for a mail that is identified by its dedup keys. */
export const suppressAddressesOf = Effect.fnUntraced(function* (
  tenantId: string,
  keys: ReadonlyArray<DedupKey>,
  recipients: ReturnedMail["recipients"],
  now: number
) {
  const messages = yield* Messages
  const contacts = yield* Contacts
  const [holder] = yield* messages.holders(tenantId, keys)
  const original = holder === undefined ? null : yield* messages.find(tenantId, holder.messageId)
  if (original === null || original.actor === "contact") return
  const written = new Set([...original.to, ...original.cc])
  const ours = recipients.some(({ email }) => written.has(email))
  if (ours && original.delivery !== null) yield* messages.setDelivery(tenantId, original.messageId, "bounced")
  for (const { email, open = false, reason } of recipients) {
    if (written.has(email) && !open) yield* contacts.markUndeliverable(tenantId, email, now, reason)
  }
})
