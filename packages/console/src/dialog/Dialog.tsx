/**
 * Modal dialogs: with any content, with a question, and with entries to pick. They know neither the API nor a page.
 * Tests: `packages/console/test`.
 */
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react"
import { discardText } from "../text/dialog/Discard.ts"
import styles from "./Dialog.module.css"

interface DialogProps {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}

const typedFields = "textarea, input:not([type=checkbox], [type=radio], [type=search], [readonly])"

/** Returns whether a form in the dialog contains a text that the person has typed. */
const hasTyped = (dialog: HTMLDialogElement): boolean =>
  [...dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(typedFields)].some(
    ({ defaultValue, value }) => value.trim() !== "" && value !== defaultValue
  )

interface DiscardProps {
  readonly onStay: () => void
  readonly onDiscard: () => void
}

/** Asks before Escape discards what the person has typed. */
const Discard = ({ onDiscard, onStay }: DiscardProps) => (
  <Dialog title={discardText.title} onClose={onStay}>
    <DialogActions>
      <button type="button" onClick={onStay}>
        {discardText.stay}
      </button>
      <button type="button" onClick={onDiscard}>
        {discardText.discard}
      </button>
    </DialogActions>
  </Dialog>
)

/**
 * A modal dialog that is open while it is rendered. Escape closes it, and the focus returns to where it was. If the person
 * has typed into a form, Escape asks first.
 */
export const Dialog = ({ children, onClose, title }: DialogProps) => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isAsking, setAsking] = useState(false)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // The browser returns the focus when a dialog is closed, but not when it is removed from the document.
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (event.target !== event.currentTarget) return
        if (hasTyped(event.currentTarget)) setAsking(true)
        else onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      {isAsking ? <Discard onStay={() => setAsking(false)} onDiscard={onClose} /> : null}
    </dialog>
  )
}

/** The buttons at the end of a dialog. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
)
