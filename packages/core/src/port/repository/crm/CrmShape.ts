import type { Effect, Redacted } from "effect"
import type { CrmChanges, CrmContact, CrmPage, CrmTask, SyncedFields } from "../../../domain/crm/CrmContact.ts"
import type { CrmFailure, CrmNotConfigured } from "../../../domain/crm/CrmFailure.ts"
import type { AgencyLocation, CrmAccess, CrmGrant, GrantLevel } from "../../../domain/crm/CrmGrant.ts"

/**
 * The methods of a CRM. A call with a `CrmAccess` needs the token of a location or agency; `withAccess` provides it.
 */
export interface CrmShape {
  /** Fails when no CRM is configured on this server. */
  readonly configured: Effect.Effect<void, CrmNotConfigured>
  /** Returns the URL where a user authorizes this app. The CRM returns `state` with the code. */
  readonly authorizeUrl: (state: string, level: GrantLevel) => Effect.Effect<string, CrmNotConfigured>
  /** Exchanges an authorization code. A code can be exchanged once, whether the exchange succeeds or fails. */
  readonly exchangeCode: (code: string, level: GrantLevel) => Effect.Effect<CrmGrant, CrmFailure>
  /**
   * Exchanges a refresh token for new tokens. The old refresh token becomes invalid. Fails with `CrmSignedOut` when the
   * CRM rejects it.
   */
  readonly refresh: (refreshToken: Redacted.Redacted, level: GrantLevel) => Effect.Effect<CrmGrant, CrmFailure>
  /**
   * Returns a token for a location of the agency in `agency`. It has no refresh token: request a new one from the
   * agency.
   */
  readonly locationGrant: (agency: CrmAccess, locationId: string) => Effect.Effect<CrmGrant, CrmFailure>
  /** Lists at most `limit` locations of an agency after the first `skip`. */
  readonly agencyLocations: (
    agency: CrmAccess,
    limit: number,
    skip: number
  ) => Effect.Effect<ReadonlyArray<AgencyLocation>, CrmFailure>
  /** Lists at most `limit` contacts of the location after the end of an earlier page. Null starts at the beginning. */
  readonly contacts: (access: CrmAccess, limit: number, after: string | null) => Effect.Effect<CrmPage, CrmFailure>
  /**
   * Returns the number of requests that the CRM still allows for the location today, from its last responses. Null when
   * unknown.
   */
  readonly allowance: (locationId: string) => Effect.Effect<number | null>
  readonly contact: (access: CrmAccess, crmContactId: string) => Effect.Effect<CrmContact, CrmFailure>
  /** Returns the location's contact with this address or number, or null. */
  readonly findContact: (
    access: CrmAccess,
    by: { readonly email: string } | { readonly phone: string }
  ) => Effect.Effect<CrmContact | null, CrmFailure>
  /**
   * Updates the contact with this address or number, or creates it. Null fields are not sent. Tags are not sent either,
   * because the CRM would remove all other tags. Idempotent.
   */
  readonly upsertContact: (
    access: CrmAccess,
    fields: Omit<SyncedFields, "tags">
  ) => Effect.Effect<{ readonly contact: CrmContact; readonly created: boolean }, CrmFailure>
  /** Updates a contact and returns its new state. Idempotent. */
  readonly updateContact: (
    access: CrmAccess,
    crmContactId: string,
    changes: CrmChanges
  ) => Effect.Effect<CrmContact, CrmFailure>
  /** Adds tags and returns all tags of the contact in the CRM's spelling. Idempotent. */
  readonly addTags: (
    access: CrmAccess,
    crmContactId: string,
    tags: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, CrmFailure>
  readonly removeTags: (
    access: CrmAccess,
    crmContactId: string,
    tags: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, CrmFailure>
  /**
   * Creates a note and returns its id. Not idempotent: never retry after `CrmOutcomeUnknown`, because a retry may
   * create a second note.
   */
  readonly addNote: (access: CrmAccess, crmContactId: string, body: string) => Effect.Effect<string, CrmFailure>
  /** Creates a task and returns its id. Not idempotent: a retry may create a second task. */
  readonly createTask: (access: CrmAccess, crmContactId: string, task: CrmTask) => Effect.Effect<string, CrmFailure>
  /** Adds a contact to a workflow. Not idempotent: a retry may run the workflow twice. */
  readonly addToWorkflow: (
    access: CrmAccess,
    crmContactId: string,
    workflowId: string
  ) => Effect.Effect<void, CrmFailure>
  readonly removeFromWorkflow: (
    access: CrmAccess,
    crmContactId: string,
    workflowId: string
  ) => Effect.Effect<void, CrmFailure>
}
