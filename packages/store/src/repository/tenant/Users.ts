import { User, UserExists, UserNotFound } from "@leadloom/core/internal/domain/user/User"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { Effect, Layer } from "effect"
import { Database, type DatabaseShape } from "../../Database.ts"
import { committedRecords } from "../../sql/CommittedRecords.ts"
import { table } from "../../sql/Table.ts"

const users = table(User, { name: "users", key: ["tenantId", "userId"] })

/** The statements that write a user. An address and a subject belong to one user of a tenant. */
const writer = ({ command, query, whole }: DatabaseShape) => {
  const insert = query(`${users.insert} ON CONFLICT DO NOTHING RETURNING user_id`)
  const replace = command(users.replace)
  const holder = query(`SELECT user_id FROM users WHERE tenant_id = ? AND email = ? AND user_id <> ?`)
  return {
    insert: Effect.fnUntraced(function* (user: User) {
      const inserted = yield* insert(...users.values(user))
      if (inserted.length === 0) return yield* new UserExists({ email: user.email })
    }),
    update: (user: User) =>
      whole(
        Effect.gen(function* () {
          const { email, tenantId, userId } = user
          // A violated unique index would fail the whole unit of work, so the address is checked first.
          const others = email === null ? [] : yield* holder(tenantId, email, userId)
          if (others.length > 0) return yield* new UserExists({ email })
          yield* replace(...users.changes(user))
        })
      )
  }
}

/** Stores users in SQL. Requests of users read them, so they stay in memory. */
export const layer: Layer.Layer<Users, never, Database> = Layer.effect(
  Users,
  Effect.map(Database, (database) => {
    const { isOneOf } = database
    const { all, one } = users.reading(database)
    const { changing, get: known } = committedRecords<User>("users", database)
    const { insert, update } = writer(database)
    const select = `SELECT ${users.columns} FROM users WHERE tenant_id = ?`
    const find = one(`${select} AND user_id = ?`)
    const ofSubject = one(`${select} AND subject = ?`)
    const ofEmail = one(`${select} AND email = ?`)
    const some = all(`${select} AND ${isOneOf("user_id")} ORDER BY user_id`)
    const page = all(`${select} AND user_id > ? ORDER BY user_id LIMIT ?`)
    const pageOf = all(`${select} AND active = ? AND user_id > ? ORDER BY user_id LIMIT ?`)
    return Users.of({
      insert: (user) => changing(insert(user)),
      update: (user) => changing(update(user)),
      get: Effect.fnUntraced(function* (tenantId, userId) {
        const user = yield* known(JSON.stringify(["id", tenantId, userId]), find(tenantId, userId))
        return user ?? (yield* new UserNotFound({ userId }))
      }),
      ofSubject: (tenantId, subject) =>
        known(JSON.stringify(["subject", tenantId, subject]), ofSubject(tenantId, subject)),
      ofEmail,
      some: (tenantId, userIds) =>
        userIds.length === 0 ? Effect.succeed([]) : some(tenantId, JSON.stringify(userIds)),
      page: (tenantId, active, limit, after) =>
        active === null ? page(tenantId, after ?? "", limit) : pageOf(tenantId, active ? 1 : 0, after ?? "", limit)
    })
  })
)
