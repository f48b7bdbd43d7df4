import { text } from "../text/Shared.ts"
import styles from "./Palette.module.css"

/** The keys that arrived while the palette was loading. */
export interface Typed {
  readonly text: string
  /** Whether Enter followed the text. */
  readonly isEntered: boolean
}

const nothing: Typed = { text: "", isEntered: false }
let typed = nothing

/** Returns the keys that arrived while the palette was loading, once. */
export const takeTypedAhead = (): Typed => {
  const taken = typed
  typed = nothing
  return taken
}

/** Opens the dialog when it enters the document. The browser then returns the focus when it is closed. */
const open = (dialog: HTMLDialogElement) => {
  typed = nothing
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
        typed = { text: event.target.value, isEntered: false }
      }}
      onKeyDown={({ key }) => {
        if (key === "Enter") typed = { ...typed, isEntered: true }
      }}
    />
  </dialog>
)
