import type { Contact } from "@leadloom/client"
import { lazy, Suspense, useState } from "react"
import { contactChoice, useMatchingContacts } from "../app/FindContacts.ts"
import { TypedAhead } from "../dialog/TypedAhead.tsx"
import { text } from "../text/Shared.ts"

const Palette = lazy(() => import("../dialog/Palette.tsx").then((module) => ({ default: module.Palette })))

interface ContactChoiceProps {
  readonly onChoose: (contact: Contact) => void
  readonly onClose: () => void
}

const Found = ({ onChoose, onClose }: ContactChoiceProps) => {
  const [typed, setTyped] = useState("")
  const choices = useMatchingContacts(typed).map((contact) => contactChoice(contact, () => onChoose(contact)))
  return <Palette title={text.chooseContact} choices={choices} onQuery={setTyped} onClose={onClose} />
}

/** Finds a contact by name, address or digits of a number. */
export const ContactChoice = (props: ContactChoiceProps) => (
  <Suspense fallback={<TypedAhead onClose={props.onClose} />}>
    <Found {...props} />
  </Suspense>
)
