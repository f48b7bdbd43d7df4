import type { AgentDraft, Contact, Conversation } from "@leadloom/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react"
import { type Command, useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { noticeFailure, noticeSuccess } from "../component/Notices.tsx"
import { conversationText } from "../text/Conversation.ts"
import { text } from "../text/Shared.ts"
import { contactOptions } from "../contact/ContactData.ts"
import { refreshConversation } from "../inbox/Cache.ts"
import styles from "./Composer.module.css"
import { createDraftKeeper, type DraftState, type WritingChannel } from "./DraftKeeper.ts"

const stateTexts: Readonly<Record<DraftState, string>> = {
  empty: "",
  saving: conversationText.composer.saving,
  saved: conversationText.composer.saved,
  unsaved: conversationText.composer.unsaved,
  changed: conversationText.composer.changed
}

/** Returns the channels on which the contact can be reached, the one of the newest message first. */
const channelsOf = ({ email, phone }: Contact, newest: string): ReadonlyArray<WritingChannel> => {
  const channels: ReadonlyArray<WritingChannel> = [
    ...(email === null ? [] : (["email"] as const)),
    ...(phone === null ? [] : (["sms"] as const))
  ]
  return channels.toSorted((one, other) => Number(other === newest) - Number(one === newest))
}

interface EditorProps {
  readonly contactId: string
  readonly channel: WritingChannel
  readonly stored: AgentDraft | null
}

const useDraft = ({ channel, contactId, stored }: EditorProps) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const [body, setBody] = useState(stored?.body ?? "")
  const [state, setState] = useState<DraftState>(stored === null ? "empty" : "saved")
  const keeper = useMemo(
    () => createDraftKeeper(connection, { channel, contactId, stored }, setState),
    [connection, channel, contactId, stored]
  )
  // The text of the last moments is stored when the person opens another conversation.
  useEffect(() => () => void keeper.flush().catch(() => undefined), [keeper])
  const write = (next: string): void => {
    setBody(next)
    keeper.write(next)
  }
  const { isPending, mutate: send } = useMutation({
    mutationFn: async () => {
      const draft = await keeper.flush()
      if (draft === null) return
      await connection.client.drafts.send(connection.tenantId, contactId, draft.draft_id, { version: draft.version })
    },
    onSuccess: async () => {
      noticeSuccess(conversationText.composer.sent)
      await queries.invalidateQueries({ queryKey: [connection.tenantId, "drafts", contactId] })
      await refreshConversation(queries, connection, contactId)
    },
    onError: (error) => noticeFailure(conversationText.composer.failed(problemText(error)))
  })
  return { body, state, write, send, isSending: isPending }
}

/** The field of one draft. */
const Editor = (props: EditorProps) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const { body, isSending, send, state, write } = useDraft(props)
  const focus: ReadonlyArray<Command> = useMemo(
    () => [{ label: text.commands.reply, hint: "r", pick: () => field.current?.focus() }],
    []
  )
  useOfferedCommands(focus)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && body.trim() !== "") send()
    if (event.key === "Escape") field.current?.blur()
  }
  return (
    <>
      <textarea
        ref={field}
        className={styles.field}
        rows={4}
        aria-label={conversationText.composer.label}
        value={body}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.foot}>
        <span role="status" className={styles.state}>
          {stateTexts[state]}
        </span>
        <button type="button" disabled={isSending || body.trim() === ""} onClick={() => send()}>
          {isSending ? conversationText.composer.sending : conversationText.composer.send}
        </button>
      </div>
    </>
  )
}

/** The composer of the open conversation. The server keeps one draft per channel. */
export const Composer = ({ row }: { readonly row: Conversation }) => {
  const connection = useConnection()
  const contactId = row.contact_id
  const [chosen, setChosen] = useState<WritingChannel | null>(null)
  const contact = useQuery(contactOptions(connection, contactId))
  const drafts = useQuery({
    queryKey: [connection.tenantId, "drafts", contactId],
    queryFn: ({ signal }) => connection.client.drafts.list(connection.tenantId, contactId, { signal }),
    // A draft that was read before the person opened another conversation may be out of date.
    gcTime: 0
  })
  if (contact.data === undefined || drafts.data === undefined) return null
  const channels = channelsOf(contact.data.contact, row.last_channel)
  const channel = chosen ?? channels[0]
  if (channel === undefined) return <p className={styles.unreachable}>{conversationText.composer.unreachable}</p>
  const stored = drafts.data.drafts.findLast((draft) => draft.channel === channel) ?? null
  return (
    <section className={styles.composer} aria-label={conversationText.composer.label}>
      <select
        aria-label={conversationText.composer.channel}
        value={channel}
        onChange={(event) => setChosen(event.target.value === "sms" ? "sms" : "email")}
      >
        {channels.map((one) => (
          <option key={one} value={one}>
            {text.channels[one]}
          </option>
        ))}
      </select>
      <Editor
        key={`${channel} ${stored?.draft_id ?? ""} ${drafts.dataUpdatedAt}`}
        contactId={contactId}
        channel={channel}
        stored={stored}
      />
    </section>
  )
}
