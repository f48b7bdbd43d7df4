import type { ContactId } from "../Id.ts"
import type { Contact } from "./Contact.ts"

/** Two contacts that look like one person, as it was noticed. */
export interface StoredSuggestion {
  /** The one that would stay. */
  readonly into: ContactId
  readonly from: ContactId
  readonly reason: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** When somebody said that they are two persons. */
  readonly dismissedAt: number | null
}

/** The same between the contacts as they are now: what has been merged since stands for what it was merged into. */
export interface MergeSuggestion {
  readonly primary: Contact
  readonly duplicate: Contact
  readonly reason: string
  readonly createdAt: number
}

/** Where a page of suggestions ends. They are listed newest first. */
export interface SuggestionKey {
  readonly createdAt: number
  readonly into: string
  readonly from: string
}
