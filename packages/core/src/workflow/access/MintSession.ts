import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { bytesToHex } from "@noble/hashes/utils.js"
import { recordAuditChange } from "./Audited.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { mintSession as mintToken } from "../../domain/access/SessionToken.ts"
import type { User } from "../../domain/user/User.ts"
import { withSpan } from "../WithSpan.ts"

/** The deployment has no secret for signing sessions. */
export class SessionsNotConfigured extends TaggedError("SessionsNotConfigured")<{}> {}

/**
 * Creates a session token that grants the rights of an agent in one tenant for one hour. With a user, the session acts
 * as this user.
 */
export const mintSession = Effect.fnUntraced(function* (tenantId: string, user: Pick<User, "userId"> | null = null) {
  const [key] = (yield* Secrets).sessionKeys
  if (key === undefined) return yield* new SessionsNotConfigured()
  yield* (yield* Tenants).get(tenantId)
  const jti = bytesToHex((yield* Randomness).bytes(16))
  const now = yield* Clock.currentTimeMillis
  const acting = user === null ? {} : { userId: user.userId }
  yield* recordAuditChange({ before: null, after: { session: jti, user_id: user?.userId ?? null } }, tenantId)
  const minted = mintToken({ tenantId, jti, ...acting }, key, now)
  return { ...minted, tenantId, userId: user?.userId ?? null, role: "agent" as const, endsAt: null }
}, withSpan("mintSession"))
