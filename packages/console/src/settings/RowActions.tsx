import { useConnection } from "../app/Connection.ts"
import { settingsText } from "../text/Settings.ts"
import type { Action } from "./Listing.ts"
import styles from "./Settings.module.css"

interface RowActionsProps {
  readonly actions: ReadonlyArray<Action>
  /** The name of the row. */
  readonly name: string
  readonly onAsk: (action: Action) => void
}

/** The buttons of a row. Forbidden changes are hidden. */
export const RowActions = ({ actions, name, onAsk }: RowActionsProps) => {
  const { permitted } = useConnection()
  return (
    <div className={styles.actions}>
      {actions
        .filter(({ operation }) => permitted.has(operation))
        .map((action) => (
          <button
            key={action.label}
            type="button"
            aria-label={settingsText.actionOn(action.label, name)}
            onClick={() => onAsk(action)}
          >
            {action.label}
          </button>
        ))}
    </div>
  )
}
