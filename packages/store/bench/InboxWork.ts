import { encodeId } from "@leadloom/core/internal/domain/Id"
import { chance } from "./Correspondence.ts"
import type { Values } from "./LetterRows.ts"

const dayMillis = 86_400_000

const bytesOf = (number: number): Uint8Array => new Uint8Array(10).fill(number)

/** Returns the id of one of the ten agents of the tenant. */
export const agentId = (number: number) => encodeId("usr", 1, bytesOf(number))

/** Returns the id of one of the three teams of the tenant. */
export const deskId = (number: number) => encodeId("team", 1, bytesOf(number))

/** Returns the tags of a person's conversation: a third has two of five. */
export const tagsOf = (person: number): ReadonlyArray<string> => {
  const tag = Math.floor(chance(person, 42) * 15)
  return tag < 5 ? [`tag${tag}`, `tag${(tag + 1) % 5}`] : []
}

/**
 * Returns the inbox state of a conversation: 60 % are closed and 5 % snoozed; half are assigned and in a team; a third
 * have tags; 2 % are urgent; 10 % of the open ones are unread.
 */
export const inboxWork = (person: number, at: number, end: number): Values => {
  const part = chance(person, 40)
  const state = part < 0.6 ? "closed" : part < 0.65 ? "snoozed" : "open"
  const isAssigned = chance(person, 41) < 0.5
  const isWaiting = state === "open" && chance(person, 44) < 0.5
  return {
    state,
    assignee_id: isAssigned ? agentId(person % 10) : null,
    team_id: isAssigned ? deskId(person % 3) : null,
    tags: JSON.stringify(tagsOf(person)),
    priority: chance(person, 43) < 0.02 ? "urgent" : "normal",
    snooze_until: state === "snoozed" ? end + Math.floor((1 + 60 * chance(person, 45)) * dayMillis) : null,
    waiting_since: isWaiting ? at : null,
    answered_at: 0,
    unread: state === "open" && chance(person, 46) < 0.1 ? 1 : 0
  }
}

/** Returns the tier of a person's lead: one in ten is hot, two are warm. */
export const tierOf = (person: number): string => {
  const part = chance(person, 47)
  return part < 0.1 ? "hot" : part < 0.3 ? "warm" : "cold"
}
