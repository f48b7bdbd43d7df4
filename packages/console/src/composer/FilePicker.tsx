import type { ChangeEvent } from "react"
import styles from "./FilePicker.module.css"

interface FilePickerProps {
  readonly label: string
  readonly onFiles: (files: ReadonlyArray<File>) => void
}

/** A button with which the person chooses files. It is the native control, so every keyboard and screen reader knows it. */
export const FilePicker = ({ label, onFiles }: FilePickerProps) => {
  const change = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(target.files ?? [])])
    // The same file can be chosen again after its removal.
    target.value = ""
  }
  return (
    <label className={styles.picker}>
      {label}
      <input type="file" multiple className={styles.input} onChange={change} />
    </label>
  )
}
