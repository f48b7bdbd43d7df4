import { Effect } from "effect"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import type { Inbound } from "./Inbound.ts"
import type { Message } from "../../domain/conversation/Message.ts"

/**
 * What waits for a person has been overtaken when somebody writes. Old mail that is only stored now overtakes nothing
 * that answers a newer one.
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
