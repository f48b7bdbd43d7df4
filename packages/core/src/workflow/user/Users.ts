// Users and teams of tenants: changes, sign-in and assignment. Permissions belong in `domain/access`.
// Tests: `packages/testkit/src/suite/user`, `packages/server/test/http/user`.

import { Clock, Effect } from "effect"
import { isEmail, normalizeEmail } from "../../domain/address/Address.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { isId, type UserId } from "../../domain/Id.ts"
import { trimToNull } from "../../domain/text/TrimToNull.ts"
import { timeZoneOf } from "../../domain/time/TimeFacts.ts"
import { workingHoursFault } from "../../domain/time/WorkingHours.ts"
import { beginUser, LastAdmin, type User, type UserBeginning, UserInvalid } from "../../domain/user/User.ts"
import { userEvent } from "../../domain/user/UserEvent.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { actingUserId } from "../ActingUser.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { queueRelease } from "./ReleaseWork.ts"
import { withSpan } from "../WithSpan.ts"

/** The fields of a user that a request may set. Absent fields stay. */
export type UserFields = Partial<
  Pick<User, "name" | "email" | "role" | "active" | "workingHours" | "timeZone" | "signature">
>

/** Returns the fields of a user that the audit trail records. */
const auditedUser = ({ active, email, name, role, userId }: User) => ({ user_id: userId, name, email, role, active })

const checkedEmail = (text: string | null): string | null | UserInvalid => {
  const email = normalizeEmail(text ?? "")
  if (email === "") return null
  return isEmail(email)
    ? email
    : new UserInvalid({ field: "email", reason: "Invalid address. Send one address such as ann@business.example." })
}

/** Returns a user with changed fields, or the reason why a field is invalid. */
const setUserFields = (user: User, fields: UserFields): User | UserInvalid => {
  const changed = { ...user, ...fields }
  const name = trimToNull(changed.name)
  if (name === null) return new UserInvalid({ field: "name", reason: "Must not be blank." })
  const email = checkedEmail(changed.email)
  if (email instanceof UserInvalid) return email
  if (changed.timeZone !== null && timeZoneOf(changed.timeZone) === null) {
    return new UserInvalid({
      field: "time_zone",
      reason: "Unknown time zone. Send an IANA name such as Europe/Berlin."
    })
  }
  const fault = changed.workingHours === null ? null : workingHoursFault(changed.workingHours)
  if (fault !== null) return new UserInvalid({ field: "working_hours", reason: fault })
  return { ...changed, name, email, signature: trimToNull(changed.signature) }
}

/** Stores a new user and its event. Runs inside a unit of work. */
export const addUser = Effect.fnUntraced(function* (beginning: Omit<UserBeginning, "userId">, fields: UserFields = {}) {
  const now = yield* Clock.currentTimeMillis
  const userId = yield* (yield* Ids).next("usr")
  const user = setUserFields(beginUser({ ...beginning, userId }, now), fields)
  if (user instanceof UserInvalid) return yield* user
  yield* (yield* Users).insert(user)
  yield* recordEvents([userEvent("user.created", user)], now)
  return user
})

/** Creates a user. Fails with `UserExists` when another user of the tenant has the address. */
export const createUser = Effect.fnUntraced(function* (
  tenantId: string,
  { name, email, role = "agent" }: Required<Pick<UserFields, "name" | "email">> & UserFields,
  fields: UserFields
) {
  const unit = Effect.gen(function* () {
    const user = yield* addUser({ tenantId, name, email, role, subject: null }, fields)
    yield* recordAuditChange({ before: null, after: auditedUser(user) })
    return user
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("createUser"))

/** Stores the changes of a user and their event. Runs inside a unit of work. */
export const changeUser = Effect.fnUntraced(function* (
  before: User,
  fields: UserFields & Partial<Pick<User, "subject">>
) {
  const now = yield* Clock.currentTimeMillis
  const after = setUserFields({ ...before, ...fields, updatedAt: now }, {})
  if (after instanceof UserInvalid) return yield* after
  yield* (yield* Users).update(after)
  const isDeactivated = before.active && !after.active
  if (isDeactivated) yield* queueRelease(after.tenantId, { kind: "release_user", userId: after.userId }, now)
  yield* recordEvents([userEvent(isDeactivated ? "user.deactivated" : "user.updated", after)], now)
  yield* recordAuditChange({ before: auditedUser(before), after: auditedUser(after) })
  return after
})

const isAdmin = ({ active, role }: Pick<User, "active" | "role">): boolean => active && role === "admin"

/** The number of users that the search for another administrator reads at once. */
const adminPageSize = 100

const hasOtherAdmin = Effect.fnUntraced(function* ({ tenantId, userId }: User) {
  const users = yield* Users
  let after: string | null = null
  for (;;) {
    const page: ReadonlyArray<User> = yield* users.page(tenantId, true, adminPageSize, after)
    if (page.some((user) => user.userId !== userId && isAdmin(user))) return true
    after = page.at(-1)?.userId ?? null
    if (page.length < adminPageSize) return false
  }
})

/** Fails with `LastAdmin` if the only administrator would lose the role or the access by an own request. */
const requireAdminLeft = Effect.fnUntraced(function* (before: User, fields: UserFields) {
  const isOwn = (yield* actingUserId) === before.userId
  if (!isOwn || !isAdmin(before) || isAdmin({ ...before, ...fields })) return
  if (!(yield* hasOtherAdmin(before))) return yield* new LastAdmin()
})

/** Changes a user. Fails with `LastAdmin`, and with `UserExists` when another user of the tenant has the new address. */
export const updateUser = Effect.fnUntraced(function* (tenantId: string, userId: string, fields: UserFields) {
  const unit = Effect.gen(function* () {
    const before = yield* (yield* Users).get(tenantId, userId)
    yield* requireAdminLeft(before, fields)
    return yield* changeUser(before, fields)
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("updateUser"))

/** Deactivates a user. Has no effect on a deactivated user. Fails with `LastAdmin`. */
export const deactivateUser = Effect.fnUntraced(function* (tenantId: string, userId: string) {
  const unit = Effect.gen(function* () {
    const before = yield* (yield* Users).get(tenantId, userId)
    yield* requireAdminLeft(before, { active: false })
    return before.active ? yield* changeUser(before, { active: false }) : before
  })
  return yield* (yield* Transactions).atomically(tenantId, unit).pipe(
    // The address and the other fields do not change.
    Effect.catchTag(["UserExists", "UserInvalid"], (defect) => Effect.die(defect))
  )
}, withSpan("deactivateUser"))

/** Returns a page of users, oldest first. A null `active` lists active and deactivated users. */
export const listUsers = Effect.fnUntraced(function* (tenantId: string, active: boolean | null, page: PageRequest) {
  const users = yield* Users
  return yield* readPage(
    {
      scope: { tenantId, list: "users", filters: { active } },
      keyOf: ({ userId }: User) => [userId],
      readKey: ([userId]): UserId | null => (typeof userId === "string" && isId("usr", userId) ? userId : null),
      fetch: (limit, after) => users.page(tenantId, active, limit, after)
    },
    page
  )
}, withSpan("listUsers"))
