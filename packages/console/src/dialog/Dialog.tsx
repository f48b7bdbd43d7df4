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
  /** Whether Escape asks before it discards a typed text. Default: true. */
  readonly asks?: boolean
  readonly onClose: () => void
}

/** A field in which a person types. */
type TextField = HTMLInputElement | HTMLTextAreaElement

/** A search, a field that proposes values and a choice contain no text of the person. */
const typedFields =
  "textarea:not([readonly]), input:not([type=checkbox], [type=radio], [type=search], [role=combobox], [list], [readonly])"

const isTypedField = (target: EventTarget | null): target is TextField =>
  target instanceof Element && target.matches(typedFields)

/**
 * Opens the dialog while it is rendered. Returns the dialog, and the function that tells whether it contains a text that
 * the person has typed. `defaultValue` cannot tell it, because React changes it together with the value of a controlled
 * field, so the value that a field has at its first focus is compared.
 */
const useOpen = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const [former] = useState(() => new WeakMap<TextField, string>())
  useLayoutEffect(() => {
    const shown = dialog.current
    const note = ({ target }: FocusEvent): void => {
      if (isTypedField(target) && !former.has(target)) former.set(target, target.value)
    }
    shown?.addEventListener("focusin", note)
    shown?.showModal()
    // The browser returns the focus when a dialog is closed, but not when it is removed from the document.
    return () => {
      shown?.removeEventListener("focusin", note)
      shown?.close()
    }
  }, [former])
  const hasTyped = (): boolean =>
    [...(dialog.current?.querySelectorAll<TextField>(typedFields) ?? [])].some(
      (field) => former.has(field) && field.value.trim() !== "" && field.value !== former.get(field)
    )
  return { dialog, hasTyped }
}

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
 * has typed a text into it, Escape asks first.
 */
export const Dialog = ({ asks = true, children, onClose, title }: DialogProps) => {
  const id = useId()
  const [isAsking, setAsking] = useState(false)
  const { dialog, hasTyped } = useOpen()
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (event.target !== event.currentTarget) return
        if (asks && hasTyped()) setAsking(true)
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
