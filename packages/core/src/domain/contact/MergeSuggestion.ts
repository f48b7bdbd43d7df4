import type { ContactId } from "../Id.ts"
import type { Contact } from "./Contact.ts"

/** A stored suggestion that two contacts are one person. */
export interface StoredSuggestion {
  /** The contact that would remain. */
  readonly into: ContactId
  readonly from: ContactId
  readonly reason: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The time when a person marked them as two different persons. */
  readonly dismissedAt: number | null
}

/**
 * A suggestion with the current contacts. A contact that was merged since is replaced by the contact it was merged
 * into.
 */
export interface MergeSuggestion {
  readonly primary: Contact
  readonly duplicate: Contact
  readonly reason: string
  readonly createdAt: number
}

/** The position of a suggestion in the list, newest first. */
export interface SuggestionKey {
  readonly createdAt: number
  readonly into: string
  readonly from: string
}
