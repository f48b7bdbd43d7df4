import { Schema } from "effect"

/** The rules that determine the thread of a mail, stored with the mail. The names are part of the wire format. */
export const threadRules = [
  /** An id in In-Reply-To belongs to the thread. */
  "in_reply_to",
  /** An id in References belongs to the thread. */
  "references",
  /** An earlier mail of the thread refers to this mail. */
  "child",
  /** The provider put the mail into this thread. */
  "provider",
  /** The recipient address has the reply token of the thread. */
  "reply_token",
  /** A new thread: the mail refers to no other mail. */
  "new_without_reference",
  /** A new thread: no mail with a referenced id is known. */
  "new_unknown_reference",
  /** A new thread: the provider put the mail into a thread that its headers contradict. */
  "new_provider_contradicted"
] as const

export const ThreadRule = Schema.Literals(threadRules)
export type ThreadRule = typeof ThreadRule.Type

/** The reason why a mail belongs to its thread. */
export interface ThreadReason {
  readonly rule: ThreadRule
  /** The id that decided: a Message-ID, or the provider's thread id. Null if no id decided. */
  readonly id: string | null
}

/** The facts that explain the thread of a mail. */
export interface ThreadDecision {
  readonly by: "reference" | "child" | "provider" | "reply_token" | null
  readonly via: string | null
  /** The ids in In-Reply-To. */
  readonly repliesTo: ReadonlySet<string>
  /** The nearest id that the mail refers to; null without one. */
  readonly firstReference: string | null
  /** The provider's thread id; null if there is none. */
  readonly providerThread: string | null
  /** True if a thread belongs to the provider's thread id. */
  readonly isProviderThreadKnown: boolean
}

/** Returns the reason for a decision of `matchThread`. */
export const threadReason = (decision: ThreadDecision): ThreadReason => {
  const { by, firstReference, isProviderThreadKnown, providerThread, repliesTo, via } = decision
  switch (by) {
    case "reference":
      return { rule: via !== null && repliesTo.has(via) ? "in_reply_to" : "references", id: via }
    case "child":
      return { rule: "child", id: via }
    case "provider":
      return { rule: "provider", id: providerThread }
    case "reply_token":
      return { rule: "reply_token", id: null }
    case null:
      if (isProviderThreadKnown) return { rule: "new_provider_contradicted", id: providerThread }
      return firstReference === null
        ? { rule: "new_without_reference", id: null }
        : { rule: "new_unknown_reference", id: firstReference }
  }
}
