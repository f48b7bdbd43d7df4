import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"

/** The period without a renewal after which a presence expires. */
export const presenceMillis = 30_000

/** The maximum number of present users and conversations of one tenant. More remove the one that was renewed first. */
export const maxPresencesPerTenant = 2_000

/** The maximum number of conversations in which one user is present. More remove the one that was renewed first. */
export const maxPresencesPerUser = 20

export const presenceStates = ["viewing", "typing"] as const

/** The state that a user reports: present in a state, or `left`, which ends the presence. */
export const reportedStates = [...presenceStates, "left"] as const

/** A user's report of being in a conversation. Servers exchange reports in this form. */
export const PresenceReport = Schema.Struct({
  tenantId: Schema.String,
  contactId: Schema.String,
  userId: Schema.String,
  name: Schema.String,
  state: Schema.Literals(reportedStates),
  /** The time at which the user entered this state (epoch milliseconds). */
  since: Schema.Number,
  /** The time at which the presence expires without a renewal (epoch milliseconds). */
  expiresAt: Schema.Number
})

export type PresenceReport = typeof PresenceReport.Type

/** A user who is present in a conversation. */
export type Presence = PresenceReport & { readonly state: (typeof presenceStates)[number] }

/** Returns the key of a presence within its tenant. */
export const presenceKey = ({ contactId, userId }: Pick<PresenceReport, "contactId" | "userId">): string =>
  `${contactId}\n${userId}`

/** The request reports presence, but acts as no user. */
export class PresenceWithoutUser extends TaggedError("PresenceWithoutUser")<{}> {}
