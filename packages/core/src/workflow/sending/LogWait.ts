import { Effect } from "effect"
import type { Wait } from "../../domain/conversation/Wait.ts"

/** Returns the fields of a log line about a wait. */
export const waitFields = ({ reason, until }: Omit<Wait, "messageId">) => ({
  waits_until: new Date(until).toISOString(),
  reason
})

/** Logs that an outbound message is sent later. */
export const logWait = (tenant: string, { messageId: message, ...wait }: Wait): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logInfo("a message waits"), { tenant, message, ...waitFields(wait) })
