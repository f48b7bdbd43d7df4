import type { Rule } from "@leadloom/client"
import { useState } from "react"
import { Field } from "../component/Field.tsx"
import { ruleText } from "../text/Rules.ts"
import styles from "./Rule.module.css"

interface RuleJsonProps {
  readonly rule: Rule
  readonly onChange: (rule: Rule) => void
}

const isRule = (value: unknown): value is Rule =>
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  typeof value.id === "string" &&
  "name" in value &&
  typeof value.name === "string" &&
  "priority" in value &&
  typeof value.priority === "number" &&
  "when" in value &&
  typeof value.when === "object" &&
  value.when !== null &&
  "actions" in value &&
  Array.isArray(value.actions)

/** Reads a rule. The server checks facts, operators and values when the rules are tried or saved. */
const readRule = (json: string): Rule | string => {
  try {
    const value: unknown = JSON.parse(json)
    return isRule(value) ? value : ruleText.missingFields
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A rule as JSON. An invalid text stays in the field and changes nothing. */
export const RuleJson = ({ onChange, rule }: RuleJsonProps) => {
  const [json, setJson] = useState(() => JSON.stringify(rule, null, 2))
  const read = readRule(json)
  return (
    <>
      <Field label={ruleText.json} error={typeof read === "string" ? ruleText.invalidJson(read) : null}>
        {(control) => (
          <textarea
            {...control}
            className={styles.json}
            spellCheck={false}
            value={json}
            onChange={(event) => setJson(event.target.value)}
          />
        )}
      </Field>
      <button
        type="button"
        disabled={typeof read === "string"}
        onClick={() => typeof read === "string" || onChange(read)}
      >
        {ruleText.applyJson}
      </button>
    </>
  )
}
