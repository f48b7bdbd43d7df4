import { text } from "../text/Shared.ts"
import styles from "./Palette.module.css"

let typed = ""

/** Returns the text that was typed while the palette was loading, once. */
export const takeTypedAhead = (): string => {
  const taken = typed
  typed = ""
  return taken
}

/** Opens the dialog when it enters the document. The browser then returns the focus when it is closed. */
const open = (dialog: HTMLDialogElement) => {
  typed = ""
  dialog.showModal()
  return () => dialog.close()
}

/** Takes the keys while a palette is loading. Otherwise, they would go to the field below, or get lost. */
export const TypedAhead = ({ onClose }: { readonly onClose: () => void }) => (
  <dialog ref={open} className={styles.palette} aria-label={text.problem.loading} onCancel={onClose}>
    <input
      className={styles.input}
      aria-label={text.palette.input}
      onChange={(event) => {
        typed = event.target.value
      }}
    />
  </dialog>
)
