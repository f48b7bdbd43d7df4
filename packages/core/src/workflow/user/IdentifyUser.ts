import { Effect } from "effect"
import type { IdTokenPrincipal, Principal } from "../../domain/access/Principal.ts"
import { type User, UserInactive, type UserRole } from "../../domain/user/User.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { withSpan } from "../WithSpan.ts"
import { addUser, changeUser } from "./Users.ts"

/**
 * Finds or creates the user of an ID token. Runs inside a unit of work, because several servers may see the first use of
 * a token at the same time. An admin may have created the user before: the verified address then identifies it.
 */
const joinUser = Effect.fnUntraced(function* (tenantId: string, role: UserRole, principal: IdTokenPrincipal) {
  const users = yield* Users
  const { profile, subject } = principal
  const known = yield* users.ofSubject(tenantId, subject)
  if (known !== null) return known.role === role ? known : yield* changeUser(known, { role })
  const email = profile?.email ?? null
  const holder = email === null ? null : yield* users.ofEmail(tenantId, email)
  if (holder !== null && holder.subject === null && profile?.isEmailVerified === true) {
    return yield* changeUser(holder, { subject, role })
  }
  const name = profile?.name ?? email ?? subject.slice(0, 200)
  return yield* addUser({ tenantId, name, email: holder === null ? email : null, role, subject })
})

/**
 * Returns the user of an ID token in a tenant, and creates it on the first use. Later uses only read. The operator's
 * staff (role `superuser`) become users of a tenant only if an admin of the tenant has created them.
 */
const userOfIdToken = Effect.fnUntraced(function* (tenantId: string, principal: IdTokenPrincipal) {
  const known = yield* (yield* Users).ofSubject(tenantId, principal.subject)
  const { role } = principal
  if (role === null || role === "superuser") return known
  if (known !== null && (known.role === role || !known.active)) return known
  return yield* (yield* Transactions).atomically(tenantId, joinUser(tenantId, role, principal)).pipe(
    // Both cannot occur: the unit of work has checked the address, and the fields come from a checked profile.
    Effect.catchTag(["UserExists", "UserInvalid"], (defect) => Effect.die(defect))
  )
})

const userOfSession = Effect.fnUntraced(function* (tenantId: string, userId: string) {
  return yield* (yield* Users)
    .get(tenantId, userId)
    .pipe(Effect.catchTag("UserNotFound", () => new UserInactive({ userId })))
})

const identifyActive = Effect.fnUntraced(function* (tenantId: string, principal: Principal) {
  let user: User | null = null
  if (principal._tag === "IdToken") user = yield* userOfIdToken(tenantId, principal)
  if (principal._tag === "Session" && principal.userId !== undefined) {
    user = yield* userOfSession(tenantId, principal.userId)
  }
  if (user !== null && !user.active) return yield* new UserInactive({ userId: user.userId })
  return user
}, withSpan("identifyUser"))

/**
 * Returns the user as whom a principal acts in a tenant; null if it acts as no user. Fails with `UserInactive` for a
 * deactivated user. The caller has checked that the principal reaches the tenant.
 */
export const identifyUser = (tenantId: string, principal: Principal): ReturnType<typeof identifyActive> =>
  principal._tag === "IdToken" || principal._tag === "Session"
    ? identifyActive(tenantId, principal)
    : Effect.succeed(null)
