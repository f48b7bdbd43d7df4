import { Context, type Effect } from "effect"
import type { PersonalDataTable } from "../../../domain/privacy/PersonalDataTable.ts"
import type { Row } from "../../../domain/privacy/Record.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The methods of `PersonalData`. */
export interface PersonalDataShape {
  /**
   * Lists rows of a table after the row `after`, of one contact or of all. Returns at most `limit` rows. It returns
   * fewer when long texts exceed the page size, but at least one if there is one. Rows are ordered by key; rows of one
   * contact are ordered by `walk`, if the table has one.
   */
  readonly page: (
    tenantId: string,
    table: PersonalDataTable,
    contactId: string | null,
    after: Row | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /** Lists rows of one contact after the row `after`, in the order of the key. The rows contain only their keys. */
  readonly keys: (
    tenantId: string,
    table: PersonalDataTable,
    contactId: string,
    after: Row | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /**
   * Returns up to `limit` rows of one contact in any order, within the same limit for long texts. Erasure starts with
   * it.
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
  /** Returns the stored form of those of the given rows that exist. Rows are compared by key. */
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
  /** Deletes the queued work of a contact: signals and mail that was not sent. */
  readonly stopWork: (tenantId: string, contactId: string) => Effect.Effect<void, StoreUnavailable>
  /**
   * Clears the data of up to `limit` outbound events about a contact and of their delivery attempts. Returns their
   * number.
   */
  readonly redactEvents: (tenantId: string, contactId: string, limit: number) => Effect.Effect<number, StoreUnavailable>
  /** Deletes the details of these messages in the inbound ledger. */
  readonly redactArrivals: (
    tenantId: string,
    messageIds: ReadonlyArray<string>
  ) => Effect.Effect<void, StoreUnavailable>
  /** Returns those of the given messages that exist, or those of the given threads that have a message. */
  readonly inUse: (
    tenantId: string,
    field: "message_id" | "thread_id",
    ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
  /** Deletes threads with their Message-IDs and participants. */
  readonly dropThreads: (tenantId: string, threadIds: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>
  /** Removes participants and Message-IDs from threads that continue to exist. */
  readonly leaveThreads: (
    tenantId: string,
    threadIds: ReadonlyArray<string>,
    emails: ReadonlyArray<string>,
    internetMessageIds: ReadonlyArray<string>
  ) => Effect.Effect<void, StoreUnavailable>
  /**
   * Removes all references to deleted leads of a contact: from messages, conversations and threads of other contacts,
   * and from leads that were merged into the deleted ones.
   */
  readonly detachLeads: (
    tenantId: string,
    contactId: string,
    leadIds: ReadonlyArray<string>
  ) => Effect.Effect<void, StoreUnavailable>
}

/**
 * All stored personal data of a tenant, row by row and by kind (`domain/privacy/DataInventory.ts`). Archives are
 * written from it and imported into it; erasure deletes from it.
 */
export class PersonalData extends Context.Service<PersonalData, PersonalDataShape>()(
  "core/port/repository/contact/PersonalData"
) {}
