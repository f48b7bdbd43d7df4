import type { Effect } from "effect"
import type { Wait } from "../../domain/conversation/Wait.ts"
import { log } from "../LogEvents.ts"

/** Returns the fields of a log line about a wait. */
export const waitFields = ({ reason, until }: Omit<Wait, "messageId">) => ({
  waits_until: new Date(until).toISOString(),
  reason
})

/** Logs that an outbound message is sent later. */
export const logWait = (tenant: string, { messageId, ...wait }: Wait): Effect.Effect<void> =>
  log("message.waits", { tenant, message_id: messageId, ...waitFields(wait) })
