import type { Facts } from "./Facts.ts"
import { isQuiet, places, zoneOf } from "./Place.ts"
import { type Row, tenantNumberKey } from "./World.ts"

/** A consistency rule. Returns one sentence per violation and an empty list when the rule holds. */
type Rule = (facts: Facts) => ReadonlyArray<string>

const hourMillis = 3_600_000

const keyOf = (row: Row, name: string): string => `${String(row["tenant_id"])} ${String(row[name])}`

/** Returns the number of occurrences of each key. */
const tally = (keys: Iterable<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

const refIn = /\bRef ([b-m]{6})\./u

const everythingOnce: Rule = ({ calls, messages, notes }) => {
  const inbound = messages.filter(({ actor }) => actor === "contact")
  const counts = tally([
    ...inbound.flatMap((row) => {
      const [, ref] = refIn.exec(String(row["body"])) ?? []
      // A text message has both a reference and a provider id. The check identifies it by the provider id.
      return ref === undefined || row["channel"] === "sms" ? [] : [`${String(row["tenant_id"])} ${ref}`]
    }),
    ...inbound.filter(({ channel }) => channel === "sms").map((row) => keyOf(row, "provider_message_id")),
    ...calls.filter(({ direction }) => direction === "inbound").map((row) => keyOf(row, "provider_call_id"))
  ])
  return notes.accepted.flatMap(({ providerId, ref, tenantId }) => {
    const count = counts.get(`${tenantId} ${providerId ?? ref}`) ?? 0
    return count === 1 ? [] : [`${tenantId} has stored ${providerId ?? ref} ${count} times instead of once.`]
  })
}

const inLedgerOnce: Rule = ({ arrivals, messages }) => {
  const known = tally(
    arrivals
      .filter(({ message_id: id, outcome }) => id !== null && outcome !== "duplicate_of")
      .map((row) => keyOf(row, "message_id"))
  )
  return messages
    .filter(({ actor, channel }) => actor === "contact" && channel !== "voice")
    .filter((row) => known.get(keyOf(row, "message_id")) !== 1)
    .map(
      (row) =>
        `Message ${keyOf(row, "message_id")} has ${known.get(keyOf(row, "message_id")) ?? 0} ledger entries instead of one.`
    )
}

const everybodyKnown: Rule = ({ contacts, messages }) => {
  const known = new Set(contacts.map((row) => keyOf(row, "contact_id")))
  return messages
    .filter((row) => !known.has(keyOf(row, "contact_id")))
    .map((row) => `Message ${keyOf(row, "message_id")} has no contact.`)
}

/** Returns the newest row of each group. */
const newest = (rows: ReadonlyArray<Row>, group: string): ReadonlyMap<string, Row> => {
  const heads = new Map<string, Row>()
  for (const row of rows) {
    if (row[group] === null) continue
    const head = heads.get(keyOf(row, group))
    if (head === undefined || Number(row["timestamp"]) > Number(head["timestamp"])) heads.set(keyOf(row, group), row)
  }
  return heads
}

const headsAgree: Rule = ({ conversations, leads, messages, threads }) => {
  const [ofLead, ofContact] = [newest(messages, "lead_id"), newest(messages, "contact_id")]
  const leadOfThread = new Map(threads.map((row) => [keyOf(row, "thread_id"), row["lead_id"]]))
  return [
    ...leads
      .filter(
        (row) => (ofLead.get(keyOf(row, "lead_id"))?.["timestamp"] ?? row["last_message_at"]) !== row["last_message_at"]
      )
      .map((row) => `Lead ${keyOf(row, "lead_id")} does not refer to its newest message.`),
    ...leads
      .filter((row) => row["thread_id"] !== null && leadOfThread.get(keyOf(row, "thread_id")) !== row["lead_id"])
      .map((row) => `Lead ${keyOf(row, "lead_id")} and its thread are inconsistent.`),
    ...conversations
      .filter((row) => ofContact.get(keyOf(row, "contact_id"))?.["timestamp"] !== row["last_timestamp"])
      .map((row) => `The conversation with ${keyOf(row, "contact_id")} does not refer to its newest message.`)
  ]
}

const placeOfNumber = (number: string) => places.find((place) => place.number === number)

const optOutsHonoured: Rule = ({ notes, texts }) =>
  texts.flatMap(({ at, from, to }) => {
    const who = tenantNumberKey(placeOfNumber(from)?.tenantId ?? "", to)
    const consentChange = notes.consentChanges.findLast((one) => one.who === who && one.at < at)
    const blockedAt = notes.blocked.get(who)
    return [
      ...(consentChange?.stop === true ? [`${who} has opted out and received a text.`] : []),
      ...(blockedAt !== undefined && blockedAt < at ? [`${who} is blocked and received a text.`] : [])
    ]
  })

/** Returns whether a text that an agent sent at night answers a text that the contact sent in the preceding hour. */
const isAnswer = ({ messages }: Facts, tenantId: string, to: string, body: string, at: number): boolean => {
  const of = messages.filter((row) => row["tenant_id"] === tenantId && row["channel"] === "sms")
  const sent = of.find(
    (row) => row["actor"] === "agent" && row["body"] === body && String(row["to_addresses"]).includes(to)
  )
  return of.some((row) => {
    const age = at - Number(row["timestamp"])
    return row["actor"] === "contact" && row["contact_id"] === sent?.["contact_id"] && age >= 0 && age <= hourMillis
  })
}

const nightsKept: Rule = (facts) =>
  facts.texts.flatMap(({ at, body, from, to }) => {
    const place = placeOfNumber(from)
    if (place === undefined) return [`A text came from ${from}, which is not the number of a tenant.`]
    if (!isQuiet(zoneOf(place, to), at) || isAnswer(facts, place.tenantId, to, body, at)) return []
    return [`${tenantNumberKey(place.tenantId, to)} received a text in quiet hours, at ${new Date(at).toISOString()}.`]
  })

const oneReplyEach: Rule = ({ drafts, sends }) => {
  const replies = tally([
    ...sends.filter((row) => String(row["send_key"]).startsWith("reply:sig_")).map((row) => keyOf(row, "send_key")),
    ...drafts
      .filter(({ state }) => state === "sent")
      .map((row) => `${String(row["tenant_id"])} reply:${String(row["signal_id"])}`)
  ])
  return [...replies]
    .filter(([, count]) => count > 1)
    .map(([key, count]) => `${key} received ${count} replies instead of at most one.`)
}

const nothingOpen: Rule = ({ refusedCallbacks, sends, signals }) => [
  ...sends
    .filter(({ state }) => state !== "confirmed" && state !== "failed")
    .map((row) => `The send of ${keyOf(row, "message_id")} is ${String(row["state"])}.`),
  ...signals
    .filter(({ state }) => state === "queued" || state === "failed")
    .map((row) => `Signal ${keyOf(row, "signal_id")} is ${String(row["state"])}.`),
  ...refusedCallbacks.map((line) => `The server rejected a signed status callback: ${line}.`)
]

const eventsWhole: Rule = ({ events, received }) =>
  [...events].flatMap(([tenantId, all]) => {
    const got = received.get(tenantId)
    const gap = all.find(({ sequence }, index) => sequence !== index + 1)
    const missing = all.filter(({ id }) => got?.known.has(id) !== true)
    const outOfOrder = got?.ids.find((id, index) => all[index]?.id !== id)
    return [
      ...(gap === undefined ? [] : [`The events of ${tenantId} have a gap before ${gap.sequence}.`]),
      ...missing.slice(0, 3).map(({ sequence }) => `Event ${sequence} of ${tenantId} did not reach its receiver.`),
      ...(outOfOrder === undefined ? [] : [`Event ${outOfOrder} of ${tenantId} reached its receiver out of order.`]),
      ...(got !== undefined && got.unverified > 0
        ? [`${got.unverified} deliveries to ${tenantId} had invalid signatures.`]
        : [])
    ]
  })

const nothingUnexpected: Rule = ({ notes }) => notes.unexpected

const rules: ReadonlyArray<Rule> = [
  nothingUnexpected,
  everythingOnce,
  inLedgerOnce,
  everybodyKnown,
  headsAgree,
  optOutsHonoured,
  nightsKept,
  oneReplyEach,
  nothingOpen,
  eventsWhole
]

/** Returns one sentence per inconsistency of a simulated day. */
export const problemsOf = (facts: Facts): ReadonlyArray<string> => rules.flatMap((rule) => rule(facts))
