import { defaultAccountsPerTenant } from "@leadloom/core/internal/domain/email/Accounts"
import {
  AddressConnected,
  ConnectionExists,
  Grant,
  GrantNotFound,
  senderAddresses,
  SignIn
} from "@leadloom/core/internal/domain/email/Grant"
import { domainOf } from "@leadloom/core/internal/domain/address/Address"
import { AddressTaken, mailboxOf, reversedHost } from "@leadloom/core/internal/domain/email/Mailbox"
import { Grants, SignIns } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, Layer } from "effect"
import { Database, type DatabaseShape } from "../../Database.ts"
import { mailboxClaims } from "./MailboxClaims.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const grants = table(Grant, { name: "grants", key: ["tenantId", "grantId"] })
const signIns = table(SignIn, { name: "sign_ins", key: ["tenantId", "stateHash"] })

/**
 * The statements for the mailboxes of connected accounts. They ensure that a mailbox belongs to one account of one tenant
 * only.
 */
const mailboxList = (database: DatabaseShape) => {
  const { command, isOneOf, query, tuples } = database
  const claims = mailboxClaims(database)
  // Finds the owner of a mailbox. In a database of an older version, several accounts may have the mailbox; its owner
  // is the account that was connected first.
  const holder = query<{ readonly tenantId: string }>(
    `SELECT a.tenant_id AS "tenantId" FROM grant_addresses a
      JOIN grants ON grants.tenant_id = a.tenant_id LEFT JOIN tenants t ON t.tenant_id = a.tenant_id
      WHERE a.address = ? AND t.archived_at IS NULL ORDER BY a.owned DESC, grants.created_at, a.tenant_id LIMIT 1`
  )
  const list = query(
    `INSERT INTO grant_addresses (tenant_id, address, reversed_host)
      SELECT ?, item.value ->> 0, item.value ->> 1 FROM ${tuples} WHERE true ON CONFLICT DO NOTHING RETURNING address`
  )
  const unlist = command(`DELETE FROM grant_addresses WHERE tenant_id = ? AND ${isOneOf("address")}`)
  /**
   * Replaces the recorded mailboxes of an account. `others` reads the other accounts of the tenant, after the lock of
   * `claims`.
   */
  const relist = (
    tenantId: string,
    before: ReadonlyArray<string>,
    after: ReadonlyArray<string>,
    others: Effect.Effect<ReadonlyArray<Grant>, StoreUnavailable>
  ) =>
    Effect.gen(function* () {
      const [had, has] = [new Set(before.map(mailboxOf)), new Set(after.map(mailboxOf))]
      const added = after.filter((email) => !had.has(mailboxOf(email)))
      const taken = yield* claims.taken(tenantId, added)
      if (taken.length > 0) return yield* new AddressTaken({ addresses: taken })
      for (const other of added.length === 0 ? [] : yield* others) {
        const held = new Set(senderAddresses(other).map(mailboxOf))
        const addresses = added.filter((email) => held.has(mailboxOf(email)))
        if (addresses.length > 0) return yield* new AddressConnected({ addresses, email: other.email })
      }
      const gone = [...had].filter((mailbox) => !has.has(mailbox))
      if (gone.length > 0) yield* unlist(tenantId, JSON.stringify(gone))
      const fresh = [...new Set(added.map(mailboxOf))].toSorted()
      if (fresh.length === 0) return
      const listed = yield* list(
        tenantId,
        JSON.stringify(fresh.map((mailbox) => [mailbox, reversedHost(domainOf(mailbox))]))
      )
      // Another server of an older version, which does not use the lock, has just connected this mailbox. A retry then
      // finds that the mailbox has an owner.
      if (listed.length < fresh.length)
        return yield* new StoreUnavailable({ reason: "Two servers claimed this mailbox at the same time. Try again." })
    })
  return {
    replace: relist,
    remove: (tenantId: string, addresses: ReadonlyArray<string>) =>
      unlist(tenantId, JSON.stringify(addresses.map(mailboxOf))),
    holder: (address: string) => Effect.map(holder(mailboxOf(address)), (rows) => first(rows)?.tenantId ?? null)
  }
}

/** The statements that read accounts. */
const readingGrants = (database: Pick<DatabaseShape, "query">) => {
  const { all, one } = grants.reading(database)
  const order = "ORDER BY is_default DESC, created_at, grant_id"
  return {
    current: one(`SELECT ${grants.columns} FROM grants WHERE tenant_id = ? ${order} LIMIT 1`),
    find: one(`SELECT ${grants.columns} FROM grants WHERE tenant_id = ? AND grant_id = ?`),
    list: all(`SELECT ${grants.columns} FROM grants WHERE tenant_id = ? ${order}`),
    ofProvider: all(`SELECT ${grants.columns} FROM grants WHERE provider_grant_id = ? ORDER BY tenant_id, grant_id`)
  }
}

/** The method that connects an account. */
const connecting = (
  database: DatabaseShape,
  mailboxes: ReturnType<typeof mailboxList>
): Grants["Service"]["insert"] => {
  const { list } = readingGrants(database)
  const insert = database.command(grants.insert)
  return (grant, limit = defaultAccountsPerTenant) => {
    const { tenantId } = grant
    const requirePlace = Effect.flatMap(list(tenantId), ([first, ...others]) =>
      first !== undefined && others.length + 1 >= limit
        ? Effect.fail(new ConnectionExists({ ...first, limit }))
        : Effect.void
    )
    return database.whole(
      Effect.gen(function* () {
        yield* requirePlace
        // On Postgres, it takes the lock of all claims, so that the second check sees every concurrent connection.
        yield* mailboxes.replace(tenantId, [], senderAddresses(grant), list(tenantId))
        yield* requirePlace
        yield* insert(...grants.values(grant))
      })
    )
  }
}

/** Stores connected email accounts in SQL. */
const grantsLayer: Layer.Layer<Grants, never, Database> = Layer.effect(
  Grants,
  Effect.map(Database, (database) => {
    const { command, query, whole } = database
    const { current, find, list, ofProvider } = readingGrants(database)
    const setDefault = command(
      "UPDATE grants SET is_default = CASE WHEN grant_id = ? THEN 1 ELSE 0 END WHERE tenant_id = ?"
    )
    const update = query(grants.update)
    const remove = command("DELETE FROM grants WHERE tenant_id = ? AND grant_id = ?")
    const mailboxes = mailboxList(database)
    const held = ({ grantId, tenantId }: Grant) =>
      Effect.flatMap(find(tenantId, grantId), (grant) =>
        grant === null ? Effect.fail(new GrantNotFound({ grantId })) : Effect.succeed(grant)
      )
    const others = ({ grantId, tenantId }: Grant) =>
      Effect.map(list(tenantId), (accounts) => accounts.filter((account) => account.grantId !== grantId))
    return Grants.of({
      insert: connecting(database, mailboxes),
      current,
      find,
      list,
      setDefault: (tenantId, grantId) => setDefault(grantId, tenantId),
      holder: mailboxes.holder,
      ofProvider,
      update: (grant) =>
        whole(
          Effect.gen(function* () {
            const { aliases, email } = yield* held(grant)
            yield* update(...grants.changes({ ...grant, aliases, email }))
          })
        ),
      setAliases: (grant) =>
        whole(
          Effect.gen(function* () {
            const before = yield* held(grant)
            const after = { ...grant, email: before.email }
            yield* mailboxes.replace(grant.tenantId, senderAddresses(before), senderAddresses(after), others(grant))
            yield* update(...grants.changes(after))
          })
        ),
      remove: (tenantId, grantId) =>
        whole(
          Effect.gen(function* () {
            const before = yield* find(tenantId, grantId)
            if (before === null) return yield* new GrantNotFound({ grantId })
            yield* remove(tenantId, grantId)
            yield* mailboxes.remove(tenantId, senderAddresses(before))
          })
        )
    })
  })
)

/** Stores pending sign-ins in SQL. */
const signInsLayer: Layer.Layer<SignIns, never, Database> = Layer.effect(
  SignIns,
  Effect.map(Database, ({ command, query, whole }) => {
    const forget = command("DELETE FROM sign_ins WHERE tenant_id = ? AND expires_at <= ?")
    const insert = command(signIns.insert)
    const end = query<Pick<SignIn, "sealed">>(
      `DELETE FROM sign_ins WHERE tenant_id = ? AND state_hash = ? AND principal = ? AND expires_at > ?
        RETURNING sealed`
    )
    return SignIns.of({
      begin: (signIn, now) => whole(Effect.andThen(forget(signIn.tenantId, now), insert(...signIns.values(signIn)))),
      end: ({ principal, stateHash, tenantId }, now) =>
        Effect.map(end(tenantId, stateHash, principal, now), ([row]) => row ?? null)
    })
  })
)

/** Stores connected email accounts and pending sign-ins in SQL. */
export const layer: Layer.Layer<Grants | SignIns, never, Database> = Layer.merge(grantsLayer, signInsLayer)
