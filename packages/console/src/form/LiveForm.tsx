import { Fragment, type ReactNode, type SubmitEvent, useState } from "react"
import { text } from "../text/Shared.ts"
import { Unsaved } from "./Unsaved.tsx"

interface LiveFormProps {
  /** Connects a button outside the form with it. */
  readonly id?: string
  /** Changes whenever the stored values change. */
  readonly version: string
  readonly isSaving?: boolean
  readonly onSave: (data: FormData) => void
  readonly children: ReactNode
}

/** A form of stored values. It shows newer values when they arrive, unless the person has changed one. */
export const LiveForm = ({ children, id, isSaving = false, onSave, version }: LiveFormProps) => {
  const [isChanged, setChanged] = useState(false)
  const [shown, setShown] = useState(version)
  if (!isChanged && shown !== version) setShown(version)
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setChanged(false)
    onSave(new FormData(event.currentTarget, event.nativeEvent.submitter))
  }
  return (
    <form id={id} onInput={() => setChanged(true)} onSubmit={submit}>
      <Unsaved isChanged={isChanged} isInTab />
      <Fragment key={shown}>{children}</Fragment>
      <button type="submit" disabled={isSaving}>
        {text.save}
      </button>
    </form>
  )
}
