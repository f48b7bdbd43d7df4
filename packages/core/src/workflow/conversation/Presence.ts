import { Clock, Effect } from "effect"
import { presenceMillis, PresenceWithoutUser, type PresenceReport } from "../../domain/conversation/Presence.ts"
import { Presences } from "../../port/system/Presences.ts"
import { ActingUser } from "../ActingUser.ts"
import { withSpan } from "../WithSpan.ts"
import { readConversationRow } from "./ReadConversationRow.ts"

/** Returns the users who are present in a conversation. */
export const listPresence = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  yield* readConversationRow(tenantId, contactId, null)
  return yield* (yield* Presences).list(tenantId, contactId, yield* Clock.currentTimeMillis)
}, withSpan("listPresence"))

/** Reports that the acting user is present in a conversation or has left it. Returns the users who are present. */
export const reportPresence = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  state: PresenceReport["state"]
) {
  const user = yield* ActingUser
  if (user === null) return yield* new PresenceWithoutUser()
  const presences = yield* Presences
  const now = yield* Clock.currentTimeMillis
  const { name, userId } = user
  const earlier = (yield* listPresence(tenantId, contactId)).find((presence) => presence.userId === userId)
  const since = earlier?.state === state ? earlier.since : now
  yield* presences.report({ tenantId, contactId, userId, name, state, since, expiresAt: now + presenceMillis }, now)
  return yield* presences.list(tenantId, contactId, now)
}, withSpan("reportPresence"))
