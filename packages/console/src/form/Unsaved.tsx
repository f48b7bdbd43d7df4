import { useBlocker } from "@tanstack/react-router"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { text } from "../text/Shared.ts"

interface Place {
  readonly pathname: string
}

/** Another part of the address of the same page keeps the changes. The end of a session asks for no confirmation. */
const loses = ({ current, next }: { readonly current: Place; readonly next: Place }): boolean =>
  next.pathname !== current.pathname && next.pathname !== "/sign-in"

/**
 * Asks before a person leaves a page with unsaved changes. A form renders it while it has such changes. The browser asks
 * with its own words before the tab is closed or loaded again.
 */
export const Unsaved = ({ isChanged }: { readonly isChanged: boolean }) => {
  const blocker = useBlocker({
    shouldBlockFn: loses,
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
