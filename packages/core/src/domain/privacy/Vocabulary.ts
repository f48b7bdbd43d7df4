import { activityTypes } from "../contact/Activity.ts"
import { callDirections, callStatuses } from "../call/Call.ts"
import { channels } from "../Channel.ts"
import type { Actor } from "../conversation/Message.ts"
import { leadStates } from "../lead/LeadState.ts"
import { tiers } from "../lead/Score.ts"
import { optOutSources } from "../consent/OptOut.ts"
import { guardStages } from "../guardrail/GuardRecord.ts"
import { guardOutcomes } from "../guardrail/Guardrail.ts"
import { taskStatuses, taskTypes } from "../task/Task.ts"
import type { PersonalDataTable } from "./PersonalDataTable.ts"
import type { Row } from "./Record.ts"
import { shapeViolationsIn } from "./Shape.ts"

const actors: ReadonlyArray<Actor> = ["contact", "agent", "assistant", "system"]

/** The allowed values of enumerated columns by table. No version of this program has written others. */
const words: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> = {
  messages: {
    channel: channels,
    actor: actors,
    auto: ["auto_reply", "bounce", "list", "own"],
    delivery: ["queued", "sent", "delivered", "failed", "bounced", "unknown"]
  },
  leads: { channel: channels, state: leadStates, tier: tiers },
  lead_scores: { tier: tiers },
  tasks: { type: taskTypes, status: taskStatuses },
  guard_evaluations: { stage: guardStages, outcome: guardOutcomes },
  activities: { type: activityTypes, actor: actors },
  calls: {
    direction: callDirections,
    status: callStatuses,
    recording: ["none", "wanted", "ready", "gone"]
  },
  conversations: { last_channel: channels },
  contact_list: { channel: channels, state: leadStates, tier: tiers },
  opt_outs: { source: optOutSources },
  drafts: { channel: channels, state: ["pending", "sent", "dismissed", "superseded"] }
}

/** Returns the first value in a row that this program could not have written, or null. */
export const unknownValuesIn = ({ name }: Pick<PersonalDataTable, "name">, row: Row): string | null => {
  for (const [column, known] of Object.entries(words[name] ?? {})) {
    const value = row[column]
    if (typeof value === "string" && !known.includes(value))
      return `has an unknown ${column}; known values are ${known.join(", ")}`
  }
  return shapeViolationsIn(name, row)
}
