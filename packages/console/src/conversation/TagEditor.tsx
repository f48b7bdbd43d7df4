import type { Conversation } from "@leadloom/client"
import { useQueryClient } from "@tanstack/react-query"
import { lazy, useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { cachedRows } from "../inbox/Cache.ts"
import type { Choice } from "../dialog/Palette.tsx"
import { conversationText } from "../text/Conversation.ts"
import { useChange } from "../inbox/Change.ts"

const Palette = lazy(() => import("../dialog/Palette.tsx").then((module) => ({ default: module.Palette })))

/** More tags than these are found by typing. */
const maxKnown = 50

/** Returns the tags of the conversations that this tab has read. The API has no list of tags. */
const useKnownTags = (): ReadonlyArray<string> => {
  const queries = useQueryClient()
  const { tenantId } = useConnection()
  const [tags] = useState(() => [...new Set(cachedRows(queries, tenantId).flatMap((row) => row.tags))])
  return tags.toSorted((one, other) => one.localeCompare(other)).slice(0, maxKnown)
}

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
  const others = useKnownTags()
    .filter((one) => one !== tag && !row.tags.includes(one))
    .map((one): Choice => ({
      label: conversationText.tags.add(one),
      pick: () => change({ tags: [...row.tags, one] })
    }))
  return (
    <Palette
      title={conversationText.tags.title}
      hint={conversationText.tags.hint}
      choices={[...added, ...others, ...present]}
      onQuery={setTyped}
      onClose={onClose}
    />
  )
}
