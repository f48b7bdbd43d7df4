import { Effect } from "effect"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { SessionRoleForbidden } from "../../domain/access/ConsoleSession.ts"
import { includesRole, type Principal } from "../../domain/access/Principal.ts"
import { TaggedError } from "../../domain/TaggedError.ts"
import { type User, UserInactive, type UserRole } from "../../domain/user/User.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { withSpan } from "../WithSpan.ts"
import { identifyUser } from "./IdentifyUser.ts"
import { addUser } from "./Users.ts"

/** The person for whom a session is requested: a known user, or a name and an address. */
export type SessionPerson = { readonly userId: string } | { readonly name: string; readonly email: string }

/** The caller may create sessions only for itself. */
export class SessionUserForbidden extends TaggedError("SessionUserForbidden")<{}> {}

const mayNameOthers = (principal: Principal): boolean =>
  principal._tag === "Admin" ||
  (principal._tag === "IdToken" && principal.role !== null && includesRole(principal.role, "admin"))

/** Finds the user with an address, or creates one. Concurrent requests create one user. */
const findOrAddUser = Effect.fnUntraced(function* (tenantId: string, name: string, email: string, role: UserRole) {
  const users = yield* Users
  const address = normalizeEmail(email)
  const known = yield* users.ofEmail(tenantId, address)
  if (known !== null) return known
  const unit = Effect.gen(function* () {
    const added = yield* users.ofEmail(tenantId, address)
    return added ?? (yield* addUser({ tenantId, name, email: address, role, subject: null }))
  })
  // The unit of work has checked the address.
  return yield* (yield* Transactions)
    .atomically(tenantId, unit)
    .pipe(Effect.catchTag("UserExists", (defect) => Effect.die(defect)))
})

const isSame = (user: User, person: SessionPerson): boolean =>
  "userId" in person ? person.userId === user.userId : normalizeEmail(person.email) === user.email

/**
 * Returns the user as whom a new session acts. Without a person, it is the caller's own user, or none for the admin
 * key. Only the admin key and admins may name another person; a new user gets `newRole`. Fails with `UserInactive` for a deactivated user.
 */
export const sessionUser = Effect.fnUntraced(function* (
  tenantId: string,
  principal: Principal,
  person: SessionPerson | null,
  newRole: UserRole = "agent"
) {
  const own = yield* identifyUser(tenantId, principal)
  if (person === null || (own !== null && isSame(own, person))) return own
  if (!mayNameOthers(principal)) return yield* new SessionUserForbidden()
  const user =
    "userId" in person
      ? yield* (yield* Users).get(tenantId, person.userId)
      : yield* findOrAddUser(tenantId, person.name, person.email, newRole)
  return user.active ? user : yield* new UserInactive({ userId: user.userId })
}, withSpan("sessionUser"))

/**
 * Returns the role of a new session: that of its user, otherwise the requested one. Fails with `SessionRoleForbidden` if
 * the caller has a lower role.
 */
export const sessionRole = (
  principal: Principal,
  user: User | null,
  requested: UserRole = "agent"
): Effect.Effect<UserRole, SessionRoleForbidden> => {
  const role = user?.role ?? requested
  const may =
    principal._tag === "Admin" ||
    (principal._tag === "IdToken" && principal.role !== null && includesRole(principal.role, role))
  return may ? Effect.succeed(role) : Effect.fail(new SessionRoleForbidden({ role }))
}
