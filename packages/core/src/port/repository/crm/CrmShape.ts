import type { Effect, Redacted } from "effect"
import type { CrmChanges, CrmContact, CrmPage, CrmTask, SyncedFields } from "../../../domain/crm/CrmContact.ts"
import type { ProviderFailure, ProviderFailureOf } from "../../../domain/provider/ProviderFailure.ts"
import type { AgencyLocation, CrmAccess, CrmGrant, GrantLevel } from "../../../domain/crm/CrmGrant.ts"

/**
 * The requests to a CRM. A request with a `CrmAccess` needs the token of a location or agency, which `withAccess`
 * supplies.
 */
export interface CrmShape {
  /** Fails when no CRM is configured on this server. */
  readonly configured: Effect.Effect<void, ProviderFailureOf<"NotConfigured">>
  /** Returns the URL where a user authorizes this app. The CRM returns `state` with the code. */
  readonly authorizeUrl: (state: string, level: GrantLevel) => Effect.Effect<string, ProviderFailureOf<"NotConfigured">>
  /** Exchanges an authorization code for tokens. A code can be exchanged only once, even if the exchange fails. */
  readonly exchangeCode: (code: string, level: GrantLevel) => Effect.Effect<CrmGrant, ProviderFailure>
  /**
   * Exchanges a refresh token for new tokens. The old refresh token then becomes invalid. Fails with `SignedOut` when
   * the CRM rejects the refresh token.
   */
  readonly refresh: (refreshToken: Redacted.Redacted, level: GrantLevel) => Effect.Effect<CrmGrant, ProviderFailure>
  /**
   * Returns a token for one location of an agency. The result has no refresh token. When it expires, call this method
   * again.
   */
  readonly locationGrant: (agency: CrmAccess, locationId: string) => Effect.Effect<CrmGrant, ProviderFailure>
  /** Lists at most `limit` locations of an agency, without the first `skip` locations. */
  readonly agencyLocations: (
    agency: CrmAccess,
    limit: number,
    skip: number
  ) => Effect.Effect<ReadonlyArray<AgencyLocation>, ProviderFailure>
  /**
   * Lists at most `limit` contacts of the location. `after` is the end of an earlier page. Null starts at the
   * beginning.
   */
  readonly contacts: (access: CrmAccess, limit: number, after: string | null) => Effect.Effect<CrmPage, ProviderFailure>
  /**
   * Returns the number of requests that the CRM still allows for the location today, according to the CRM's latest
   * responses. Returns null when it is unknown.
   */
  readonly allowance: (locationId: string) => Effect.Effect<number | null>
  readonly contact: (access: CrmAccess, crmContactId: string) => Effect.Effect<CrmContact, ProviderFailure>
  /** Returns the location's contact with this address or number, or null. */
  readonly findContact: (
    access: CrmAccess,
    by: { readonly email: string } | { readonly phone: string }
  ) => Effect.Effect<CrmContact | null, ProviderFailure>
  /**
   * Updates the contact with this address or number. If there is none, creates it. Null fields are not sent. Tags are
   * not sent either, because the CRM would remove all other tags of the contact. Idempotent.
   */
  readonly upsertContact: (
    access: CrmAccess,
    fields: Omit<SyncedFields, "tags">
  ) => Effect.Effect<{ readonly contact: CrmContact; readonly created: boolean }, ProviderFailure>
  /** Updates a contact and returns its new state. Idempotent. */
  readonly updateContact: (
    access: CrmAccess,
    crmContactId: string,
    changes: CrmChanges
  ) => Effect.Effect<CrmContact, ProviderFailure>
  /** Adds tags and returns all tags of the contact in the CRM's spelling. Idempotent. */
  readonly addTags: (
    access: CrmAccess,
    crmContactId: string,
    tags: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, ProviderFailure>
  readonly removeTags: (
    access: CrmAccess,
    crmContactId: string,
    tags: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, ProviderFailure>
  /**
   * Creates a note, and returns its id. Not idempotent: never retry after `OutcomeUnknown`, because a retry may create
   * a second note.
   */
  readonly addNote: (access: CrmAccess, crmContactId: string, body: string) => Effect.Effect<string, ProviderFailure>
  /** Creates a task, and returns its id. Not idempotent: a retry may create a second task. */
  readonly createTask: (
    access: CrmAccess,
    crmContactId: string,
    task: CrmTask
  ) => Effect.Effect<string, ProviderFailure>
  /** Adds a contact to a workflow. Not idempotent: a retry may run the workflow twice. */
  readonly addToWorkflow: (
    access: CrmAccess,
    crmContactId: string,
    workflowId: string
  ) => Effect.Effect<void, ProviderFailure>
  readonly removeFromWorkflow: (
    access: CrmAccess,
    crmContactId: string,
    workflowId: string
  ) => Effect.Effect<void, ProviderFailure>
}
