import type { Action, Rule } from "@leadloom/client"
import { Field } from "../component/Field.tsx"
import { actionNames, nameOf } from "../text/Conditions.ts"
import { ruleText } from "../text/Rules.ts"
import { actionTypes } from "../text/RuleVocabulary.ts"
import { type ActionField, fieldsOf, newAction, withField } from "./Edit.ts"
import styles from "./Rule.module.css"

interface FieldProps {
  readonly action: Action
  readonly field: ActionField
  readonly onChange: (action: Action) => void
}

const ActionFieldControl = ({ action, field, onChange }: FieldProps) => {
  const { form, isOptional, name } = field
  const value = String(new Map(Object.entries(action)).get(name) ?? "")
  const set = (next: string): void => {
    onChange(withField(action, field, form === "number" && next !== "" ? Number(next) : next))
  }
  return (
    <Field label={ruleText.fields[name]}>
      {(control) => {
        if (form === "long")
          return <textarea {...control} value={value} onChange={(event) => set(event.target.value)} />
        if (typeof form === "string") {
          const type = form === "number" ? "number" : "text"
          return <input {...control} type={type} value={value} onChange={(event) => set(event.target.value)} />
        }
        return (
          <select {...control} value={value} onChange={(event) => set(event.target.value)}>
            {isOptional === true ? <option value="">{ruleText.unset}</option> : null}
            {form.map((option) => (
              <option key={option} value={option}>
                {nameOf(ruleText.options, option)}
              </option>
            ))}
          </select>
        )
      }}
    </Field>
  )
}

interface ActionListProps {
  readonly actions: Rule["actions"]
  readonly onChange: (actions: Rule["actions"]) => void
}

/** The actions of a rule, in the order in which they are carried out. The last one cannot be removed. */
export const ActionList = ({ actions, onChange }: ActionListProps) => {
  const change = (next: ReadonlyArray<Action>): void => {
    const [first, ...others] = next
    if (first !== undefined) onChange([first, ...others])
  }
  return (
    <>
      <ul className={styles.members}>
        {/* Actions have no identity besides their position. */}
        {[...actions.entries()].map(([position, action]) => {
          const name = nameOf(actionNames, action.type)
          return (
            <li key={position} className={styles.group}>
              <div className={styles.line}>
                <strong>{name}</strong>
                <button
                  type="button"
                  disabled={actions.length === 1}
                  onClick={() => change(actions.toSpliced(position, 1))}
                >
                  {ruleText.removeAction(name)}
                </button>
              </div>
              {action.type === "crm_action" ? <p>{ruleText.inJson}</p> : null}
              {fieldsOf(action.type).map((field) => (
                <ActionFieldControl
                  key={field.name}
                  action={action}
                  field={field}
                  onChange={(next) => change(actions.with(position, next))}
                />
              ))}
            </li>
          )
        })}
      </ul>
      <select
        aria-label={ruleText.addAction}
        value=""
        onChange={(event) => change([...actions, newAction(event.target.value)])}
      >
        <option value="">{ruleText.addAction}</option>
        {actionTypes.map((type) => (
          <option key={type} value={type}>
            {actionNames[type]}
          </option>
        ))}
      </select>
    </>
  )
}
