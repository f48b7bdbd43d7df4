import type { ContactId } from "../Id.ts"
import type { Contact } from "./Contact.ts"

/** A stored suggestion that two contacts are one person. */
export interface StoredSuggestion {
  /** The contact that a merge would keep. */
  readonly into: ContactId
  readonly from: ContactId
  readonly reason: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** The time when a person marked the two contacts as different persons. Null if no person has done so. */
  readonly dismissedAt: number | null
}

/**
 * A suggestion with the current contacts. A contact that has been merged since then is replaced by the contact that
 * kept its records.
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
