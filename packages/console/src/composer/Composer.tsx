import type { AgentDraft, Message } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { type Command, useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { useMay } from "../app/Permissions.ts"
import { Loading } from "../component/Problem.tsx"
import { contactOptions } from "../contact/ContactData.ts"
import { composerText } from "../text/Composer.ts"
import { text } from "../text/Shared.ts"
import { type Channels, channelsOf } from "./Channels.ts"
import styles from "./Composer.module.css"
import type { WritingChannel } from "./DraftContent.ts"
import { type DraftKeeper, openKeeper } from "./DraftKeeper.ts"
import { NoteEditor } from "./NoteEditor.tsx"
import { Others } from "./Others.tsx"
import { ReplyEditor } from "./ReplyEditor.tsx"

type Mode = WritingChannel | "note"

interface KeepersProps {
  readonly contactId: string
  readonly channels: ReadonlyArray<WritingChannel>
  readonly drafts: ReadonlyArray<AgentDraft>
}

/** Opens a keeper per channel, so that no draft is lost when the person changes the channel or the conversation. */
const useKeepers = ({ channels, contactId, drafts }: KeepersProps): ReadonlyMap<Mode, DraftKeeper> => {
  const connection = useConnection()
  const [keepers] = useState(
    () =>
      new Map<Mode, DraftKeeper>(
        channels.map((channel) => {
          const stored = drafts.findLast((draft) => draft.channel === channel) ?? null
          return [channel, openKeeper(connection, { contactId, channel, stored })]
        })
      )
  )
  // The text of the last moments is stored when the person opens another conversation.
  useEffect(
    () => () => {
      for (const keeper of keepers.values()) void keeper.flush().catch(() => undefined)
    },
    [keepers]
  )
  return keepers
}

const Modes = ({ modes, mode, onMode }: ModesProps) => (
  <div className={styles.modes} role="group" aria-label={composerText.mode}>
    {modes.map((one) => (
      <button key={one} type="button" aria-pressed={one === mode} onClick={() => onMode(one)}>
        {composerText.modes[one]}
      </button>
    ))}
  </div>
)

interface ModesProps {
  readonly modes: ReadonlyArray<Mode>
  readonly mode: Mode
  readonly onMode: (mode: Mode) => void
}

type OpenProps = KeepersProps & Pick<Channels, "isFirstEmail"> & Pick<ComposerProps, "onTyping">

const OpenComposer = ({ isFirstEmail, onTyping, ...props }: OpenProps) => {
  const { channels, contactId } = props
  const section = useRef<HTMLElement>(null)
  const [mode, setMode] = useState<Mode>(channels[0] ?? "note")
  const keepers = useKeepers(props)
  const keeper = keepers.get(mode)
  const write = useCallback((next: Mode): void => {
    const focus = (): void => {
      const field = section.current?.querySelector("textarea")
      if (field === null || field === undefined || document.activeElement === field) return
      field.focus()
      field.setSelectionRange(field.value.length, field.value.length)
    }
    // The field gets the focus at once. The next letters would otherwise be keys, and `a` would send a waiting reply.
    flushSync(() => setMode(next))
    focus()
    // The palette, which also offers the command, gives the focus back when it closes.
    requestAnimationFrame(focus)
  }, [])
  const commands = useMemo((): ReadonlyArray<Command> => {
    const [first] = channels
    const reply = (): void => write(mode === "note" && first !== undefined ? first : mode)
    return [
      ...(first === undefined ? [] : [{ label: text.commands.reply, hint: "r", pick: reply }]),
      { label: composerText.note.label, hint: "shift+n", pick: () => write("note") }
    ]
  }, [channels, mode, write])
  useOfferedCommands(commands)
  return (
    <section ref={section} className={styles.composer} aria-label={composerText.label} onInput={onTyping}>
      {channels.length === 0 ? <p className={styles.state}>{composerText.unreachable}</p> : null}
      <Others contactId={contactId} states={["typing"]} />
      <Modes modes={[...channels, "note"]} mode={mode} onMode={write} />
      {keeper === undefined || mode === "note" ? (
        <NoteEditor contactId={contactId} />
      ) : (
        <ReplyEditor key={mode} contactId={contactId} channel={mode} keeper={keeper} needsSubject={isFirstEmail} />
      )}
    </section>
  )
}

interface ComposerProps {
  readonly contactId: string
  /** The shown messages, oldest first. */
  readonly messages: ReadonlyArray<Message>
  /** Tells colleagues that the person types. */
  readonly onTyping: () => void
}

const noChannels: Channels = { channels: [], isFirstEmail: false }

/** The composer of the open conversation. The server keeps one draft per channel. */
export const Composer = ({ contactId, messages, onTyping }: ComposerProps) => {
  const connection = useConnection()
  const contact = useQuery(contactOptions(connection, contactId))
  const drafts = useQuery({
    queryKey: [connection.tenantId, "drafts", contactId],
    queryFn: ({ signal }) => connection.client.drafts.list(connection.tenantId, contactId, { signal }),
    // A draft that was read before the person opened another conversation may be out of date.
    gcTime: 0
  })
  const [maySend, mayNote] = [useMay("drafts.send"), useMay("notes.create")]
  const reachable = maySend ? contact.data?.contact : undefined
  const { channels, isFirstEmail } = useMemo(
    () => (reachable === undefined ? noChannels : channelsOf(reachable, messages)),
    [reachable, messages]
  )
  if (!maySend && !mayNote) return null
  if (contact.data === undefined) return <Loading />
  return (
    <Loaded query={drafts}>
      {(data) => (
        <OpenComposer
          key={`${contactId} ${[...channels].toSorted().join(" ")}`}
          contactId={contactId}
          channels={channels}
          isFirstEmail={isFirstEmail}
          drafts={data.drafts}
          onTyping={onTyping}
        />
      )}
    </Loaded>
  )
}
