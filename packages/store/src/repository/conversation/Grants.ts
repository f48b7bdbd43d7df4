import {
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

/** The statements for the mailboxes of connected accounts. They ensure that a mailbox belongs to one tenant only. */
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
  /** Replaces the recorded mailboxes of an account. */
  const relist = (tenantId: string, before: ReadonlyArray<string>, after: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const [had, has] = [new Set(before.map(mailboxOf)), new Set(after.map(mailboxOf))]
      const added = after.filter((email) => !had.has(mailboxOf(email)))
      const taken = yield* claims.taken(tenantId, added)
      if (taken.length > 0) return yield* new AddressTaken({ addresses: taken })
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

/** Stores connected email accounts in SQL. */
const grantsLayer: Layer.Layer<Grants, never, Database> = Layer.effect(
  Grants,
  Effect.map(Database, (database) => {
    const { query, whole } = database
    const { all, one } = grants.reading({ query })
    const insert = query(`${grants.insert} ON CONFLICT (tenant_id) DO NOTHING RETURNING grant_id`)
    const find = one(`SELECT ${grants.columns} FROM grants WHERE tenant_id = ?`)
    const ofProvider = all(`SELECT ${grants.columns} FROM grants WHERE provider_grant_id = ? ORDER BY tenant_id`)
    const update = query(grants.update)
    const remove = query("DELETE FROM grants WHERE tenant_id = ? AND grant_id = ? RETURNING grant_id")
    const mailboxes = mailboxList(database)
    const current = (tenantId: string) => find(tenantId)
    const held = ({ grantId, tenantId }: Grant) =>
      Effect.flatMap(current(tenantId), (grant) =>
        grant?.grantId === grantId ? Effect.succeed(grant) : Effect.fail(new GrantNotFound({ grantId }))
      )
    return Grants.of({
      insert: (grant) =>
        whole(
          Effect.gen(function* () {
            const there = yield* current(grant.tenantId)
            if (there !== null) return yield* new ConnectionExists(there)
            yield* mailboxes.replace(grant.tenantId, [], senderAddresses(grant))
            const inserted = yield* insert(...grants.values(grant))
            if (inserted.length === 0) return yield* new ConnectionExists(grant)
          })
        ),
      current,
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
            yield* mailboxes.replace(grant.tenantId, senderAddresses(before), senderAddresses(after))
            yield* update(...grants.changes(after))
          })
        ),
      remove: (tenantId, grantId) =>
        whole(
          Effect.gen(function* () {
            const before = yield* current(tenantId)
            const removed = yield* remove(tenantId, grantId)
            if (removed.length === 0 || before === null) return yield* new GrantNotFound({ grantId })
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
