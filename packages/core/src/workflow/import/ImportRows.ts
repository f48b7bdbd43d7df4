import { Effect } from "effect"
import { companyDomainsOf } from "../../domain/company/Company.ts"
import { identityOfKey, lookupIdentities } from "../../domain/contact/Identity.ts"
import {
  type Candidate,
  importRow,
  type ImportScope,
  importSet,
  type ImportSet,
  readCandidate,
  type RowOutcome
} from "../../domain/import/ImportRow.ts"
import type { ImportedRow } from "../../domain/import/ImportMapping.ts"
import { Companies } from "../../port/repository/contact/Companies.ts"
import { ContactImports } from "../../port/repository/contact/ContactImports.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Identities } from "../../port/repository/contact/Identities.ts"
import { Ids } from "../../port/system/Ids.ts"
import { recordEvents } from "../webhook/Outbox.ts"

/** Reads the contacts and companies to which records refer, with one query per kind. */
const readSet = Effect.fnUntraced(function* (tenantId: string, candidates: ReadonlyArray<Candidate>) {
  const identities = candidates.flatMap((candidate) => lookupIdentities(candidate.identities))
  const holders = yield* (yield* Contacts).holders(tenantId, identities)
  const contacts = [...candidates.map(({ fresh }) => fresh), ...holders.map(({ contact }) => contact)]
  const held = yield* (yield* Identities).ofContacts(tenantId, [
    ...new Set(holders.map(({ contact }) => contact.contactId))
  ])
  const counts = new Map([...held].map(([contactId, own]) => [contactId, own.length]))
  const domains = new Set(contacts.flatMap(({ email }) => companyDomainsOf(email)))
  return importSet(holders, counts, yield* (yield* Companies).withDomains(tenantId, [...domains]))
})

/** Stores the changes of a set, with those that the undo needs. */
const storeSet = Effect.fnUntraced(function* ({ now, of }: ImportScope, { changes, events }: ImportSet) {
  const changed = [...changes.values()]
  if (changed.length === 0) return
  const writes = changed.map(({ after, before, identities }) => ({
    contact: after,
    isNew: before === null,
    identities: identities.map(identityOfKey)
  }))
  yield* (yield* Contacts).write(of.tenantId, writes, now)
  yield* (yield* ContactImports).record(of.tenantId, of.importId, changed)
  yield* recordEvents(events, now)
})

/**
 * Imports records in their order, and returns the outcome of each. Reads and writes the records as a set, so the number
 * of statements does not depend on the number of records. Runs inside a unit of work.
 */
export const importRows = Effect.fnUntraced(function* (scope: ImportScope, rows: ReadonlyArray<ImportedRow>) {
  const ids = yield* Ids
  const read = yield* Effect.forEach(rows, (row) =>
    Effect.map(ids.next("con"), (contactId) => readCandidate(scope, row, contactId))
  )
  const candidates = read.filter((one): one is Candidate => "fresh" in one)
  const set = yield* readSet(scope.of.tenantId, candidates)
  const outcomes = read.map((one): RowOutcome => ("fresh" in one ? importRow(set, scope, one) : one))
  yield* storeSet(scope, set)
  return outcomes
})
