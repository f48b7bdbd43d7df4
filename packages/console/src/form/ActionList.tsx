import type { Action, Rule } from "@leadloom/client"
import { Arrow } from "../component/Arrow.tsx"
import { Field } from "../component/Field.tsx"
import blocks from "../design/Blocks.module.css"
import { actionFormText } from "../text/Actions.ts"
import { actionNames, nameOf } from "../text/Conditions.ts"
import { type ActionField, fieldsOf, newAction, withField } from "./ActionFields.ts"
import { CallWebhookFields } from "./CallWebhookFields.tsx"
import { ForwardFields } from "./ForwardFields.tsx"
import { SendTemplateFields } from "./SendTemplateFields.tsx"
import { type MoveStep, useMovedFocus } from "./MovedFocus.ts"

type Actions = Rule["actions"]

interface FieldProps {
  readonly action: Action
  readonly field: ActionField
  readonly onChange: (action: Action) => void
}

/** What an empty choice means. */
const unsetNames: ReadonlyMap<string, string> = new Map(Object.entries(actionFormText.unsetOf))

const ActionFieldControl = ({ action, field, onChange }: FieldProps) => {
  const { form, isOptional, name } = field
  const value = String(new Map(Object.entries(action)).get(name) ?? "")
  const set = (next: string): void => {
    onChange(withField(action, field, form === "number" && next !== "" ? Number(next) : next))
  }
  return (
    <Field label={actionFormText.fields[name]}>
      {(control) => {
        if (form === "long")
          return <textarea {...control} rows={8} value={value} onChange={(event) => set(event.target.value)} />
        if (typeof form === "string") {
          const type = form === "number" ? "number" : "text"
          return <input {...control} type={type} value={value} onChange={(event) => set(event.target.value)} />
        }
        return (
          <select {...control} value={value} onChange={(event) => set(event.target.value)}>
            {isOptional === true ? <option value="">{unsetNames.get(name) ?? actionFormText.unset}</option> : null}
            {form.map((option) => (
              <option key={option} value={option}>
                {nameOf(actionFormText.options, option)}
              </option>
            ))}
          </select>
        )
      }}
    </Field>
  )
}

/** The fields of a type of action that has more than plain values. */
const ActionForm = ({ action, onChange }: Omit<FieldProps, "field">) => {
  switch (action.type) {
    case "call_webhook":
      return <CallWebhookFields action={action} onChange={onChange} />
    case "forward":
      return <ForwardFields action={action} onChange={onChange} />
    case "send_template":
      return <SendTemplateFields action={action} onChange={onChange} />
    default:
      return null
  }
}

interface HeadProps {
  readonly name: string
  readonly position: number
  readonly size: number
  readonly onMove: (step: MoveStep) => void
  readonly onRemove: () => void
}

const ActionHead = ({ name, onMove, onRemove, position, size }: HeadProps) => (
  <div className={blocks.line}>
    <strong>{name}</strong>
    {(["up", "down"] as const).map((step) => (
      <button
        key={step}
        type="button"
        data-step={step}
        aria-label={actionFormText[step](position + 1, name)}
        aria-disabled={position === (step === "up" ? 0 : size - 1)}
        onClick={() => onMove(step)}
      >
        <Arrow to={step} />
      </button>
    ))}
    <button type="button" disabled={size === 1} onClick={onRemove}>
      {actionFormText.remove(name)}
    </button>
  </div>
)

interface ActionListProps {
  readonly actions: Actions
  /** The types of actions that can be added. */
  readonly types: ReadonlyArray<keyof typeof actionNames>
  /** Names the place where an action without a form is edited. */
  readonly elsewhere: string
  readonly onChange: (actions: Actions) => void
}

/** The editor of actions, in the order in which they are carried out. The last one cannot be removed. */
export const ActionList = ({ actions, elsewhere, onChange, types }: ActionListProps) => {
  const [list, focusMoved] = useMovedFocus<HTMLUListElement>()
  const change = (next: ReadonlyArray<Action>): void => {
    const [first, ...others] = next
    if (first !== undefined) onChange([first, ...others])
  }
  const move = (position: number, step: MoveStep): void => {
    const target = position + (step === "up" ? -1 : 1)
    const [moved, neighbour] = [actions[position], actions[target]]
    if (moved === undefined || neighbour === undefined) return
    focusMoved(target, step)
    change(actions.with(position, neighbour).with(target, moved))
  }
  return (
    <>
      <ul ref={list} className={blocks.list}>
        {/* Actions have no identity besides their position. */}
        {[...actions.entries()].map(([position, action]) => (
          <li key={position} className={blocks.group}>
            <ActionHead
              name={nameOf(actionNames, action.type)}
              position={position}
              size={actions.length}
              onMove={(step) => move(position, step)}
              onRemove={() => change(actions.toSpliced(position, 1))}
            />
            {action.type === "crm_action" ? <p>{elsewhere}</p> : null}
            <ActionForm action={action} onChange={(next) => change(actions.with(position, next))} />
            {fieldsOf(action.type).map((field) => (
              <ActionFieldControl
                key={field.name}
                action={action}
                field={field}
                onChange={(next) => change(actions.with(position, next))}
              />
            ))}
          </li>
        ))}
      </ul>
      <select
        aria-label={actionFormText.add}
        value=""
        onChange={(event) => change([...actions, newAction(event.target.value)])}
      >
        <option value="">{actionFormText.add}</option>
        {types.map((type) => (
          <option key={type} value={type}>
            {actionNames[type]}
          </option>
        ))}
      </select>
    </>
  )
}
