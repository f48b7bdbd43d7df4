/**
 * Modal dialogs: with any content, with a question, and with entries to pick. They know neither the API nor a page.
 * Tests: `packages/console/test`.
 */
import { type ReactNode, useId, useLayoutEffect, useRef } from "react"
import styles from "./Dialog.module.css"

interface DialogProps {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}

/** A modal dialog that is open while it is rendered. Escape closes it, and the focus returns to where it was. */
export const Dialog = ({ children, onClose, title }: DialogProps) => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
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
        onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

/** The buttons at the end of a dialog. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
)
