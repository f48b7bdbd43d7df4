import { useMutation } from "@tanstack/react-query"
import { createContext, type FormEvent, type ReactNode, useContext, useMemo, useState } from "react"
import { issuesOf, reasonText } from "../app/RejectedFields.ts"
import { type Control, Field } from "../component/Field.tsx"
import { noticeFailure } from "../component/Notices.tsx"
import blocks from "../design/Blocks.module.css"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { text } from "../text/Shared.ts"

/** Why values are invalid, by the names of their fields. */
export type Reasons = Readonly<Record<string, string>>

const noReasons: Reasons = {}

const Refused = createContext(noReasons)

interface NamedFieldProps {
  /** The name of the field in the form and in the API. */
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  /** Renders the control with the given attributes. */
  readonly children: (control: Control & { readonly name: string }) => ReactNode
}

/** A field of a form that is sent. It shows why its value was refused. */
export const NamedField = ({ children, hint, label, name }: NamedFieldProps) => (
  <Field label={label} hint={hint} error={useContext(Refused)[name]}>
    {(control) => children({ ...control, name })}
  </Field>
)

/** What a form sends, and what happens then. */
interface Sending<Output> {
  /** The text of the button that sends the form. */
  readonly action: string
  /** Whether the form can be sent. Default: true. */
  readonly isReady?: boolean
  /** Returns why values are invalid. The form is then not sent. */
  readonly check?: (data: FormData) => Reasons
  readonly send: (data: FormData) => Promise<Output>
  /** The server has accepted the form. */
  readonly onDone?: (output: Output) => unknown
  /** Returns the text about a refusal. Default: it was not saved. */
  readonly failed?: ((reason: string) => string) | undefined
  readonly children?: ReactNode
}

interface SentFormProps<Output> extends Sending<Output> {
  /** The server has accepted the form, and it is still shown. */
  readonly onSaved: (output: Output, form: HTMLFormElement) => void
  readonly onChange?: (data: FormData) => void
  /** Adds a button that gives up, for a form in a dialog. */
  readonly onCancel?: () => void
}

/**
 * A form whose values stay until the server accepts them. While the request runs, it cannot be sent again. After a refusal, it
 * says why and marks the fields that the server names.
 */
export const SentForm = <Output,>({ failed = text.notSaved, isReady = true, ...props }: SentFormProps<Output>) => {
  const { action, check, children, onCancel, onChange, onDone, onSaved, send } = props
  const [invalid, setInvalid] = useState(noReasons)
  const { error, isPending, mutate } = useMutation<Output, Error, HTMLFormElement>({
    mutationFn: (form) => send(new FormData(form)),
    // The person may have closed the form while the request was running, and opened another one.
    onSuccess: (output, form) => {
      if (form.isConnected) onSaved(output, form)
      return onDone?.(output)
    },
    onError: (cause, form) => form.isConnected || noticeFailure(failed(reasonText(cause)))
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const reasons = check?.(new FormData(form)) ?? noReasons
    setInvalid(reasons)
    if (!isPending && Object.keys(reasons).length === 0) mutate(form)
  }
  const refused = useMemo(
    () => ({ ...Object.fromEntries(issuesOf(error).map(({ message, path }) => [path, message])), ...invalid }),
    [error, invalid]
  )
  const button = (
    <button type="submit" disabled={isPending || !isReady} aria-busy={isPending}>
      {action}
    </button>
  )
  return (
    <form onSubmit={submit} onChange={(event) => onChange?.(new FormData(event.currentTarget))}>
      <Refused value={refused}>{children}</Refused>
      {error === null ? null : (
        <p role="alert" className={blocks.error}>
          {failed(reasonText(error))}
        </p>
      )}
      {onCancel === undefined ? (
        button
      ) : (
        <DialogActions>
          <button type="button" onClick={onCancel}>
            {text.confirm.cancel}
          </button>
          {button}
        </DialogActions>
      )}
    </form>
  )
}

interface FormDialogProps<Output> extends Sending<Output> {
  readonly title: string
  readonly onClose: () => void
}

/** A dialog with a form. It closes when the server has accepted the form, so that a refusal loses no text. */
export const FormDialog = <Output,>({ onClose, title, ...sending }: FormDialogProps<Output>) => (
  <Dialog title={title} onClose={onClose}>
    <SentForm {...sending} onSaved={onClose} onCancel={onClose} />
  </Dialog>
)
