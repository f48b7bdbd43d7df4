import { type FactName, type Facts, isFactName, metadataKeyOf } from "./Fact.ts"
import { type FieldFactName, isFieldFact } from "./RecordFact.ts"
import { wordsOf } from "../classification/Words.ts"

/**
 * The form in which a comparison uses a fact: trimmed lower-case text, words, a number, a boolean or a list of texts.
 */
export type View = "text" | "words" | "number" | "boolean" | "list"

/** The value of a fact in a view. Null stands for a missing fact. */
export type SlotValue = string | number | boolean | ReadonlyArray<string> | null

/**
 * The facts in the form that compiled rules use. Each pair of a fact and a view is read once and stored at its index.
 */
export type Slots = ReadonlyArray<SlotValue>

/** Reads the value of one slot. */
export type SlotReader = (facts: Facts) => SlotValue

const fold = (text: string): string => text.trim().toLowerCase()

const asText = (value: unknown): string | null => {
  if (typeof value === "string") return fold(value)
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null
}

/**
 * Returns a number, or a text of digits as a number, because forms send numbers as text. Returns null for other values.
 */
const asNumber = (value: unknown): number | null => {
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (typeof value !== "string" || value.length > 32) return null
  return /^\s*[+-]?\d+(?:\.\d+)?\s*$/u.test(value) ? Number(value) : null
}

const asBoolean = (value: unknown): boolean | null => {
  if (typeof value === "boolean") return value
  const text = typeof value === "string" ? fold(value) : ""
  return text === "true" ? true : text === "false" ? false : null
}

const asList = (value: unknown): ReadonlyArray<string> | null => {
  if (typeof value === "string") return [fold(value)]
  if (!Array.isArray(value)) return null
  const items: Array<string> = []
  for (const item of value) if (typeof item === "string") items.push(fold(item))
  return items
}

const readAs: Readonly<Record<View, (value: unknown) => SlotValue>> = {
  text: asText,
  words: (value) => (typeof value === "string" ? wordsOf(value) : null),
  number: asNumber,
  boolean: asBoolean,
  list: asList
}

const factReader = (name: FactName, view: View): SlotReader => {
  const read = readAs[view]
  return (facts) => read(facts[name])
}

/**
 * Reads a custom field. In the view `text`, a list is joined, because `exists` reads every custom field in this view.
 */
const fieldReader = (name: FieldFactName, view: View): SlotReader => {
  const read = readAs[view]
  return (facts) => {
    const value = facts[name]
    return read(view === "text" && typeof value === "object" && value !== null ? value.join(" ") : value)
  }
}

/** Returns the reader of a fact in a view. For an unknown fact, the reader always returns null. */
export const slotReader = (fact: string, view: View): SlotReader => {
  if (isFactName(fact)) return factReader(fact, view)
  if (isFieldFact(fact)) return fieldReader(fact, view)
  const key = metadataKeyOf(fact)
  const read = readAs[view]
  return ({ metadata }) => (key !== null && Object.hasOwn(metadata, key) ? read(metadata[key]) : null)
}

/** Returns the steps of reading and normalising a fact: about 10 ns for each character. */
export const readSteps = (value: SlotValue | undefined): number => {
  if (typeof value === "string") return 2 * value.length
  if (typeof value !== "object" || value === null) return 0
  let steps = 0
  for (const item of value) steps += 16 + 2 * item.length
  return steps
}

/** Normalises a text in the same way as the view `text`. */
export const foldText = fold
