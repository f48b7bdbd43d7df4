import { Fragment, type ReactNode, type SubmitEvent, useState } from "react"
import { text } from "../text/Shared.ts"
import { Unsaved } from "./Unsaved.tsx"

interface LiveFormProps {
  /** Connects a button outside the form with it. */
  readonly id?: string
  /** Changes whenever the stored values change. */
  readonly version: string
  readonly isSaving?: boolean
  /** Saves the values, and calls the given function after the server has accepted them. */
  readonly onSave: (data: FormData, onSaved: () => void) => void
  readonly children: ReactNode
}

/**
 * A form of stored values. It shows newer values when they arrive, unless the person has changed one. A change is one until the
 * server has accepted it, so that a refusal loses nothing.
 */
export const LiveForm = ({ children, id, isSaving = false, onSave, version }: LiveFormProps) => {
  const [changes, setChanges] = useState(0)
  const [saved, setSaved] = useState(0)
  const [shown, setShown] = useState(version)
  const isChanged = changes !== saved
  if (!isChanged && shown !== version) setShown(version)
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    onSave(new FormData(event.currentTarget, event.nativeEvent.submitter), () => setSaved(changes))
  }
  return (
    <form id={id} onInput={() => setChanges((count) => count + 1)} onSubmit={submit}>
      <Unsaved isChanged={isChanged} isInTab />
      <Fragment key={shown}>{children}</Fragment>
      <button type="submit" disabled={isSaving}>
        {text.save}
      </button>
    </form>
  )
}
