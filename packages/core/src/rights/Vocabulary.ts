import { channels } from "../conversation/Channel.ts"
import { leadStates } from "../lead/LeadState.ts"
import { tiers } from "../lead/Tier.ts"
import { taskStatuses, taskTypes } from "../task/Task.ts"
import type { Kind } from "./Kind.ts"
import type { Row } from "./Record.ts"

/** Columns that hold one of some words, by kind. What is not among them no version of this program has written. */
const words: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> = {
  messages: {
    channel: channels,
    actor: ["contact", "agent", "assistant", "system"],
    auto: ["auto_reply", "bounce", "list", "own"],
    delivery: ["queued", "sent", "delivered", "failed", "bounced", "unknown"]
  },
  leads: { channel: channels, state: leadStates, tier: tiers },
  lead_scores: { tier: tiers },
  tasks: { type: taskTypes, status: taskStatuses },
  drafts: { channel: channels, state: ["pending", "sent", "dismissed", "superseded"] }
}

/** Columns of JSON that hold a list, by kind. */
const lists: Readonly<Record<string, ReadonlyArray<string>>> = {
  contacts: ["tags"],
  messages: ["to_addresses", "cc_addresses", "reply_to", "reference_ids", "flags", "attachments"],
  leads: ["factors"],
  lead_scores: ["factors", "recommended_actions"]
}

/** What of a row nobody here could have written, in words; null: nothing. */
export const strangeIn = ({ name }: Pick<Kind, "name">, row: Row): string | null => {
  for (const [column, known] of Object.entries(words[name] ?? {})) {
    const value = row[column]
    if (typeof value === "string" && !known.includes(value))
      return `has a ${column} that is none of ${known.join(", ")}`
  }
  const column = (lists[name] ?? []).find((one) => !Array.isArray(row[one]))
  return column === undefined ? null : `has no list in ${column}`
}
