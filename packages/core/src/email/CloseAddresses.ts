import { Effect } from "effect"
import { messageIdKey } from "../conversation/AcceptMessage.ts"
import { Contacts } from "../port/Contacts.ts"
import { Messages } from "../port/Messages.ts"
import type { ReturnedMail } from "./ReturnedMail.ts"

/** Closes the addresses that a returned mail names, if it is one that we sent them: anybody can forge a bounce. */
export const closeAddresses = Effect.fnUntraced(function* (tenantId: string, returned: ReturnedMail, now: number) {
  const messages = yield* Messages
  const contacts = yield* Contacts
  const [holder] = yield* messages.holders(tenantId, [messageIdKey + returned.originalMessageId])
  const original = holder === undefined ? null : yield* messages.find(tenantId, holder.messageId)
  if (original === null || original.actor === "contact") return
  const written = new Set([...original.to, ...original.cc])
  const ours = returned.recipients.some(({ email }) => written.has(email))
  if (ours && original.delivery !== null) yield* messages.setDelivery(tenantId, original.messageId, "bounced")
  for (const { email, reason } of returned.recipients) {
    if (written.has(email)) yield* contacts.markUndeliverable(tenantId, email, now, reason)
  }
})
