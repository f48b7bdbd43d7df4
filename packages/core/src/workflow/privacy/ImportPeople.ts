import { Effect } from "effect"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { type Row, textOf } from "../../domain/privacy/Record.ts"
import { maxTeams } from "../../domain/user/Team.ts"
import { Teams } from "../../port/repository/tenant/Teams.ts"
import { Users } from "../../port/repository/tenant/Users.ts"

/**
 * Returns new users from an archive as this deployment stores them. An address identifies one user of a tenant, so a user
 * whose address another user already has is stored without it. The ids stay, because assignments name them.
 */
export const importedUsers = Effect.fnUntraced(function* (tenantId: string, rows: ReadonlyArray<Row>) {
  const users = yield* Users
  const taken = new Set([""])
  return yield* Effect.forEach(rows, (row) =>
    Effect.gen(function* () {
      const email = normalizeEmail(textOf(row, "email"))
      const isFree = !taken.has(email) && (yield* users.ofEmail(tenantId, email)) === null
      taken.add(email)
      return { ...row, email: isFree ? email : null } satisfies Row
    })
  )
})

/** Returns new teams from an archive as this deployment stores them. A name that is taken gets the id of the team. */
export const importedTeams = Effect.fnUntraced(function* (tenantId: string, rows: ReadonlyArray<Row>) {
  const taken = new Set((yield* (yield* Teams).page(tenantId, maxTeams, null)).map(({ name }) => name))
  return rows.map((row): Row => {
    const name = textOf(row, "name")
    const free = taken.has(name) ? `${name.slice(0, 150)} (${textOf(row, "team_id")})` : name
    taken.add(free)
    return { ...row, name: free }
  })
})
