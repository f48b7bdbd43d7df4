import { Context, type Effect } from "effect"
import type { TrackingConsent } from "../../../domain/consent/TrackingConsent.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Consents to the recording of opened links. After the erasure of a contact, only a hash of the address remains. */
export class TrackingConsents extends Context.Service<
  TrackingConsents,
  {
    /** Returns the newest consent among all forms and hashes of an address; null if none was recorded. */
    readonly of: (
      tenantId: string,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<TrackingConsent | null, StoreUnavailable>
    /** Stores the current consent. It replaces the earlier one of the address. */
    readonly save: (consent: TrackingConsent) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/TrackingConsents") {}
