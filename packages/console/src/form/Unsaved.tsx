import { useBlocker } from "@tanstack/react-router"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { text } from "../text/Shared.ts"

interface Place {
  readonly pathname: string
  readonly search: object
}

const tabOf = ({ search }: Place): unknown => ("tab" in search ? search.tab : undefined)

interface Step {
  readonly current: Place
  readonly next: Place
}

/** Another part of the address of the same page keeps the changes. The end of a session asks for no confirmation. */
const losesPage = ({ current, next }: Step): boolean =>
  next.pathname !== current.pathname && next.pathname !== "/sign-in"

const losesTab = (step: Step): boolean => losesPage(step) || tabOf(step.next) !== tabOf(step.current)

interface UnsavedProps {
  readonly isChanged: boolean
  /** Whether the changes belong to a tab of the page, so that another tab loses them. */
  readonly isInTab?: boolean
}

/**
 * Asks before a person leaves a page with unsaved changes. A form renders it while it has such changes. The browser asks
 * with its own words before the tab is closed or loaded again.
 */
export const Unsaved = ({ isChanged, isInTab = false }: UnsavedProps) => {
  const blocker = useBlocker({
    shouldBlockFn: isInTab ? losesTab : losesPage,
    enableBeforeUnload: isChanged,
    disabled: !isChanged,
    withResolver: true
  })
  if (blocker.status !== "blocked") return null
  return (
    <Dialog title={text.unsaved.title} onClose={blocker.reset}>
      <p>{text.unsaved.message}</p>
      <DialogActions>
        <button type="button" onClick={blocker.reset}>
          {text.unsaved.stay}
        </button>
        <button type="button" onClick={blocker.proceed}>
          {text.unsaved.leave}
        </button>
      </DialogActions>
    </Dialog>
  )
}
