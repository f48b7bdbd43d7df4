import type { Effect } from "effect"
import { Context } from "effect"
import type { UploadId } from "../../../domain/Id.ts"
import type { Upload, UploadHolder } from "../../../domain/upload/Upload.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Files that wait for a message. Their contents are in `Objects`. */
export class Uploads extends Context.Service<
  Uploads,
  {
    readonly insert: (upload: Upload) => Effect.Effect<void, StoreUnavailable>
    /** Returns those of the given uploads that exist, in any order. */
    readonly findAll: (
      tenantId: string,
      uploadIds: ReadonlyArray<UploadId>
    ) => Effect.Effect<ReadonlyArray<Upload>, StoreUnavailable>
    /** Records the draft or scheduled message that contains the uploads. Releases its other uploads. */
    readonly hold: (
      tenantId: string,
      uploadIds: ReadonlyArray<UploadId>,
      holder: NonNullable<UploadHolder>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Deletes the records of uploads. Their contents stay. */
    readonly remove: (tenantId: string, uploadIds: ReadonlyArray<UploadId>) => Effect.Effect<void, StoreUnavailable>
    /**
     * Lists up to `limit` uploads of a tenant that expired at or before a time and whose holder no longer exists,
     * oldest first.
     */
    readonly expired: (
      tenantId: string,
      before: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Upload>, StoreUnavailable>
  }
>()("core/port/repository/conversation/Uploads") {}
