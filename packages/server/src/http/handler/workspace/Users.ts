import { Api } from "@leadloom/api/internal/Api"
import { NotFound } from "@leadloom/api/internal/errors"
import { profileChangeOf, userChangeOf, userToJson } from "@leadloom/api/internal/workspace/Users"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { ActingUser } from "@leadloom/core/internal/workflow/ActingUser"
import { createUser, deactivateUser, listUsers, updateUser } from "@leadloom/core/internal/workflow/user/Users"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The default number of users per page. */
const defaultPageSize = 50

const requireActingUser = Effect.gen(function* () {
  return (yield* ActingUser) ?? (yield* NotFound.of("This credential acts as no user of the tenant."))
})

/** Endpoints for the users of a tenant. */
export const layer = HttpApiBuilder.group(Api, "users", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query: { active, cursor = null, limit = defaultPageSize } }) {
      const filter = active === undefined ? null : active === "true"
      const { items, nextCursor } = yield* answer(listUsers(params.tenant_id, filter, { limit, cursor }))
      return { users: items.map(userToJson), next_cursor: nextCursor }
    }),
    create: Effect.fnUntraced(function* ({ params, payload: { email, name, ...more } }) {
      const { role, ...fields } = userChangeOf(more)
      const required = { name, email, ...(role === undefined ? {} : { role }) }
      return userToJson(yield* answer(createUser(params.tenant_id, required, fields)))
    }),
    me: Effect.fnUntraced(function* () {
      return userToJson(yield* requireActingUser)
    }),
    updateMe: Effect.fnUntraced(function* ({ params, payload }) {
      const { userId } = yield* requireActingUser
      return userToJson(yield* answer(updateUser(params.tenant_id, userId, profileChangeOf(payload))))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const users = yield* Users
      return userToJson(yield* answer(users.get(params.tenant_id, params.user_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return userToJson(yield* answer(updateUser(params.tenant_id, params.user_id, userChangeOf(payload))))
    }),
    deactivate: Effect.fnUntraced(function* ({ params }) {
      return userToJson(yield* answer(deactivateUser(params.tenant_id, params.user_id)))
    })
  })
)
