import { useQueryClient } from "@tanstack/react-query"
import { type KeyboardEvent, lazy, Suspense, useRef, useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { useUserNames } from "../app/Users.ts"
import type { Choice } from "../dialog/Palette.tsx"
import { TypedAhead } from "../dialog/TypedAhead.tsx"
import { composerText } from "../text/Composer.ts"
import styles from "./Composer.module.css"
import { insertText, isAtWordStart } from "./InsertText.ts"
import { withMentions } from "./Mentions.ts"
import { notesOptions } from "./Notes.ts"

const Palette = lazy(() => import("../dialog/Palette.tsx").then((module) => ({ default: module.Palette })))

/** Keeps the text of an unfinished note in this tab. The server has no drafts of notes. */
const useNoteText = (contactId: string) => {
  const place = `leadloom.note.${useConnection().tenantId}.${contactId}`
  const [body, setBody] = useState(() => sessionStorage.getItem(place) ?? "")
  const write = (next: string): void => {
    setBody(next)
    if (next === "") sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, next)
  }
  return { body, write }
}

const useAddNote = (contactId: string, onAdded: () => void) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  return useAction((body: string) => client.notes.create(tenantId, contactId, { body }), {
    onSuccess: (note) => {
      onAdded()
      queries.setQueryData(notesOptions(connection, contactId).queryKey, (notes) => [
        note,
        ...(notes ?? []).filter(({ id }) => id !== note.id)
      ])
    }
  })
}

/** The field of a private note. It has no way to send a message. */
export const NoteEditor = ({ contactId }: { readonly contactId: string }) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const [isPicking, setPicking] = useState(false)
  const users = useUserNames()
  const { body, write } = useNoteText(contactId)
  const [mutate, isPending] = useAddNote(contactId, () => write(""))
  const add = (): void => {
    if (body.trim() === "") field.current?.focus()
    else if (!isPending) mutate(withMentions(body, users))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) add()
    else if (event.key === "@" && isAtWordStart(field.current)) {
      event.preventDefault()
      setPicking(true)
    } else if (event.key === "Escape") field.current?.blur()
  }
  const choices = [...users.values()].map((name): Choice => ({
    label: name,
    pick: () => write(insertText(field.current, `@${name} `))
  }))
  return (
    <div className={styles.note}>
      <textarea
        ref={field}
        className={styles.field}
        rows={4}
        maxLength={10_000}
        aria-label={composerText.note.label}
        placeholder={composerText.note.placeholder}
        value={body}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.foot}>
        <span className={styles.state}>{composerText.note.hint}</span>
        <button type="button" aria-disabled={isPending || body.trim() === ""} onClick={add}>
          {composerText.note.add}
        </button>
      </div>
      <Suspense fallback={isPicking ? <TypedAhead onClose={() => setPicking(false)} /> : null}>
        {isPicking ? (
          <Palette title={composerText.note.mention} choices={choices} onClose={() => setPicking(false)} />
        ) : null}
      </Suspense>
    </div>
  )
}
