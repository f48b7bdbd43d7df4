import type { Conversation } from "@leadloom/client"
import { lazy, useState } from "react"
import type { Choice } from "../dialog/Palette.tsx"
import { conversationText } from "../text/Conversation.ts"
import { useChange } from "../inbox/Change.ts"

const Palette = lazy(() => import("../dialog/Palette.tsx").then((module) => ({ default: module.Palette })))

interface TagEditorProps {
  readonly row: Conversation
  readonly onClose: () => void
}

/** Removes a tag of the conversation, or adds the typed one. */
export const TagEditor = ({ onClose, row }: TagEditorProps) => {
  const [typed, setTyped] = useState("")
  const change = useChange(row.contact_id)
  const tag = typed.trim()
  const present = row.tags.map((one): Choice => ({
    label: conversationText.tags.remove(one),
    pick: () => change({ tags: row.tags.filter((other) => other !== one) })
  }))
  const added: ReadonlyArray<Choice> =
    tag === "" || row.tags.includes(tag)
      ? []
      : [{ label: conversationText.tags.add(tag), pick: () => change({ tags: [...row.tags, tag] }) }]
  return (
    <Palette
      title={conversationText.tags.title}
      choices={[...added, ...present]}
      onQuery={setTyped}
      onClose={onClose}
    />
  )
}
