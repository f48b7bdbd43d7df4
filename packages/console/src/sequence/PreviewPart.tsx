import type { Contact, Sequence } from "@leadloom/client"
import { useState } from "react"
import { nameOf } from "../app/ContactNames.ts"
import { Section } from "../component/Page.tsx"
import { sequenceText } from "../text/sequence/Sequence.ts"
import { ContactChoice } from "../form/ContactChoice.tsx"
import { Preview } from "./Preview.tsx"

const { preview: shown } = sequenceText

/** Shows the saved steps for a contact that the person chooses. */
export const PreviewPart = ({ sequence }: { readonly sequence: Sequence }) => {
  const [contact, setContact] = useState<Contact | null>(null)
  const [isChoosing, setChoosing] = useState(false)
  return (
    <Section title={contact === null ? shown.title : shown.for(nameOf(contact))}>
      <p>{shown.help}</p>
      <p>
        <button type="button" onClick={() => setChoosing(true)}>
          {shown.choose}
        </button>
      </p>
      {contact === null ? null : <Preview key={contact.id} sequence={sequence} contactId={contact.id} />}
      {isChoosing ? <ContactChoice onChoose={setContact} onClose={() => setChoosing(false)} /> : null}
    </Section>
  )
}
