import { TypedAhead } from "../dialog/TypedAhead.tsx"
import { segmentsOf } from "@leadloom/core/internal/domain/conversation/OutgoingText"
import { useQuery } from "@tanstack/react-query"
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useRef,
  useState,
  useSyncExternalStore
} from "react"
import { useConnection } from "../app/Connection.ts"
import { keyName } from "../app/Keys.ts"
import { useMay } from "../app/Permissions.ts"
import { useChange } from "../inbox/Change.ts"
import { FilePicker } from "./FilePicker.tsx"
import { composerText } from "../text/Composer.ts"
import { text } from "../text/Shared.ts"
import { useAttachments } from "./Attach.ts"
import { Attachments } from "./Attachments.tsx"
import styles from "./Composer.module.css"
import { type DraftContent, invalidAddress, isEmpty, type WritingChannel } from "./DraftContent.ts"
import type { DraftKeeper, DraftState } from "./DraftKeeper.ts"
import { EmailFields } from "./EmailFields.tsx"
import { insertText, isAtWordStart } from "./InsertText.ts"
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

const isSendable = ({ bcc, body, cc, subject }: DraftContent, needsSubject: boolean): boolean =>
  body.trim() !== "" &&
  (!needsSubject || subject.trim() !== "") &&
  invalidAddress(cc) === null &&
  invalidAddress(bcc) === null

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

const Segments = ({ body }: { readonly body: string }) => {
  const { segments, units } = segmentsOf(body)
  return (
    <span className={styles.state}>
      {/* An empty text is not sent, so it has no segment. */}
      {units === 0 ? composerText.characters(units) : composerText.segments(units, segments)}
    </span>
  )
}

type Opened = "canned" | "later" | null

/** Returns the draft of the editor and what its keys and buttons do. */
const useReply = ({ channel, contactId, keeper, needsSubject }: EditorProps) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const [opened, open] = useState<Opened>(null)
  const { content, state } = useSyncExternalStore(keeper.subscribe, keeper.read)
  const { isSending, send } = useSend({ contactId, channel, keeper, isWriting: !isEmpty(content) })
  const files = useAttachments(channel, keeper)
  const change = useChange(contactId)
  const canSend = isSendable(content, channel === "email" && needsSubject) && !isSending && files.running.length === 0
  const sendAt = (timing: Timing | null): void => {
    if (canSend) send(timing)
  }
  const insert = (piece: string, subject: string | null): void => {
    const changed = subject !== null && channel === "email" ? { subject } : {}
    keeper.write({ body: insertText(field.current, piece), ...changed })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      if (event.shiftKey) open(canSend ? "later" : null)
      else if (canSend) {
        // The next letters are keys, for example the one that undoes.
        field.current?.blur()
        sendAt(null)
      }
    } else if (event.key === "/" && isAtWordStart(field.current)) {
      event.preventDefault()
      open("canned")
    } else if (event.key === "Escape") field.current?.blur()
  }
  const receive = (event: ClipboardEvent | DragEvent, data: DataTransfer): void => {
    if (data.files.length === 0) return
    event.preventDefault()
    files.add([...data.files])
  }
  const mayClose = useMay("inbox.update")
  const sendAndClose = (): void => {
    if (canSend) send(null, { onSuccess: (result) => result === null || change({ state: "closed" }) })
  }
  return {
    mayClose,
    sendAndClose,
    canSend,
    content,
    field,
    files,
    insert,
    isSending,
    onKeyDown,
    open,
    opened,
    receive,
    sendAt,
    state
  }
}

type Reply = ReturnType<typeof useReply>

const Foot = ({ canSend, files, isSending, mayClose, open, sendAndClose, sendAt, state }: Reply) => (
  <div className={styles.foot}>
    <FilePicker label={composerText.files.attach} onFiles={files.add} />
    <button type="button" title="/" onClick={() => open("canned")}>
      {text.canned.title}
    </button>
    <span role="status" className={styles.state}>
      {files.running.length > 0 ? composerText.files.wait : stateTexts[state]}
    </span>
    <button type="button" disabled={!canSend} title={keyName("mod+shift+enter")} onClick={() => open("later")}>
      {composerText.schedule.open}
    </button>
    {mayClose ? (
      <button type="button" disabled={!canSend} onClick={sendAndClose}>
        {composerText.sendAndClose}
      </button>
    ) : null}
    <button
      type="button"
      data-primary
      disabled={!canSend}
      title={keyName("mod+enter")}
      aria-keyshortcuts="Control+Enter"
      onClick={() => sendAt(null)}
    >
      {isSending ? composerText.sending : composerText.send}
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
        <EmailFields content={content} needsSubject={needsSubject} onChange={keeper.write} />
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
      {channel === "email" ? <Signature /> : <Segments body={content.body} />}
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
