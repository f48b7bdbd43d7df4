import { Effect } from "effect"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import type { Inbound } from "./Inbound.ts"
import type { Message } from "../../domain/conversation/Message.ts"

/**
 * Supersedes a pending draft when a new message arrives. Old mail that is stored now does not supersede a draft that
 * answers a newer message.
 */
export const supersedeDraft = Effect.fnUntraced(function* (
  inbound: Inbound,
  { auto, contactId, tenantId, timestamp }: Message
) {
  if (auto !== null && auto !== "own") return
  const drafts = yield* Drafts
  const isOld = inbound.pipeline === "none" && inbound.delivery === null
  if (isOld) yield* drafts.supersedeOlder(tenantId, contactId, timestamp)
  else yield* drafts.supersede(tenantId, contactId)
})
