import { Context, type Effect } from "effect"
import type { PersonalDataTable } from "../../../domain/privacy/PersonalDataTable.ts"
import type { Row } from "../../../domain/privacy/Record.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** What `PersonalData` offers. */
export interface PersonalDataShape {
  /**
   * Rows of a kind in the order of its key, after the row `after`: at least one where there is one, at most `limit`, and
   * no more long texts than a page bears. Of one contact, or of all; those of one contact in the order of its `walk` where
   * there is one.
   */
  readonly page: (
    tenantId: string,
    table: PersonalDataTable,
    contactId: string | null,
    after: Row | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /** Rows of a kind that are a contact's with nothing but their keys, in the order of the key, after the row `after`. */
  readonly keys: (
    tenantId: string,
    table: PersonalDataTable,
    contactId: string,
    after: Row | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /** Up to `limit` rows of a kind that are a contact's, whichever, under the same bound: what erasing begins with. */
  readonly some: (
    tenantId: string,
    table: PersonalDataTable,
    contactId: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /** Keys that recognise copies of these messages. */
  readonly dedupKeys: (
    tenantId: string,
    messageIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /** Those of these rows, by their keys, that are there, as they are there. */
  readonly present: (
    tenantId: string,
    table: PersonalDataTable,
    rows: ReadonlyArray<Row>
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /** Adds rows that are not there. */
  readonly insert: (
    tenantId: string,
    table: PersonalDataTable,
    rows: ReadonlyArray<Row>
  ) => Effect.Effect<void, StoreUnavailable>
  /** Takes rows away by their keys. */
  readonly remove: (
    tenantId: string,
    table: PersonalDataTable,
    rows: ReadonlyArray<Row>
  ) => Effect.Effect<void, StoreUnavailable>
  /** Takes away what waits to be worked on about a contact: signals in the queue and mail that has not left. */
  readonly stopWork: (tenantId: string, contactId: string) => Effect.Effect<void, StoreUnavailable>
  /** Empties up to `limit` outbound events that tell of a contact, and what is kept of their deliveries; how many. */
  readonly redactEvents: (tenantId: string, contactId: string, limit: number) => Effect.Effect<number, StoreUnavailable>
  /** Takes the details off the lines of the ledger about these messages. */
  readonly redactArrivals: (
    tenantId: string,
    messageIds: ReadonlyArray<string>
  ) => Effect.Effect<void, StoreUnavailable>
  /** Which of these messages are there, or which of these threads have one. */
  readonly inUse: (
    tenantId: string,
    field: "message_id" | "thread_id",
    ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
  /** Takes threads away with their ids and participants. */
  readonly dropThreads: (tenantId: string, threadIds: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>
  /** Takes participants and Message-IDs out of threads that go on. */
  readonly leaveThreads: (
    tenantId: string,
    threadIds: ReadonlyArray<string>,
    emails: ReadonlyArray<string>,
    internetMessageIds: ReadonlyArray<string>
  ) => Effect.Effect<void, StoreUnavailable>
  /**
   * Lets go of leads of a contact that are taken away: messages, conversations and threads of others that stand under
   * them, and leads of others that were merged into them.
   */
  readonly detachLeads: (
    tenantId: string,
    contactId: string,
    leadIds: ReadonlyArray<string>
  ) => Effect.Effect<void, StoreUnavailable>
}

/**
 * Everything that is kept for a tenant about the people who write to it, row by row and by kind (`rights/DataInventory.ts`): what
 * an archive is written from and taken in by, and what erasing takes away.
 */
export class PersonalData extends Context.Service<PersonalData, PersonalDataShape>()(
  "core/port/repository/contact/PersonalData"
) {}
