import type { TextMoved } from "@leadloom/core/internal/domain/conversation/TextEvent"
import type { TenantConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { OptOuts } from "@leadloom/core/internal/port/repository/contact/OptOuts"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, jane, start, thanks } from "../Scene.ts"

export const hour = 3_600_000

/** Creates a tenant with a number, at noon in New York. */
export const open = Effect.fnUntraced(function* (config: Partial<TenantConfig> = {}, at = start + 8 * hour) {
  const tenant = yield* acme.open({ rules: [thanks], replyMode: "auto", ...config })
  yield* acme.connectPhone
  yield* TestClock.setTime(at)
  return tenant
})

/** Returns the sender, the text and the state of each message. */
export const history = (contactId: string) =>
  Effect.map(acme.messagesOf(contactId), (all) => all.map(({ actor, body, delivery }) => [actor, body, delivery]))

/** Returns Jane's stored opt-outs. */
export const storedOptOuts = Effect.flatMap(OptOuts, (optOuts) => optOuts.of("acme", [jane]))

/** A provider event about an outbound text. */
export const moved = (
  messageId: TextMoved["messageId"],
  state: TextMoved["state"],
  more: Partial<TextMoved> = {}
): TextMoved => ({
  _tag: "TextMoved",
  tenantId: "acme",
  messageId,
  providerMessageId: "SMours",
  state,
  reason: null,
  about: null,
  ...more
})

/** A query for open tasks. */
export const openTasks = { status: "open", type: null, priority: null, contactId: null, leadId: null } as const

/** A text that an agent of the tenant writes. */
export const letter = (body: string) => ({ channel: "sms", body, replyAll: false }) as const
