import { Context, type Effect } from "effect"
import type { ContactImport, ImportedContact, ImportNotFound } from "../../../domain/import/ContactImport.ts"
import type { ContactId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Imports of contacts from files, and the contacts that they changed. */
export class ContactImports extends Context.Service<
  ContactImports,
  {
    readonly get: (
      tenantId: string,
      importId: string
    ) => Effect.Effect<ContactImport, ImportNotFound | StoreUnavailable>
    /** Lists the imports of a tenant after the import `after`, newest first. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<ContactImport>, StoreUnavailable>
    readonly insert: (of: ContactImport) => Effect.Effect<void, StoreUnavailable>
    /** Replaces an existing import. */
    readonly update: (of: ContactImport) => Effect.Effect<void, StoreUnavailable>
    /**
     * Stores the changes of contacts, each contact once. A later change of the same contact by the import keeps the
     * first `before`.
     */
    readonly record: (
      tenantId: string,
      importId: string,
      changed: ReadonlyArray<ImportedContact>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Returns changed contacts of an import, in any order. */
    readonly some: (
      tenantId: string,
      importId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ImportedContact>, StoreUnavailable>
    /** Deletes the stored changes of contacts by an import. */
    readonly forget: (
      tenantId: string,
      importId: string,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/ContactImports") {}
