/**
 * The reasons why a message is answered, drafted, held or ignored. A reason is data, `{ code, …parameters }`. Only
 * `ReasonList.ts` contains its text. A stored run contains this text next to the data, for people. The decision itself
 * belongs to `domain/reply/DecideReply.ts`. `docs/reference/reasons.md` is generated from the list. Tests:
 * `packages/core/test/domain/reason`, `packages/core/test/domain/reply`.
 */
import { Schema } from "effect"
import { reason, type ReasonFields, type ReasonOf, type StepOutcome, text } from "./ReasonEntry.ts"
import { contentReasons, guardReasons, replyReasons, runReasons, sendReasons } from "./ReasonList.ts"

const causes = { ...runReasons, ...replyReasons, ...guardReasons, ...contentReasons, ...sendReasons }

/** A reason that contains no other reason. */
export type Cause = ReasonOf<typeof causes>

const foundBy = { guardrailId: Schema.optionalKey(text) }

/** A reason why a person has to decide. If a guardrail found it, the reason contains the guardrail's id. */
export type Hold = Cause & Schema.Struct<typeof foundBy>["Type"]

type Table = Readonly<Record<string, { readonly fields: ReasonFields }>>

/** Returns the schema of the reasons of a table, each with the fields `more`. */
const schemaOf = <T extends Table, F extends ReasonFields>(table: T, more: F) => {
  const members = Object.entries<Table[string]>(table).map(([code, { fields }]): Schema.Struct<ReasonFields> =>
    Schema.Struct({ code: Schema.Literal(code), ...fields, ...more })
  )
  // The members already check the fields. The guard only gives the compiler the type of the result.
  type Member = ReasonOf<T> & Schema.Struct<F>["Type"]
  return Schema.Union(members).pipe(Schema.refine((of): of is Member => "code" in of))
}

const causeTexts: { readonly [C in Cause["code"]]: { text(of: Extract<Cause, { readonly code: C }>): string } } = causes

const describeCause = <C extends Cause["code"]>(of: Extract<Cause, { readonly code: C }>): string =>
  causeTexts[of.code].text(of)

const describeHold = (hold: Hold): string =>
  hold.guardrailId === undefined ? describeCause(hold) : `guardrail ${hold.guardrailId}: ${describeCause(hold)}`

const results = {
  guardrail_blocks: reason(
    { guardrailId: text, because: schemaOf(causes, {}) },
    ({ because, guardrailId }) => `guardrail ${guardrailId} blocks the reply: ${describeCause(because)}`,
    "suppressed"
  ),
  person_approves: reason({ because: Schema.Array(schemaOf(causes, foundBy)) }, ({ because }) =>
    because.length === 0 ? "a person approves the reply" : `a person approves: ${because.map(describeHold).join("; ")}`
  ),
  no_reply: reason({ because: schemaOf(causes, {}) }, ({ because }) => `no reply: ${describeCause(because)}`)
} as const

const table = { ...causes, ...results }

/** A reason for the outcome of a step of a run. */
export type Reason = ReasonOf<typeof table>
export type ReasonCode = Reason["code"]

/** Checks the stored data of a reason, for example in an archive. */
export const Reason = schemaOf(table, {})

const entries: {
  readonly [C in ReasonCode]: { text(of: Extract<Reason, { readonly code: C }>): string; readonly outcome: StepOutcome }
} = table

/** Returns the text of a reason in English. */
export const describeReason = <C extends ReasonCode>(of: Extract<Reason, { readonly code: C }>): string =>
  entries[of.code].text(of)

/** Returns the outcome that a reason gives to a step of a run. */
export const outcomeOf = ({ code }: Reason): StepOutcome => entries[code].outcome

/** Returns the code of a reason, followed by the codes of its causes. */
export const codesOf = (of: Reason): ReadonlyArray<string> => [
  of.code,
  ...("because" in of ? [of.because].flat().map(({ code }) => code) : [])
]

/** Returns whether this release knows the reason and its causes. A newer release may have stored others. */
export const isKnownReason = (of: Reason): boolean =>
  Object.hasOwn(table, of.code) && (!("because" in of) || [of.because].flat().every((one) => isKnownReason(one)))

/** Returns the texts of several reasons as one text. */
export const describeReasons = (reasons: ReadonlyArray<Reason>): string =>
  reasons.map((one) => describeReason(one)).join("; ")

/** The reasons in groups for the reference, in the order in which a run can produce them. */
export const reasonGroups = {
  "Classification, score and rules": runReasons,
  "Whether a reply is written": replyReasons,
  "Findings of guardrails": guardReasons,
  "Findings in every reply": contentReasons,
  "Whether a message may be sent": sendReasons,
  "Results with further reasons": results
}
