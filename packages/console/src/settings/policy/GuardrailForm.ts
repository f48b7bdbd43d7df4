import type { Guardrail } from "@leadloom/client"
import { policyText } from "../../text/Policies.ts"
import type { FormField, Values } from "../Listing.ts"
import { linesOf } from "../Values.ts"

const { guardrails: shown } = policyText

type Kind = Guardrail["kind"]
type GuardrailOf<K extends Kind> = Extract<Guardrail, { kind: K }>
type Tier = GuardrailOf<"require_approval_for_tiers">["tiers"][number]

const onlyFor = (...values: ReadonlyArray<Kind>): FormField["onlyFor"] => ({ field: "kind", values })

/** The tiers are selected together, because the order of the tiers permits only these combinations. */
const tierChoices: Readonly<Record<string, readonly [Tier, ...ReadonlyArray<Tier>]>> = {
  hot: ["hot"],
  "hot,warm": ["hot", "warm"],
  "hot,warm,cold": ["hot", "warm", "cold"]
}

/** Returns the form values of a guardrail. */
const valuesOf = (guardrail: Guardrail): Values => {
  switch (guardrail.kind) {
    case "blocked_phrases":
      return { phrases: guardrail.phrases.join("\n") }
    case "blocked_intents":
      return { intents: guardrail.intents.join("\n") }
    case "quiet_hours":
      return { from: guardrail.from, to: guardrail.to }
    case "max_replies_per_contact_per_day":
      return { max: String(guardrail.max) }
    case "min_confidence":
      return { min: String(guardrail.min) }
    case "require_approval_for_tiers":
      return { tiers: guardrail.tiers.join(",") }
    case "no_links":
    case "no_prices":
      return {}
  }
}

const detailFields: ReadonlyArray<FormField> = [
  {
    name: "phrases",
    label: shown.phrases,
    type: "textarea",
    hint: shown.linesHint,
    onlyFor: onlyFor("blocked_phrases")
  },
  {
    name: "intents",
    label: shown.intents,
    type: "textarea",
    hint: shown.linesHint,
    onlyFor: onlyFor("blocked_intents")
  },
  { name: "from", label: shown.from, type: "time", onlyFor: onlyFor("quiet_hours") },
  { name: "to", label: shown.to, type: "time", onlyFor: onlyFor("quiet_hours") },
  { name: "max", label: shown.max, type: "number", onlyFor: onlyFor("max_replies_per_contact_per_day") },
  { name: "min", label: shown.min, type: "number", onlyFor: onlyFor("min_confidence") },
  { name: "tiers", label: shown.tiers, options: shown.tierChoices, onlyFor: onlyFor("require_approval_for_tiers") }
]

const kindsWithOutcome = Object.keys(shown.kinds).filter((kind) => kind !== "require_approval_for_tiers")

const outcomeField: FormField = {
  name: "outcome",
  label: shown.outcome,
  options: shown.outcomes,
  onlyFor: { field: "kind", values: kindsWithOutcome }
}

/** The fields of a new guardrail. */
export const newGuardrailFields: ReadonlyArray<FormField> = [
  { name: "id", label: shown.name },
  { name: "kind", label: shown.kind, options: shown.kinds },
  ...detailFields,
  outcomeField
]

/** Returns the fields of an existing guardrail, whose name and kind do not change. */
export const guardrailFields = (guardrail: Guardrail): ReadonlyArray<FormField> => {
  const values = valuesOf(guardrail)
  const outcome = "outcome" in guardrail ? guardrail.outcome : undefined
  return [...detailFields, outcomeField]
    .filter((field) => field.onlyFor?.values.includes(guardrail.kind))
    .map((field) => ({
      ...field,
      onlyFor: undefined,
      initial: (field.name === "outcome" ? outcome : values[field.name]) ?? ""
    }))
}

const textsOf = (value: string | undefined): readonly [string, ...ReadonlyArray<string>] => {
  const [first = "", ...others] = linesOf(value)
  return [first, ...others]
}

/** Returns the guardrail of a form. The server checks the values. */
export const guardrailOf = (kind: Kind, id: string, values: Values): Guardrail => {
  const base = { id, outcome: values["outcome"] === "block" ? "block" : "require_approval" } as const
  switch (kind) {
    case "blocked_phrases":
      return { ...base, kind, phrases: textsOf(values["phrases"]) }
    case "blocked_intents":
      return { ...base, kind, intents: textsOf(values["intents"]) }
    case "quiet_hours":
      return { ...base, kind, from: values["from"] ?? "", to: values["to"] ?? "" }
    case "max_replies_per_contact_per_day":
      return { ...base, kind, max: Number(values["max"]) }
    case "min_confidence":
      return { ...base, kind, min: Number(values["min"]) }
    case "require_approval_for_tiers":
      return { id, kind, tiers: tierChoices[values["tiers"] ?? ""] ?? ["hot"] }
    case "no_links":
    case "no_prices":
      return { ...base, kind }
  }
}

/** Describes the limit of a guardrail in a few words. */
export const limitOf = (guardrail: Guardrail): string =>
  Object.values(valuesOf(guardrail)).join(" – ").replaceAll("\n", ", ")
