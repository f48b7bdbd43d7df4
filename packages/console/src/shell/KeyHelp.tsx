import { useState } from "react"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { text } from "../text/Shared.ts"
import { type Command, useCommands } from "../app/Commands.ts"
import { hasSingleKeys, keyName, setSingleKeys } from "../app/Keys.ts"
import styles from "./KeyHelp.module.css"

interface KeyHelpProps {
  /** The commands of the shell, which follow those of the page. */
  readonly commands: ReadonlyArray<Command>
  readonly onClose: () => void
}

/** Lists the keys of the pages that are shown, and turns the keys without Ctrl off. */
export const KeyHelp = ({ commands, onClose }: KeyHelpProps) => {
  const offered = useCommands()
  const [isOn, setOn] = useState(hasSingleKeys)
  const change = (next: boolean): void => {
    setSingleKeys(next)
    setOn(next)
  }
  return (
    <Dialog title={text.keys.title} onClose={onClose}>
      <dl className={styles.keys}>
        {[...offered, ...commands].map(({ hint, label }) =>
          hint === undefined ? null : (
            <div key={hint}>
              <dt>
                <kbd>{keyName(hint)}</kbd>
              </dt>
              <dd>{label}</dd>
            </div>
          )
        )}
      </dl>
      <label>
        <input type="checkbox" checked={isOn} onChange={(event) => change(event.target.checked)} /> {text.keys.single}
      </label>
      <DialogActions>
        <button type="button" onClick={onClose}>
          {text.keys.close}
        </button>
      </DialogActions>
    </Dialog>
  )
}
