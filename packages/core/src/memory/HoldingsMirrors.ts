import type { Context } from "effect"
import { nothingRecorded } from "../domain/run/Recordings.ts"
import { kindsByName } from "../domain/privacy/Kinds.ts"
import { isJson, type Json, type Row, textOf } from "../domain/text/Record.ts"
import { keyOf, type MemoryState, ofTenant } from "./MemoryState.ts"

type Memory = Context.Service.Shape<typeof MemoryState>

/** One kind of rows in what the memory twins keep. */
export interface Mirror {
  readonly rows: (tenantId: string) => ReadonlyArray<Row>
  readonly put: (tenantId: string, row: Row) => void
  readonly remove: (tenantId: string, row: Row) => void
}

/** How a field of a noun is called as a column, where that is another word. */
type Renamed = Readonly<Record<string, string>>

const camelCase = (column: string): string =>
  column.replace(/_(?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase())

const json = (value: unknown): Json => (isJson(value) ? value : null)

/** A noun's field as a column: what a row of the database has under it. */
const fieldOf = (noun: object, field: string): Json => json(Object.entries(noun).find(([name]) => name === field)?.[1])

/** What this twin wrote itself, taken back as what it was. */
const isNoun = <A>(value: object): value is A & object => Object.keys(value).length > 0

const nounOf = <A>(value: object): A => {
  if (!isNoun<A>(value)) throw new Error("A row without columns.")
  return value
}

/** A map of nouns whose fields are the columns. `unpack` and `pack` are about what is not one column a field. */
const nouns = <A extends object>(
  all: Map<string, A>,
  name: keyof typeof kindsByName,
  own: {
    readonly tenantOf: (noun: A) => string
    readonly renamed?: Renamed
    readonly unpack?: (noun: A) => Row
    readonly pack?: (row: Row) => object
    readonly without?: ReadonlyArray<string>
    /** What the map goes by, where that is less than the key of the table. */
    readonly place?: ReadonlyArray<string>
  }
): Mirror => {
  const { columns, key } = kindsByName[name]
  const { pack, place = key, renamed = {}, tenantOf, unpack, without = [] } = own
  const nameOf = (column: string): string => renamed[column] ?? camelCase(column)
  const placeOf = (tenantId: string, row: Row): string => keyOf(tenantId, ...place.map((column) => textOf(row, column)))
  const plainColumns = Object.keys(columns).filter((column) => !without.includes(column))
  return {
    rows: (tenantId) =>
      [...all.values()].flatMap((noun) => {
        if (tenantOf(noun) !== tenantId) return []
        const row = Object.fromEntries(plainColumns.map((column) => [column, fieldOf(noun, nameOf(column))]))
        return [{ ...row, ...unpack?.(noun) }]
      }),
    put: (tenantId, row) => {
      const fields = Object.fromEntries(plainColumns.map((column) => [nameOf(column), row[column] ?? null]))
      all.set(placeOf(tenantId, row), nounOf<A>({ tenantId, ...fields, ...pack?.(row) }))
    },
    remove: (tenantId, row) => void all.delete(placeOf(tenantId, row))
  }
}

const partsOf = (key: string): ReadonlyArray<string> => nounOf<ReadonlyArray<string>>(Object(JSON.parse(key)))

/** A map whose keys say everything but one column. */
const pairs = <A>(
  all: Map<string, A>,
  key: ReadonlyArray<string>,
  own: { readonly read: (value: A) => Row; readonly write: (row: Row, tenantId: string) => A }
): Mirror => {
  const placeOf = (tenantId: string, row: Row): string => keyOf(tenantId, ...key.map((column) => textOf(row, column)))
  return {
    rows: (tenantId) =>
      [...all].flatMap(([place, value]) => {
        const [owner, ...parts] = partsOf(place)
        if (owner !== tenantId) return []
        return [{ ...Object.fromEntries(key.map((column, index) => [column, parts[index] ?? ""])), ...own.read(value) }]
      }),
    put: (tenantId, row) => void all.set(placeOf(tenantId, row), own.write(row, tenantId)),
    remove: (tenantId, row) => void all.delete(placeOf(tenantId, row))
  }
}

/** A map of sets: each member of a set is a row. */
const members = (
  sets: (tenantId: string) => ReadonlyArray<readonly [owner: string, ReadonlySet<string>, Row]>,
  columns: readonly [owner: string, member: string],
  change: (tenantId: string, owner: string, change: (members: Set<string>) => void) => void
): Mirror => {
  const [ownerColumn, memberColumn] = columns
  return {
    rows: (tenantId) =>
      sets(tenantId).flatMap(([owner, all, more]) =>
        [...all].map((member) => ({ [ownerColumn]: owner, [memberColumn]: member, ...more }))
      ),
    put: (tenantId, row) =>
      change(tenantId, textOf(row, ownerColumn), (all) => void all.add(textOf(row, memberColumn))),
    remove: (tenantId, row) =>
      change(tenantId, textOf(row, ownerColumn), (all) => void all.delete(textOf(row, memberColumn)))
  }
}

const participantsOf = ({ participants }: Memory): Mirror =>
  members(
    (tenantId) =>
      [...participants].flatMap(([place, emails]) => {
        const [owner, threadId = ""] = partsOf(place)
        return owner === tenantId ? [[threadId, emails, {}] as const] : []
      }),
    ["thread_id", "email"],
    (tenantId, threadId, change) => {
      const emails = new Set(participants.get(keyOf(tenantId, threadId)))
      change(emails)
      participants.set(keyOf(tenantId, threadId), emails)
    }
  )

const aliasesOf = ({ heads }: Memory): Mirror =>
  members(
    (tenantId) =>
      [...heads.values()].flatMap((head) =>
        head.tenantId === tenantId
          ? [[head.contactId, head.aliases, { last_timestamp: head.lastTimestamp }] as const]
          : []
      ),
    ["contact_id", "alias"],
    (tenantId, contactId, change) => {
      const head = heads.get(keyOf(tenantId, contactId))
      const aliases = new Set(head?.aliases)
      change(aliases)
      if (head !== undefined) heads.set(keyOf(tenantId, contactId), { ...head, aliases })
    }
  )

const nothing: Mirror = { rows: () => [], put: () => undefined, remove: () => undefined }

/** What a merge moved goes with the merge, all of it at once. */
const mergeItemsOf = ({ mergeItems }: Memory): Mirror => ({
  ...nothing,
  rows: (tenantId) =>
    [...mergeItems].flatMap(([place, byKind]) => {
      const [owner, mergeId = ""] = partsOf(place)
      if (owner !== tenantId) return []
      return [...byKind].flatMap(([kind, items]) =>
        [...items].map((item) => ({ merge_id: mergeId, kind, item_id: item }))
      )
    }),
  remove: (tenantId, row) => void mergeItems.delete(keyOf(tenantId, textOf(row, "merge_id")))
})

const ofNoun = { tenantOf: ({ tenantId }: { readonly tenantId: string }) => tenantId }

const messagesOf = ({ messages }: Memory): Mirror =>
  nouns(messages, "messages", {
    ...ofNoun,
    renamed: { from_address: "from", to_addresses: "to", cc_addresses: "cc", reference_ids: "references" },
    without: ["raw_key", "raw_size", "raw_type"],
    unpack: ({ raw }) => ({
      raw_key: raw?.key ?? null,
      raw_size: raw?.size ?? null,
      raw_type: raw?.mediaType ?? null
    }),
    pack: ({ raw_key: key, raw_size: size, raw_type: mediaType }) => ({
      raw: key === null ? null : { key, size, mediaType }
    })
  })

const runsOf = ({ runs }: Memory): Mirror =>
  nouns(runs, "runs", {
    ...ofNoun,
    without: ["result", "recordings"],
    unpack: ({ actions, classification, matchedRules, recordings, reply, score, steps, written }) => ({
      result: json({ actions, classification, matchedRules, reply, score, steps, written }),
      recordings: recordings.classification === null && recordings.reply === null ? null : json(recordings)
    }),
    pack: ({ recordings, result }) => ({
      written: null,
      ...Object(result),
      recordings: recordings ?? nothingRecorded
    })
  })

type Mirrors = Readonly<Record<string, Mirror>>

/** Contacts, their messages and threads. */
const mailMirrors = (state: Memory): Mirrors => ({
  contacts: nouns(state.contacts, "contacts", ofNoun),
  identities: pairs(state.identities, ["identity"], {
    read: (contactId) => ({ contact_id: contactId, created_at: 0 }),
    write: (row) => `con_${textOf(row, "contact_id").slice(4)}` as const
  }),
  messages: messagesOf(state),
  dedup_keys: pairs(state.dedupKeys, ["dedup_key"], {
    read: ({ fingerprint, messageId }) => ({ message_id: messageId, fingerprint }),
    write: (row) => {
      const { fingerprint } = row
      return {
        messageId: `msg_${textOf(row, "message_id").slice(4)}` as const,
        fingerprint: typeof fingerprint === "string" ? fingerprint : null
      }
    }
  }),
  threads: nouns(state.threads, "threads", ofNoun),
  thread_ids: {
    rows: (tenantId) =>
      ofTenant(state.threadIds, tenantId).map(({ value: { id, seen, threadId, weak } }) => ({
        message_id: id,
        thread_id: threadId,
        seen,
        weak
      })),
    remove: (tenantId, row) =>
      void state.threadIds.delete(keyOf(tenantId, textOf(row, "message_id"), textOf(row, "thread_id"))),
    put: (tenantId, row) => {
      const threadId = `thr_${textOf(row, "thread_id").slice(4)}` as const
      const id = textOf(row, "message_id")
      const value = { id, threadId, seen: row["seen"] === true, weak: row["weak"] === true }
      state.threadIds.set(keyOf(tenantId, id, threadId), { tenantId, value })
    }
  },
  thread_participants: participantsOf(state)
})

/** Leads, and what is done about them. */
const leadMirrors = (state: Memory): Mirrors => ({
  leads: nouns(state.leads, "leads", ofNoun),
  lead_scores: nouns(state.scores, "lead_scores", { ...ofNoun, place: ["score_id"] }),
  tasks: nouns(state.tasks, "tasks", ofNoun),
  drafts: nouns(state.drafts, "drafts", { ...ofNoun, renamed: { body: "text" } }),
  runs: runsOf(state),
  guard_evaluations: nouns(state.guardEvaluations, "guard_evaluations", ofNoun),
  merge_suggestions: pairs(state.mergeSuggestions, ["first_id", "second_id"], {
    read: ({ createdAt, dismissedAt, from, into, reason }) => ({
      into_id: into,
      from_id: from,
      reason,
      created_at: createdAt,
      dismissed_at: dismissedAt
    }),
    write: (row, tenantId) => ({
      tenantId,
      reason: textOf(row, "reason"),
      createdAt: Number(row["created_at"]),
      dismissedAt: row["dismissed_at"] === null ? null : Number(row["dismissed_at"]),
      into: `con_${textOf(row, "into_id").slice(4)}` as const,
      from: `con_${textOf(row, "from_id").slice(4)}` as const
    })
  })
})

/** What is told and counted of contacts, and what waits. */
const otherMirrors = (state: Memory): Mirrors => ({
  activities: nouns(state.activities, "activities", { ...ofNoun, renamed: { happened_at: "at" } }),
  calls: nouns(state.calls, "calls", ofNoun),
  // The twins make these from what they are about.
  contact_digests: nothing,
  contact_tags: nothing,
  contact_merge_items: mergeItemsOf(state),
  contact_merges: nouns(state.contactMerges, "contact_merges", {
    ...ofNoun,
    unpack: ({ duplicateId, primaryId }) => ({ primary_id: primaryId, duplicate_id: duplicateId })
  }),
  conversations: nouns(state.heads, "conversations", { ...ofNoun, pack: () => ({ aliases: new Set<string>() }) }),
  conversation_aliases: aliasesOf(state),
  undeliverable: pairs(state.undeliverable, ["email"], {
    read: ({ at, reason }) => ({ bounced_at: at, reason }),
    write: (row) => ({ at: Number(row["bounced_at"]), reason: textOf(row, "reason") })
  }),
  blocked_numbers: nouns(state.blockedNumbers, "blocked_numbers", ofNoun),
  opt_outs: nouns(state.optOuts, "opt_outs", { ...ofNoun, renamed: { changed_at: "at" } }),
  signals: nouns(state.signals, "signals", {
    tenantOf: ({ signal }) => signal.tenantId,
    unpack: ({ signal }) => ({ signal_id: signal.signalId })
  }),
  sends: nouns(state.sends, "sends", ofNoun)
})

/** Every kind by its name. When an identity came is not kept by the twins, and empty. */
export const mirrorsOf = (state: Memory): Mirrors => ({
  ...mailMirrors(state),
  ...leadMirrors(state),
  ...otherMirrors(state)
})
