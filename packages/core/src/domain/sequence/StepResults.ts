import type { EnrolmentEntry } from "./Enrolment.ts"

/** The number of the newest enrolments of a sequence whose messages are counted. */
export const maxResultEnrolments = 2_000

/** The messages that a step has sent with one text. */
export interface StepResult {
  readonly step: string
  /** Null for messages of a step without variants. */
  readonly variant: string | null
  readonly sent: number
  /** The messages after which the contact wrote, before the next message of the enrolment. */
  readonly answered: number
  /** The messages of which a tracked link was opened. */
  readonly opened: number
}

/** The messages of an enrolment, and the time of the contact's first message after the first of them. */
export interface CountedEnrolment {
  readonly history: ReadonlyArray<EnrolmentEntry>
  /** Null if the contact has not written since. */
  readonly answeredAt: number | null
}

/** Returns the entries of sent messages, oldest first. */
export const sentEntries = (history: ReadonlyArray<EnrolmentEntry>): ReadonlyArray<EnrolmentEntry> =>
  history.filter(({ outcome }) => outcome === "sent")

/**
 * Counts the sent, answered and opened messages of enrolments, by step and variant, in the order of their first message. An
 * answer belongs to the newest message before it. It ends the enrolment, so each enrolment has at most one. `opened` has
 * the ids of the messages of which a link was opened.
 */
export const countResults = (
  enrolments: ReadonlyArray<CountedEnrolment>,
  opened: ReadonlySet<string>
): ReadonlyArray<StepResult> => {
  const counts = new Map<string, StepResult>()
  for (const { answeredAt, history } of enrolments) {
    const sent = sentEntries(history)
    const answered = answeredAt === null ? undefined : sent.findLast(({ at }) => at < answeredAt)
    for (const entry of sent) {
      const { step, variant = null } = entry
      const key = JSON.stringify([step, variant])
      const before = counts.get(key) ?? { step, variant, sent: 0, answered: 0, opened: 0 }
      const isOpened = entry.messageId !== null && opened.has(entry.messageId)
      counts.set(key, {
        ...before,
        sent: before.sent + 1,
        answered: before.answered + (entry === answered ? 1 : 0),
        opened: before.opened + (isOpened ? 1 : 0)
      })
    }
  }
  return [...counts.values()]
}
