import { SchemaAST } from "effect"
import { activityTypes } from "../contact/Activity.ts"
import { callDirections, callStatuses } from "../call/Call.ts"
import { channels } from "../Channel.ts"
import type { Actor } from "../conversation/Message.ts"
import { leadStates } from "../lead/LeadState.ts"
import { tiers } from "../lead/Score.ts"
import { optOutSources } from "../consent/OptOut.ts"
import { guardStages } from "../guardrail/GuardRecord.ts"
import { guardOutcomes } from "../guardrail/Guardrail.ts"
import { type FieldSchema, nullable } from "../Field.ts"
import { dataInventory } from "./DataInventory.ts"
import type { PersonalDataTable } from "./PersonalDataTable.ts"
import type { Row } from "./Record.ts"
import { shapeCheck, shapeViolationsIn } from "./Shape.ts"

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

/** Returns the words that a schema allows; null if it is not a closed vocabulary. */
const wordsOf = (schema: FieldSchema): ReadonlyArray<string> | null => {
  const { ast } = nullable(schema.ast)
  const members = SchemaAST.isUnion(ast) ? ast.types : [ast]
  const words = members.flatMap((member) => (SchemaAST.isLiteral(member) ? [String(member.literal)] : []))
  return words.length === members.length ? words : null
}

type Check = (row: Row) => string | null

const checkOf = (column: string, schema: FieldSchema): Check => {
  const known = wordsOf(schema)
  if (known === null) return shapeCheck(column, schema)
  return (row) => {
    const { [column]: value } = row
    return typeof value === "string" && !known.includes(value)
      ? `has an unknown ${column}; known values are ${known.join(", ")}`
      : null
  }
}

const checks = new Map(
  dataInventory.map(({ name, schemas }) => [
    name,
    Object.entries(schemas).map(([column, schema]) => checkOf(column, schema))
  ])
)

/** Returns the first value in a row that this program could not have written, or null. */
export const unknownValuesIn = ({ name }: Pick<PersonalDataTable, "name">, row: Row): string | null => {
  for (const [column, known] of Object.entries(words[name] ?? {})) {
    const value = row[column]
    if (typeof value === "string" && !known.includes(value))
      return `has an unknown ${column}; known values are ${known.join(", ")}`
  }
  for (const check of checks.get(name) ?? []) {
    const violation = check(row)
    if (violation !== null) return violation
  }
  return shapeViolationsIn(name, row)
}
