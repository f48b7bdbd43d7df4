import { randomBytes } from "node:crypto"
import { type Inbound, plainInbound } from "@leadloom/core/internal/workflow/intake/Inbound"
import { acceptRequest } from "@leadloom/core/internal/workflow/intake/AcceptMessage"
import { Ids } from "@leadloom/core/internal/port/system/Ids"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { around } from "@leadloom/testkit/suite/Doubles"
import { tenantRecord } from "@leadloom/testkit/suite/Records"
import { Effect, Layer } from "effect"
import * as Store from "../src/Store.ts"
import { mailOf, type Place } from "./Ingest.ts"

/** Returns a mail of the benchmark as it arrives: its ids, its addresses and its text, without places in the store. */
const inboundOf = (index: number, place: Place): Inbound => {
  const { contact, isNew, keys, message, ownId, parentId } = mailOf(index, place)
  const email = contact.email ?? ""
  const { name } = contact
  return {
    ...plainInbound,
    tenant: tenantRecord(message.tenantId),
    channel: "email",
    source: "import",
    actor: "contact",
    identities: [{ kind: "email", value: email }],
    profile: { name, email, phone: null, company: null },
    body: message.body,
    quotedText: message.quotedText,
    subject: message.subject,
    mail: {
      internetMessageId: ownId,
      references: isNew ? [] : [{ id: parentId, weak: false }],
      repliesTo: new Set(),
      from: email,
      to: message.to,
      cc: [],
      replyTo: [],
      receivedAlias: message.receivedAlias,
      grantId: null,
      authentication: null,
      provider: null,
      htmlBody: message.htmlBody,
      attachments: [],
      raw: null
    },
    timestamp: message.timestamp,
    dedupKeys: keys,
    pipeline: "queue"
  }
}

/** Returns random bytes from a pool, as the server does, because a system call for each id would take longer. */
const random = (length: number): Uint8Array => {
  if (pool.next + length > pool.bytes.length) Object.assign(pool, { bytes: randomBytes(65_536), next: 0 })
  return pool.bytes.slice(pool.next, (pool.next += length))
}
const pool = { bytes: randomBytes(65_536), next: 0 }

/** The duration of a run, and the CPU time of this process. */
export interface Spent {
  readonly millis: number
  readonly cpuMillis: number
}

const cpuMillis = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}

/** Measures a promise. */
export const spend = async (use: () => Promise<unknown>): Promise<Spent> => {
  const [begun, cpu] = [performance.now(), cpuMillis()]
  await use()
  return { millis: performance.now() - begun, cpuMillis: cpuMillis() - cpu }
}

/** The ways to accept mail: in batches, as on Postgres, or each with its own unit of work. */
export type Way = "batches" | "units"

/** Accepts mails through the workflow with concurrent callers. */
export const acceptMails = (url: string, mails: number, callers: number, place: Place, way: Way): Promise<Spent> => {
  const arrivals = Array.from({ length: mails }, (_, index) => inboundOf(index, place))
  const services = Layer.mergeAll(around, Ids.layer(random), Store.layer({ url }))
  return Effect.runPromise(
    Effect.gen(function* () {
      const real = yield* Transactions
      const units = Transactions.of({ atomically: (tenantId, unit) => real.atomically(tenantId, unit) })
      const accepting = Effect.forEach(arrivals, acceptRequest, { concurrency: callers, discard: true })
      const services = yield* Effect.context<Effect.Services<typeof accepting>>()
      const running = way === "batches" ? accepting : Effect.provideService(accepting, Transactions, units)
      return yield* Effect.promise(() => spend(() => Effect.runPromiseWith(services)(running)))
    }).pipe(Effect.provide(services))
  )
}
