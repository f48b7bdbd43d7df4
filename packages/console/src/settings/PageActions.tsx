import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { ActionDialog } from "./ActionDialog.tsx"
import type { Action } from "./Listing.ts"

interface PageActionsProps {
  readonly actions: ReadonlyArray<Action>
  readonly onDone: () => void
}

/** The buttons of a page, and the dialog of a change. Forbidden changes are hidden. */
export const PageActions = ({ actions, onDone }: PageActionsProps) => {
  const { permitted } = useConnection()
  const [asked, setAsked] = useState<Action | null>(null)
  return (
    <>
      {actions
        .filter(({ operation }) => permitted.has(operation))
        .map((action) => (
          <button key={action.label} type="button" onClick={() => setAsked(action)}>
            {action.label}
          </button>
        ))}
      {asked === null ? null : <ActionDialog action={asked} onDone={onDone} onClose={() => setAsked(null)} />}
    </>
  )
}
