import { lazy, Suspense, useState } from "react"
import { useMay } from "../../app/Permissions.ts"
import { callText } from "../../text/Call.ts"
import type { Callable } from "./CallData.ts"

/** Loads the dialog when it is first opened. */
export const LazyCallDialog = lazy(() => import("./CallDialog.tsx").then((module) => ({ default: module.CallDialog })))

/** Opens the dialog that calls a contact. Hidden from people who may not call. */
export const CallButton = (contact: Callable) => {
  const [isOpen, setOpen] = useState(false)
  if (!useMay("calls.outbound")) return null
  return (
    <>
      <button type="button" aria-label={callText.place.title(contact.name)} onClick={() => setOpen(true)}>
        {callText.place.short}
      </button>
      <Suspense fallback={null}>
        {isOpen ? <LazyCallDialog contact={contact} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  )
}
