import type { Sequence, SequenceStep, UpdateSequence } from "@leadloom/client"
import { editorText } from "../text/sequence/Editor.ts"

const names = ["name", "steps", "stop_on", "holdout_percent", "limits"] as const

/** The fields of a sequence that a person edits. */
export type SequenceFields = Pick<Sequence, (typeof names)[number]>

/** The group and the limits with which a new sequence starts, as in the API. */
export const startingLimits: Pick<SequenceFields, "holdout_percent" | "limits"> = {
  holdout_percent: 0,
  limits: { bounce_percent: 5, complaint_percent: 0.3, opt_out_percent: 5, min_messages: 50 }
}

type Steps = Sequence["steps"]

/** Returns the edited fields of a sequence. */
export const fieldsOf = ({ holdout_percent, limits, name, steps, stop_on }: SequenceFields): SequenceFields => ({
  name,
  steps,
  stop_on,
  holdout_percent,
  limits
})

/** Returns fields as text for comparisons. */
export const textOfFields = (fields: SequenceFields): string => JSON.stringify(fieldsOf(fields), null, 2)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns whether steps or conditions differ, so that a save creates a version. */
export const hasNewContent = (base: SequenceFields, edited: SequenceFields): boolean =>
  !isSame([base.steps, base.stop_on], [edited.steps, edited.stop_on])

/** Returns the changed fields only, so that the save does not undo a change of another person to the other ones. */
export const changesOf = (base: SequenceFields, edited: SequenceFields): UpdateSequence =>
  Object.fromEntries(names.filter((name) => !isSame(base[name], edited[name])).map((name) => [name, edited[name]]))

/** Returns the newer fields with the changes of this person. */
export const rebased = (base: SequenceFields, edited: SequenceFields, newer: SequenceFields): SequenceFields => ({
  ...fieldsOf(newer),
  ...(changesOf(base, edited) as Partial<SequenceFields>)
})

/** Returns steps, unless there are none: a sequence has at least one. */
export const asSteps = ([first, ...others]: ReadonlyArray<SequenceStep>): Steps | null =>
  first === undefined ? null : [first, ...others]

/**
 * Returns a new step with an unused name. The number counts from the end, so that it seldom repeats the name of a removed
 * step: enrolments that have completed the removed one would omit the new one.
 */
export const newStep = (steps: ReadonlyArray<SequenceStep>): SequenceStep => {
  const names = new Set(steps.map(({ name }) => name))
  let number = steps.length + 1
  while (names.has(`step-${number}`)) number++
  return { name: `step-${number}`, kind: "task", delay: { amount: 1, unit: "days" }, title: editorText.newTitle }
}

/** Returns a step of another kind. Name, delay and hours stay. */
export const withKind = (step: SequenceStep, kind: SequenceStep["kind"]): SequenceStep => {
  const { delay, name, window } = step
  const kept = { name, delay, ...(window === undefined ? {} : { window }) }
  if (kind === "task") return { ...kept, kind, title: editorText.newTitle }
  return kind === "wait" ? { ...kept, kind } : { ...kept, kind, channel: "email", subject: null, body: "" }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const isPeriod = (value: unknown): boolean =>
  isRecord(value) && isList(value["days"]) && typeof value["from"] === "string" && typeof value["to"] === "string"

const hasOwnFields = (step: Readonly<Record<string, unknown>>): boolean => {
  if (step["kind"] === "task") return typeof step["title"] === "string"
  if (step["kind"] === "wait") return true
  return step["kind"] === "send" && typeof step["channel"] === "string" && typeof step["body"] === "string"
}

const isStep = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value["name"] === "string" &&
  isRecord(value["delay"]) &&
  typeof value["delay"]["amount"] === "number" &&
  typeof value["delay"]["unit"] === "string" &&
  (value["window"] === undefined || (isList(value["window"]) && value["window"].every(isPeriod))) &&
  hasOwnFields(value)

const areLimits = (value: unknown): boolean =>
  isRecord(value) && Object.keys(startingLimits.limits).every((name) => Object.hasOwn(value, name))

const areFields = (value: unknown): value is SequenceFields =>
  isRecord(value) &&
  typeof value["name"] === "string" &&
  isList(value["steps"]) &&
  value["steps"].length > 0 &&
  value["steps"].every(isStep) &&
  isList(value["stop_on"]) &&
  typeof value["holdout_percent"] === "number" &&
  areLimits(value["limits"])

/**
 * Reads the fields from JSON. The group and the limits stay if the text has none. Returns the mistake of an invalid text.
 * The server checks the values at the save.
 */
export const readFields = (
  json: string,
  { holdout_percent, limits }: Pick<SequenceFields, "holdout_percent" | "limits">
): SequenceFields | string => {
  try {
    const parsed: unknown = JSON.parse(json)
    const value = isRecord(parsed) ? { holdout_percent, limits, ...parsed } : parsed
    return areFields(value) ? fieldsOf(value) : editorText.missingFields
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
