/**
 * What becomes of a reply: nothing is written, it waits for a person, it may go out by itself, or a guardrail drops it.
 */
export const replyFates = ["none", "held", "released", "blocked"] as const
export type ReplyFate = (typeof replyFates)[number]

/** What a configuration makes of one message, as far as a back-test looks at it. */
export interface Outcome {
  /** Null: nothing classified it. */
  readonly intent: string | null
  readonly tier: string
  readonly rules: ReadonlyArray<{ readonly ruleId: string; readonly name: string }>
  /** What is wanted, in order; `what` is all that an action says, in one text, and empty for a reply. */
  readonly actions: ReadonlyArray<{ readonly type: string; readonly what: string }>
  readonly reply: ReplyFate
  /** What would be written; null without a reply. */
  readonly replyText: string | null
}
