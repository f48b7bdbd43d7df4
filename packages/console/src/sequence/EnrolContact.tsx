import type { Contact, Sequence } from "@leadloom/client"
import { useState } from "react"
import { nameOf } from "../app/ContactNames.ts"
import { useMay } from "../app/Permissions.ts"
import { sequenceText } from "../text/sequence/Sequence.ts"
import { ContactChoice } from "../form/ContactChoice.tsx"
import { EnrolDialog } from "./EnrolDialog.tsx"

/** Enrols a contact that the person chooses in a sequence. */
export const EnrolContact = ({ sequence }: { readonly sequence: Sequence }) => {
  const [contact, setContact] = useState<Contact | null>(null)
  const [isChoosing, setChoosing] = useState(false)
  if (!useMay("sequences.enrol")) return null
  return (
    <>
      <button type="button" onClick={() => setChoosing(true)}>
        {sequenceText.enrol.button}
      </button>
      {isChoosing ? <ContactChoice onChoose={setContact} onClose={() => setChoosing(false)} /> : null}
      {contact === null ? null : (
        <EnrolDialog
          contact={{ contactId: contact.id, name: nameOf(contact) }}
          sequence={sequence}
          onClose={() => setContact(null)}
        />
      )}
    </>
  )
}
