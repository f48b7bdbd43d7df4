import { useState } from "react"
import { type Connection, useConnection } from "../app/Connection.ts"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { type Control, Field } from "../component/Field.tsx"
import { noticeSuccess } from "../component/Notices.tsx"
import { NamedField, SentForm } from "../form/FormDialog.tsx"
import { settingsText } from "../text/Settings.ts"
import { text } from "../text/Shared.ts"
import type { Action, FormField, Values } from "./Listing.ts"
import styles from "./Settings.module.css"
import { linesOf } from "./Values.ts"

/** A group of checkboxes. The label of a single control could not name all of them. */
const Choices = ({ field: { initial, label, name, options } }: { readonly field: FormField }) => {
  const selected = new Set(linesOf(initial))
  return (
    <fieldset className={styles.choices}>
      <legend>{label}</legend>
      {Object.entries(options ?? {}).map(([value, shown]) => (
        <label key={value}>
          <input type="checkbox" name={name} value={value} defaultChecked={selected.has(value)} /> {shown}
        </label>
      ))}
    </fieldset>
  )
}

const ControlOf = ({ control, field }: { readonly control: Control; readonly field: FormField }) => {
  const { initial = "", isRequired = true, options, type = "text" } = field
  const shared = { ...control, defaultValue: initial, autoComplete: "off" }
  if (options !== undefined)
    return (
      <select {...shared}>
        {Object.entries(options).map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    )
  if (type === "textarea") return <textarea {...shared} required={isRequired} rows={5} />
  return <input {...shared} required={isRequired} type={type} step={type === "number" ? "any" : undefined} />
}

/** Returns the values that a form has when it opens. A selection without an initial value has its first option. */
const initialValues = (fields: ReadonlyArray<FormField>): Values =>
  Object.fromEntries(fields.map(({ initial, name, options }) => [name, initial ?? Object.keys(options ?? {})[0] ?? ""]))

const isShown = ({ onlyFor }: FormField, values: Values): boolean =>
  onlyFor === undefined || onlyFor.values.includes(values[onlyFor.field] ?? "")

const valuesOf = (data: FormData): Values => {
  const valueOf = (name: string): string => data.getAll(name).map(String).join("\n").trim()
  return Object.fromEntries([...new Set(data.keys())].map((name) => [name, valueOf(name)]))
}

/** Shows a secret, which the server does not show again. */
const Secret = ({ onClose, secret }: { readonly secret: string; readonly onClose: () => void }) => (
  <Dialog title={settingsText.secret.title} onClose={onClose}>
    <p>{settingsText.secret.message}</p>
    <Field label={settingsText.secret.label}>
      {(control) => <input {...control} readOnly value={secret} onFocus={(event) => event.target.select()} />}
    </Field>
    <DialogActions>
      <button type="button" onClick={onClose}>
        {settingsText.secret.done}
      </button>
    </DialogActions>
  </Dialog>
)

interface ActionDialogProps {
  readonly action: Action
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks before a change, with the fields of the change. A refused change keeps the dialog with its values open. */
export const ActionDialog = ({ action, onClose, onDone }: ActionDialogProps) => {
  const connection: Connection = useConnection()
  const { fields = [] } = action
  const message = typeof action.message === "function" ? action.message(connection.userId) : action.message
  const [values, setValues] = useState(() => initialValues(fields))
  const [secret, setSecret] = useState<string | null>(null)
  const save = (shown: string | null): void => {
    if (shown !== null) return setSecret(shown)
    noticeSuccess(text.saved)
    onClose()
  }
  if (secret !== null) return <Secret secret={secret} onClose={onClose} />
  return (
    <Dialog title={action.label} onClose={onClose}>
      <SentForm
        action={action.label}
        failed={action.failed}
        send={(data) => action.send(connection, valuesOf(data))}
        onDone={onDone}
        onSaved={save}
        onChange={(data) => setValues(valuesOf(data))}
        onCancel={onClose}
      >
        {message === undefined ? null : <p>{message}</p>}
        {fields
          .filter((field) => isShown(field, values))
          .map((field) =>
            field.isMultiple === true ? (
              <Choices key={field.name} field={field} />
            ) : (
              <NamedField key={field.name} name={field.name} label={field.label} hint={field.hint}>
                {(control) => <ControlOf control={control} field={field} />}
              </NamedField>
            )
          )}
      </SentForm>
    </Dialog>
  )
}
