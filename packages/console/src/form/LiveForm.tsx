import { type FormEvent, Fragment, type ReactNode, useState } from "react"
import { text } from "../text/Shared.ts"

interface LiveFormProps {
  /** Changes whenever the stored values change. */
  readonly version: string
  readonly isSaving?: boolean
  readonly onSave: (data: FormData) => void
  readonly children: ReactNode
}

/** A form of stored values. It shows newer values when they arrive, unless the person has changed one. */
export const LiveForm = ({ children, isSaving = false, onSave, version }: LiveFormProps) => {
  const [isChanged, setChanged] = useState(false)
  const [shown, setShown] = useState(version)
  if (!isChanged && shown !== version) setShown(version)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setChanged(false)
    onSave(new FormData(event.currentTarget))
  }
  return (
    <form onInput={() => setChanged(true)} onSubmit={submit}>
      <Fragment key={shown}>{children}</Fragment>
      <button type="submit" disabled={isSaving}>
        {text.save}
      </button>
    </form>
  )
}
