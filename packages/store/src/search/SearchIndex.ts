import { identityValues, type Search } from "@leadloom/core/internal/port/repository/contact/Search"
import type { MailAttachment } from "@leadloom/core/internal/domain/email/MailAttachment"
import {
  maxSearchedLength,
  type Token,
  tokensOfContact,
  tokensOfMessage,
  tokensOfNote
} from "@leadloom/core/internal/domain/search/Token"
import type { Actor } from "@leadloom/core/internal/domain/conversation/Message"
import { type Context, Effect } from "effect"
import type { DatabaseShape } from "../Database.ts"
import { readArray } from "../sql/Json.ts"
import { first, type Queries } from "../sql/Queries.ts"
import {
  counterOf,
  type DocumentKind,
  documentsPerSegment,
  indexed,
  lastOf,
  monthFor,
  placeOf,
  segmentOf
} from "./SearchSegment.ts"
import { makeSummaries, unsummarized } from "./SearchSummary.ts"

type Port = Context.Service.Shape<typeof Search>

interface MessageRow {
  readonly id: string
  readonly actor: Actor
  readonly subject: string | null
  readonly body: string
  readonly from: string | null
  readonly to: string
  readonly cc: string
  readonly attachments: string
  readonly timestamp: number
}

interface ContactRow {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly notes: string | null
  readonly tags: string
  readonly timestamp: number
}

interface NoteRow {
  readonly id: string
  readonly body: string
  readonly timestamp: number
}

/** A message, contact or note as the search index contains it. */
interface Document {
  readonly id: string
  readonly timestamp: number
  readonly tokens: ReadonlySet<Token>
}

/** A document and its place, which is its position in the index. */
interface Placed extends Document {
  readonly place: number
}

const messageOf = (row: MessageRow): Document => ({
  id: row.id,
  timestamp: row.timestamp,
  tokens: tokensOfMessage({
    ...row,
    to: readArray(row.to),
    cc: readArray(row.cc),
    attachments: readArray<MailAttachment>(row.attachments)
  })
})

/** Reads the current state of the documents to index. Deleted and archived rows are not in the result. */
const reading = ({ isOneOf, query }: Queries) => {
  const messages = query<MessageRow>(
    `SELECT message_id AS id, actor, subject, substr(body, 1, ${maxSearchedLength}) AS body, from_address AS "from",
        to_addresses AS "to", cc_addresses AS "cc", attachments, "timestamp"
      FROM messages WHERE tenant_id = ? AND ${isOneOf("message_id")}`
  )
  const contacts = query<ContactRow>(
    `SELECT contact_id AS id, name, email, phone, company, notes, tags, created_at AS "timestamp"
      FROM contacts WHERE tenant_id = ? AND ${isOneOf("contact_id")} AND archived_at IS NULL`
  )
  const identities = query<{ readonly id: string; readonly identity: string }>(
    `SELECT contact_id AS id, identity FROM identities WHERE tenant_id = ? AND ${isOneOf("contact_id")}`
  )
  const notes = query<NoteRow>(
    `SELECT note_id AS id, body, created_at AS "timestamp" FROM notes WHERE tenant_id = ? AND ${isOneOf("note_id")}`
  )
  return {
    note: (tenantId: string, ids: string) =>
      Effect.map(notes(tenantId, ids), (rows) =>
        rows.map(({ body, ...row }): Document => ({ ...row, tokens: tokensOfNote(body) }))
      ),
    message: (tenantId: string, ids: string) => Effect.map(messages(tenantId, ids), (rows) => rows.map(messageOf)),
    contact: Effect.fnUntraced(function* (tenantId: string, ids: string) {
      const rows = yield* contacts(tenantId, ids)
      const held = Map.groupBy(yield* identities(tenantId, ids), ({ id }) => id)
      return rows.map((row): Document => {
        const values = (held.get(row.id) ?? []).map(({ identity }) => identity)
        const tokens = tokensOfContact({
          ...row,
          tags: readArray(row.tags),
          emails: identityValues(values, "email"),
          phones: identityValues(values, "phone"),
          externalIds: identityValues(values, "external")
        })
        return { id: row.id, timestamp: row.timestamp, tokens }
      })
    })
  }
}

/**
 * Assigns places to documents. A document gets a place in the last segment of its month, or in a new segment if this
 * one is full.
 */
const placing = ({ command, query, sql }: DatabaseShape) => {
  const current = query<{ readonly segment: number; readonly documents: number }>(
    `SELECT segment, documents FROM search_segments
      WHERE tenant_id = ? AND segment > ? AND segment <= ? ORDER BY segment DESC LIMIT 1`
  )
  const count = query<{ readonly number: number }>(
    `INSERT INTO search_segments (tenant_id, segment, documents) VALUES (?, ?, 1)
      ON CONFLICT (tenant_id, segment) DO UPDATE SET documents = search_segments.documents + 1
      RETURNING documents AS "number"`
  )
  const save = command(
    `INSERT INTO search_segments (tenant_id, segment, documents) VALUES (?, ?, ?)
      ON CONFLICT (tenant_id, segment) DO UPDATE SET documents = excluded.documents`
  )
  // On SQLite, all tenants share one FTS5 table whose row ids are the places. All tenants therefore share one counter,
  // which has an empty tenant id.
  const counting = sql.onDialectOrElse({ pg: () => (tenantId: string) => tenantId, orElse: () => () => "" })
  const open = Effect.fnUntraced(function* (tenantId: string, month: number) {
    const { number } = first(yield* count(counting(tenantId), counterOf(month))) ?? { number: 1 }
    return { segment: counterOf(month) + number, documents: 0 }
  })
  return Effect.fnUntraced(function* (tenantId: string, kind: DocumentKind, documents: ReadonlyArray<Document>) {
    const placed: Array<Placed> = []
    for (const [month, group] of Map.groupBy(documents, ({ timestamp }) => monthFor(kind, timestamp))) {
      let segment = first(yield* current(tenantId, counterOf(month), lastOf(month))) ?? (yield* open(tenantId, month))
      for (const document of group) {
        if (segment.documents === documentsPerSegment) {
          yield* save(tenantId, segment.segment, segment.documents)
          segment = yield* open(tenantId, month)
        }
        placed.push({ ...document, place: placeOf(segment.segment, segment.documents) })
        segment = { ...segment, documents: segment.documents + 1 }
      }
      yield* save(tenantId, segment.segment, segment.documents)
    }
    return placed
  })
}

const wordsOf = (tenantId: string, { place, tokens }: Placed): ReadonlyArray<string> => {
  const segment = segmentOf(place)
  return Array.from(tokens, (token) => indexed(tenantId, segment, token))
}

/** The statements that write documents to the index of the dialect. */
const storing = ({ command, sql, tuples }: DatabaseShape) =>
  sql.onDialectOrElse({
    pg: () => {
      const insert = command(
        `INSERT INTO search_documents (tenant_id, place, id, "timestamp", words)
          SELECT ?, (item.value ->> 0)::bigint, item.value ->> 1, (item.value ->> 2)::bigint,
            array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(item.value -> 3))) FROM ${tuples}`
      )
      return (tenantId: string, placed: ReadonlyArray<Placed>) =>
        insert(
          tenantId,
          JSON.stringify(placed.map((one) => [one.place, one.id, one.timestamp, wordsOf(tenantId, one)]))
        )
    },
    orElse: () => {
      const insert = command('INSERT INTO search_documents (tenant_id, place, id, "timestamp") VALUES (?, ?, ?, ?)')
      const insertWords = command("INSERT INTO search_words (rowid, words) VALUES (?, ?)")
      return (tenantId: string, placed: ReadonlyArray<Placed>) =>
        Effect.forEach(
          placed,
          (one) =>
            Effect.andThen(
              insert(tenantId, one.place, one.id, one.timestamp),
              insertWords(one.place, wordsOf(tenantId, one).join(" "))
            ),
          { discard: true }
        )
    }
  })

/** The statements that remove documents from the index of the dialect. Returns the segments of the documents. */
const removing = ({ by, isOneOf, query, sql, command }: DatabaseShape) => {
  const placesOf = query<{ readonly place: number }>(
    `SELECT place FROM search_documents ${by("search_documents_id")} WHERE tenant_id = ? AND ${isOneOf("id")}`
  )
  const remove = command(
    `DELETE FROM search_documents ${by("search_documents_id")} WHERE tenant_id = ? AND ${isOneOf("id")}`
  )
  const removeWords = sql.onDialectOrElse({
    pg: () => null,
    orElse: () => command("DELETE FROM search_words WHERE rowid = ?")
  })
  return Effect.fnUntraced(function* (tenantId: string, ids: ReadonlyArray<string>) {
    if (ids.length === 0) return new Set<number>()
    const list = JSON.stringify(ids)
    const places = yield* placesOf(tenantId, list)
    // Most documents are new.
    if (places.length === 0) return new Set<number>()
    if (removeWords !== null) yield* Effect.forEach(places, ({ place }) => removeWords(place), { discard: true })
    yield* remove(tenantId, list)
    return new Set(places.map(({ place }) => segmentOf(place)))
  })
}

const oldestFirst = (one: Document, other: Document): number =>
  one.timestamp - other.timestamp || (one.id < other.id ? -1 : 1)

/** Returns the tenants with work for the index in turn, and null at the end of each round. */
const makeBehind = ({ by, query }: DatabaseShape): Port["behind"] => {
  const nextTenant = query<{ readonly tenantId: string | null }>(
    `SELECT min(tenant_id) AS "tenantId" FROM (
        SELECT (SELECT tenant_id FROM search_queue WHERE tenant_id > ? ORDER BY tenant_id LIMIT 1) AS tenant_id
        UNION ALL SELECT (SELECT tenant_id FROM search_segments ${by("search_segments_unsummarized")}
          WHERE ${unsummarized} AND tenant_id > ? ORDER BY tenant_id LIMIT 1)) AS next`
  )
  let last = ""
  return Effect.map(
    Effect.suspend(() => nextTenant(last, last)),
    (rows) => {
      last = first(rows)?.tenantId ?? ""
      return last === "" ? null : last
    }
  )
}

/** Creates the statements that add documents to the index and remove them. */
export const makeIndex = (
  database: DatabaseShape
): Pick<Port, "catchUp" | "isCaughtUp" | "hasUnsummarized" | "summarize" | "behind" | "forget"> => {
  const { command, isOneOf, query, whole } = database
  const queuedText = "SELECT id FROM search_queue WHERE tenant_id = ? AND kind = ? ORDER BY id"
  const queued = {
    newest: query<{ readonly id: string }>(`${queuedText} DESC LIMIT ?`),
    oldest: query<{ readonly id: string }>(`${queuedText} LIMIT ?`)
  }
  const isQueued = query("SELECT 1 AS one FROM search_queue WHERE tenant_id = ? LIMIT 1")
  const unqueue = command(`DELETE FROM search_queue WHERE tenant_id = ? AND kind = ? AND ${isOneOf("id")}`)
  const summaries = makeSummaries(database)
  const [read, place, store, remove] = [reading(database), placing(database), storing(database), removing(database)]
  const forget = (tenantId: string, ids: ReadonlyArray<string>) =>
    Effect.flatMap(remove(tenantId, ids), (segments) => summaries.remove(tenantId, segments))
  const indexBatch = Effect.fnUntraced(function* (
    tenantId: string,
    kind: DocumentKind,
    limit: number,
    from: "newest" | "oldest"
  ) {
    const ids = (yield* queued[from](tenantId, kind, limit)).map(({ id }) => id)
    if (ids.length === 0) return true
    const list = JSON.stringify(ids)
    const documents = yield* read[kind](tenantId, list)
    const present = new Set(documents.map(({ id }) => id))
    yield* summaries.age(tenantId, yield* remove(tenantId, [...present]))
    yield* forget(
      tenantId,
      ids.filter((id) => !present.has(id))
    )
    yield* store(tenantId, yield* place(tenantId, kind, documents.toSorted(oldestFirst)))
    yield* unqueue(tenantId, kind, list)
    return ids.length < limit
  })
  return {
    isCaughtUp: (tenantId) => Effect.map(isQueued(tenantId), (rows) => rows.length === 0),
    behind: makeBehind(database),
    catchUp: (tenantId, limit, from) =>
      whole(
        Effect.gen(function* () {
          const contacts = yield* indexBatch(tenantId, "contact", limit, from)
          const notes = yield* indexBatch(tenantId, "note", limit, from)
          return (yield* indexBatch(tenantId, "message", limit, from)) && contacts && notes
        })
      ),
    hasUnsummarized: summaries.hasUnsummarized,
    summarize: summaries.summarize,
    forget: (tenantId, ids) => whole(forget(tenantId, ids))
  }
}
