import { lazy, Suspense, useState } from "react"
import { useMay } from "../app/Permissions.ts"
import { sequenceText } from "../text/sequence/Sequence.ts"
import type { Enrollable } from "./SequenceData.ts"

const EnrolDialog = lazy(() => import("./EnrolDialog.tsx").then((module) => ({ default: module.EnrolDialog })))

/** Opens the dialog that enrols a contact in a sequence. Hidden from people who may not enrol contacts. */
export const EnrolButton = ({ contact }: { readonly contact: Enrollable }) => {
  const [isOpen, setOpen] = useState(false)
  if (!useMay("sequences.enrol")) return null
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {sequenceText.enrol.ofContact}
      </button>
      <Suspense fallback={null}>
        {isOpen ? <EnrolDialog contact={contact} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  )
}
