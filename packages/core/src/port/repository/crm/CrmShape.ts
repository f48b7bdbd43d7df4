import type { Effect, Redacted } from "effect"
import type { CrmChanges, CrmContact, CrmPage, CrmTask, SyncedFields } from "../../../domain/crm/CrmContact.ts"
import type { CrmFailure, CrmNotConfigured } from "../../../domain/crm/CrmFailure.ts"
import type { AgencyLocation, CrmAccess, CrmGrant, GrantLevel } from "../../../domain/crm/CrmGrant.ts"

/** What a CRM is asked. Every call but the first four, and `allowance`, needs the token of a location; `withAccess` has it. */
export interface CrmShape {
  /** Fails where this server knows no CRM. */
  readonly configured: Effect.Effect<void, CrmNotConfigured>
  /** Where somebody is sent to let us in; `state` comes back with the code. */
  readonly authorizeUrl: (state: string, level: GrantLevel) => Effect.Effect<string, CrmNotConfigured>
  /** Exchanges the code that somebody came back with. A code is good for one exchange, whatever comes of it. */
  readonly exchangeCode: (code: string, level: GrantLevel) => Effect.Effect<CrmGrant, CrmFailure>
  /** New tokens for a refresh token, which is used up by it. `CrmSignedOut`: it is good for nothing. */
  readonly refresh: (refreshToken: Redacted.Redacted, level: GrantLevel) => Effect.Effect<CrmGrant, CrmFailure>
  /** A token for a location of an agency, which `access` is for. It cannot be renewed: the agency is asked again. */
  readonly locationGrant: (agency: CrmAccess, locationId: string) => Effect.Effect<CrmGrant, CrmFailure>
  /** At most `limit` locations of an agency, after `skip` others. */
  readonly agencyLocations: (
    agency: CrmAccess,
    limit: number,
    skip: number
  ) => Effect.Effect<ReadonlyArray<AgencyLocation>, CrmFailure>
  /** At most `limit` contacts of the location, after where another page ended; null: from the beginning. */
  readonly contacts: (access: CrmAccess, limit: number, after: string | null) => Effect.Effect<CrmPage, CrmFailure>
  /** How many requests about the location the CRM still allows today, by what it has said lately; null: nothing. */
  readonly allowance: (locationId: string) => Effect.Effect<number | null>
  readonly contact: (access: CrmAccess, crmContactId: string) => Effect.Effect<CrmContact, CrmFailure>
  /** The contact of the location that has this address or number; null: there is none. */
  readonly findContact: (
    access: CrmAccess,
    by: { readonly email: string } | { readonly phone: string }
  ) => Effect.Effect<CrmContact | null, CrmFailure>
  /**
   * Changes the contact that has this address or number, or makes one. What is null is not sent; tags are not sent either,
   * because the CRM would take away those that are not named. May be done twice.
   */
  readonly upsertContact: (
    access: CrmAccess,
    fields: Omit<SyncedFields, "tags">
  ) => Effect.Effect<{ readonly contact: CrmContact; readonly created: boolean }, CrmFailure>
  /** Answers the contact as it is then. May be done twice. */
  readonly updateContact: (
    access: CrmAccess,
    crmContactId: string,
    changes: CrmChanges
  ) => Effect.Effect<CrmContact, CrmFailure>
  /** Answers the tags that the contact has then, as the CRM writes them. May be done twice. */
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
  /** Answers the note's id. Done twice there are two: `CrmOutcomeUnknown` is not tried again. */
  readonly addNote: (access: CrmAccess, crmContactId: string, body: string) => Effect.Effect<string, CrmFailure>
  /** Answers the task's id. Done twice there are two. */
  readonly createTask: (access: CrmAccess, crmContactId: string, task: CrmTask) => Effect.Effect<string, CrmFailure>
  /** Done twice the contact may go through the workflow twice. */
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
