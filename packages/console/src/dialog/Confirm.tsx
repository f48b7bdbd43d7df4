import { type FormEvent, useState } from "react"
import { text } from "../text/Shared.ts"
import { Dialog, DialogActions } from "./Dialog.tsx"
import { Field } from "../component/Field.tsx"

interface ConfirmProps {
  readonly title: string
  /** The consequence of the action. */
  readonly message: string
  /** The text of the button that confirms. */
  readonly action: string
  /** The word that the person has to type before the button works, for an action that cannot be undone. */
  readonly typed?: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before an action. */
export const Confirm = ({ action, message, onClose, onConfirm, title, typed }: ConfirmProps) => {
  const [word, setWord] = useState("")
  const confirm = (event: FormEvent): void => {
    event.preventDefault()
    onClose()
    onConfirm()
  }
  return (
    <Dialog title={title} asks={false} onClose={onClose}>
      <form onSubmit={confirm}>
        <p>{message}</p>
        {typed === undefined ? null : (
          <Field label={text.confirm.type(typed)}>
            {(control) => (
              <input {...control} autoComplete="off" value={word} onChange={(event) => setWord(event.target.value)} />
            )}
          </Field>
        )}
        <DialogActions>
          <button type="button" onClick={onClose}>
            {text.confirm.cancel}
          </button>
          <button type="submit" disabled={typed !== undefined && word.trim() !== typed}>
            {action}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
