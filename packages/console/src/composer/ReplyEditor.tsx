import { TypedAhead } from "../dialog/TypedAhead.tsx"
import { maxOutgoingTextLength, segmentsOf } from "@leadloom/core/internal/domain/conversation/OutgoingText"
import { useQuery } from "@tanstack/react-query"
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore
} from "react"
import { flushSync } from "react-dom"
import { useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { keyName } from "../app/Keys.ts"
import { useMay } from "../app/Permissions.ts"
import { FilePicker } from "./FilePicker.tsx"
import { composerText } from "../text/Composer.ts"
import { text } from "../text/Shared.ts"
import { useAttachments } from "./Attach.ts"
import { Attachments } from "./Attachments.tsx"
import styles from "./Composer.module.css"
import { type DraftContent, isEmpty, type WritingChannel } from "./DraftContent.ts"
import type { DraftKeeper, DraftState } from "./DraftKeeper.ts"
import { EmailFields } from "./EmailFields.tsx"
import { insertText, isAtWordStart } from "./InsertText.ts"
import { excessOf, obstacleOf } from "./Obstacle.ts"
import { type Timing, useSend } from "./Send.ts"

const CannedReplies = lazy(() => import("./CannedReplies.tsx").then((module) => ({ default: module.CannedReplies })))
const SendLater = lazy(() => import("./SendLater.tsx").then((module) => ({ default: module.SendLater })))

const stateTexts: Readonly<Record<DraftState, string>> = {
  empty: "",
  saving: composerText.saving,
  saved: composerText.saved,
  unsaved: composerText.unsaved,
  changed: composerText.changed
}

/** The signature that the server appends to an email of the person. */
const Signature = () => {
  const { client, tenantId, userId } = useConnection()
  const me = useQuery({
    queryKey: [tenantId, "me"],
    queryFn: ({ signal }) => client.users.me(tenantId, { signal }),
    enabled: userId !== null
  })
  const signature = me.data?.signature ?? null
  if (signature === null) return null
  return (
    <details className={styles.more}>
      <summary>{composerText.signature}</summary>
      <p className={styles.signature}>{signature}</p>
    </details>
  )
}

/** The length of a text message, or by how much it exceeds the limit. */
const Segments = ({ content }: { readonly content: DraftContent }) => {
  const { segments, units } = segmentsOf(content.body)
  const excess = excessOf("sms", content)
  if (excess > 0)
    return (
      <span role="alert" className={styles.obstacle}>
        {composerText.tooLong(maxOutgoingTextLength, excess)}
      </span>
    )
  return (
    <span className={styles.state}>
      {/* An empty text is not sent, so it has no segment. */}
      {units === 0 ? composerText.characters(units) : composerText.segments(units, segments)}
    </span>
  )
}

type Opened = "canned" | "later" | null

type Editing = EditorProps & {
  readonly content: DraftContent
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly isUploading: boolean
  readonly open: (opened: Opened) => void
}

/** Returns what sends the draft, and why it cannot be sent yet. */
const useSending = ({ field, isUploading, open, ...draft }: Editing) => {
  const { content, keeper } = draft
  const [isTried, setTried] = useState(false)
  const { isSending, send } = useSend({ ...draft, keeper, isWriting: !isEmpty(content) })
  const obstacle = obstacleOf({ ...draft, isUploading })
  const canSend = obstacle === null && !isSending
  /** Does it if the draft can be sent. Otherwise, says why not, and the next letters go to the field. */
  const attempt = (run: () => void): void => {
    if (isSending) return
    setTried(!canSend)
    if (canSend) {
      // The next letters are keys, for example the one that undoes. A dialog returns the focus to the field.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      return run()
    }
    const subject = field.current?.parentElement?.querySelector<HTMLInputElement>("input[required]")
    const missing = obstacle?.isSubject === true ? subject : field.current
    missing?.focus()
  }
  const sendAt = (timing: Timing | null): void => attempt(() => send({ timing }))
  const openLater = (): void =>
    attempt(() => {
      field.current?.focus()
      open("later")
    })
  const onSendKey = (event: KeyboardEvent): boolean => {
    if (event.nativeEvent.isComposing || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return false
    event.preventDefault()
    if (event.shiftKey) openLater()
    else sendAt(null)
    return true
  }
  return {
    canSend,
    isSending,
    obstacle: isTried ? obstacle : null,
    onSendKey,
    openLater,
    sendAndClose: () => attempt(() => send({ timing: null, closes: true })),
    sendAt
  }
}

/** Returns the draft of the editor and what its keys and buttons do. */
const useReply = (props: EditorProps) => {
  const { channel, keeper } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const [opened, open] = useState<Opened>(null)
  const { content, state } = useSyncExternalStore(keeper.subscribe, keeper.read)
  const files = useAttachments(channel, keeper)
  const sending = useSending({ ...props, content, field, isUploading: files.running.length > 0, open })
  const openCanned = (): void => {
    field.current?.focus()
    open("canned")
  }
  const insert = (piece: string, subject: string | null): void => {
    const changed = subject !== null && channel === "email" ? { subject } : {}
    const end = (field.current?.selectionStart ?? 0) + piece.length
    flushSync(() => keeper.write({ body: insertText(field.current, piece), ...changed }))
    field.current?.focus()
    field.current?.setSelectionRange(end, end)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || sending.onSendKey(event)) return
    if (event.key === "/" && isAtWordStart(field.current)) {
      event.preventDefault()
      open("canned")
    } else if (event.key === "Escape") field.current?.blur()
  }
  const receive = (event: ClipboardEvent | DragEvent, data: DataTransfer): void => {
    if (data.files.length === 0) return
    event.preventDefault()
    files.add([...data.files])
  }
  const latest = useRef(sending.sendAt)
  useEffect(() => {
    latest.current = sending.sendAt
  })
  useOfferedCommands(
    useMemo(() => [{ label: composerText.send, hint: "mod+enter", pick: () => latest.current(null) }], [])
  )
  return {
    ...sending,
    content,
    field,
    files,
    insert,
    mayClose: useMay("inbox.update"),
    onKeyDown,
    open,
    openCanned,
    opened,
    receive,
    state
  }
}

type Reply = ReturnType<typeof useReply>

/** The buttons below the field. Those that cannot send yet are not disabled, so that they can say why. */
const Foot = ({ canSend, obstacle, openCanned, openLater, ...reply }: Reply) => (
  <div className={styles.foot}>
    <FilePicker label={composerText.files.attach} onFiles={reply.files.add} />
    <button type="button" title="/" onClick={openCanned}>
      {text.cannedReplies}
    </button>
    <span role="status" className={obstacle === null ? styles.state : styles.obstacle}>
      {obstacle?.message ?? (reply.files.running.length > 0 ? composerText.files.wait : stateTexts[reply.state])}
    </span>
    <button type="button" aria-disabled={!canSend} title={keyName("mod+shift+enter")} onClick={openLater}>
      {composerText.schedule.open}
    </button>
    {reply.mayClose ? (
      <button type="button" data-once aria-disabled={!canSend} onClick={reply.sendAndClose}>
        {composerText.sendAndClose}
      </button>
    ) : null}
    <button
      type="button"
      data-primary
      aria-disabled={!canSend}
      title={keyName("mod+enter")}
      aria-keyshortcuts="Control+Enter"
      onClick={() => reply.sendAt(null)}
    >
      {reply.isSending ? composerText.sending : composerText.send}
    </button>
  </div>
)

interface EditorProps {
  readonly contactId: string
  readonly channel: WritingChannel
  readonly keeper: DraftKeeper
  /** Whether an email needs a subject, because there is none that it could answer. */
  readonly needsSubject: boolean
}

/** The field of a reply with everything that a person adds to it. */
export const ReplyEditor = (props: EditorProps) => {
  const { channel, contactId, keeper, needsSubject } = props
  const reply = useReply(props)
  const { content, field, files, open, opened } = reply
  const close = (): void => open(null)
  return (
    <div
      className={styles.editor}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => reply.receive(event, event.dataTransfer)}
    >
      {channel === "email" ? (
        <EmailFields
          content={content}
          needsSubject={needsSubject}
          onChange={keeper.write}
          onKeyDown={(event) => void reply.onSendKey(event)}
        />
      ) : null}
      <textarea
        ref={field}
        className={styles.field}
        rows={4}
        aria-label={composerText.label}
        placeholder={composerText.placeholder}
        readOnly={reply.isSending}
        value={content.body}
        onChange={(event) => keeper.write({ body: event.target.value })}
        onKeyDown={reply.onKeyDown}
        onPaste={(event) => reply.receive(event, event.clipboardData)}
      />
      <Attachments files={content.files} running={files.running} onRemove={files.remove} />
      {channel === "email" ? <Signature /> : <Segments content={content} />}
      <Foot {...reply} />
      <Suspense fallback={opened === "canned" ? <TypedAhead onClose={close} /> : null}>
        {opened === "canned" ? (
          <CannedReplies contactId={contactId} channel={channel} onInsert={reply.insert} onClose={close} />
        ) : null}
        {opened === "later" ? <SendLater onChoose={reply.sendAt} onClose={close} /> : null}
      </Suspense>
    </div>
  )
}
