import { Context, type Effect } from "effect"
import type { PersonalDataTable } from "../../../domain/privacy/PersonalDataTable.ts"
import type { Row } from "../../../domain/privacy/Record.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The methods of `PersonalData`. */
export interface PersonalDataShape {
  /**
   * Lists at most `limit` rows of a table after the row `after`. `contactId` selects the rows of one contact, and null
   * selects all rows. If long texts exceed the page size, fewer rows are returned, but at least one. Rows are ordered
   * by key. The rows of one contact are ordered by `walk`, if the table has it.
   */
  readonly page: (
    tenantId: string,
    table: PersonalDataTable,
    contactId: string | null,
    after: Row | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /**
   * Lists rows of one contact after the row `after`, in the order of the key. The rows contain only their key columns.
   */
  readonly keys: (
    tenantId: string,
    table: PersonalDataTable,
    contactId: string,
    after: Row | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /**
   * Returns up to `limit` rows of one contact, in any order and with the same limit for long texts. Erasure reads rows
   * with this method, because it deletes them before it reads the next ones.
   */
  readonly some: (
    tenantId: string,
    table: PersonalDataTable,
    contactId: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /** Returns the dedup keys of these messages. */
  readonly dedupKeys: (
    tenantId: string,
    messageIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /** Returns the stored form of those of the given rows that exist. A row is identified by its key. */
  readonly present: (
    tenantId: string,
    table: PersonalDataTable,
    rows: ReadonlyArray<Row>
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /** Inserts rows that do not exist yet. */
  readonly insert: (
    tenantId: string,
    table: PersonalDataTable,
    rows: ReadonlyArray<Row>
  ) => Effect.Effect<void, StoreUnavailable>
  /** Deletes rows by their keys. */
  readonly remove: (
    tenantId: string,
    table: PersonalDataTable,
    rows: ReadonlyArray<Row>
  ) => Effect.Effect<void, StoreUnavailable>
  /** Deletes the work that is queued for a contact: signals, and mail that was not sent. */
  readonly stopWork: (tenantId: string, contactId: string) => Effect.Effect<void, StoreUnavailable>
  /**
   * Deletes the data of up to `limit` outbound events about a contact, and of their delivery attempts. Returns the
   * number of these events.
   */
  readonly redactEvents: (tenantId: string, contactId: string, limit: number) => Effect.Effect<number, StoreUnavailable>
  /** Deletes the details of these messages in the inbound ledger. */
  readonly redactArrivals: (
    tenantId: string,
    messageIds: ReadonlyArray<string>
  ) => Effect.Effect<void, StoreUnavailable>
  /**
   * With `message_id`, returns those of the given messages that exist. With `thread_id`, returns those of the given
   * threads that have a message.
   */
  readonly inUse: (
    tenantId: string,
    field: "message_id" | "thread_id",
    ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
  /**
   * Deletes threads with their Message-IDs and participants, and the recorded rows of their corrections, which can no
   * longer be undone.
   */
  readonly dropThreads: (tenantId: string, threadIds: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>
  /** Removes message ids and Message-IDs from the records of thread corrections. */
  readonly leaveCorrections: (tenantId: string, ids: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>
  /** Removes participants and Message-IDs from threads that stay, because other contacts take part in them. */
  readonly leaveThreads: (
    tenantId: string,
    threadIds: ReadonlyArray<string>,
    emails: ReadonlyArray<string>,
    internetMessageIds: ReadonlyArray<string>
  ) => Effect.Effect<void, StoreUnavailable>
  /**
   * Removes all references to leads of a contact that are being deleted: from messages, conversations and threads of
   * other contacts, and from leads that were merged into these leads.
   */
  readonly detachLeads: (
    tenantId: string,
    contactId: string,
    leadIds: ReadonlyArray<string>
  ) => Effect.Effect<void, StoreUnavailable>
}

/**
 * All stored personal data of a tenant, row by row and table by table (`domain/privacy/DataInventory.ts`). Exports read
 * it, imports insert into it, and erasures delete from it.
 */
export class PersonalData extends Context.Service<PersonalData, PersonalDataShape>()(
  "core/port/repository/contact/PersonalData"
) {}
