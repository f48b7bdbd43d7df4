import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "@tanstack/react-router"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { saveDownload } from "../app/SaveDownload.ts"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { Row } from "../component/Page.tsx"
import { callText } from "../text/Call.ts"
import { hasEnded } from "../contact/call/CallData.ts"
import { CallButton } from "../contact/call/CallButton.tsx"
import { CallProgress } from "../contact/call/CallProgress.tsx"
import { callBackTaskOf, type CallBackTasks, type CallProps, isMissed, useCallBack } from "./CallBack.ts"
import styles from "./CallsPage.module.css"

interface TranscriptProps {
  readonly name: string
  readonly messageId: string
  readonly onClose: () => void
}

/** The message about a call contains its summary and its transcript. */
const Transcript = ({ messageId, name, onClose }: TranscriptProps) => {
  const { client, tenantId } = useConnection()
  const message = useQuery({
    queryKey: [tenantId, "message", messageId] as const,
    queryFn: ({ signal }) => client.messages.get(tenantId, messageId, { signal })
  })
  return (
    <Dialog title={callText.transcript(name)} onClose={onClose}>
      <Loaded query={message}>{({ parts }) => <p className={styles.body}>{parts.text}</p>}</Loaded>
      <DialogActions>
        <button type="button" onClick={onClose}>
          {callText.close}
        </button>
      </DialogActions>
    </Dialog>
  )
}

/** Shows the state of a call that has not ended, and transfers it. */
const Follow = ({ call, name }: CallProps) => {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <button type="button" aria-label={callText.follow(name)} onClick={() => setOpen(true)}>
        {callText.followShort}
      </button>
      {isOpen ? (
        <Dialog title={callText.follow(name)} onClose={close}>
          <CallProgress call={call} onClose={close} />
        </Dialog>
      ) : null}
    </>
  )
}

/** The open task to call back, or the button that creates it. */
const CallBackTask = ({ call, name, tasks }: ActionsProps) => {
  const [create, isCreating] = useCallBack()
  const task = callBackTaskOf(tasks, call)
  if (task !== undefined) {
    return (
      <Link to="/tasks/$taskId" params={{ taskId: task.id }} aria-label={callText.openTaskOf(name)}>
        {callText.openTask}
      </Link>
    )
  }
  return (
    <button
      type="button"
      // Until the tasks are known, the button could create a second one.
      disabled={isCreating || tasks === undefined}
      aria-label={callText.createTaskFor(name)}
      onClick={() => create({ call, name })}
    >
      {callText.createTask}
    </button>
  )
}

interface ActionsProps extends CallProps {
  /** The open tasks to call back; undefined until they are known. */
  readonly tasks: CallBackTasks | undefined
}

/** The actions on one call: state, call, task, transcript and recording. A missed call has no transcript. */
export const CallActions = ({ call, name, tasks }: ActionsProps) => {
  const [isOpen, setOpen] = useState(false)
  const { client, tenantId } = useConnection()
  const [save, isSaving] = useAction(async () =>
    saveDownload(await client.calls.recording(tenantId, call.contact_id), `${name}.mp3`)
  )
  const messageId = isMissed(call) ? null : call.message_id
  return (
    <Row>
      {hasEnded(call) ? <CallButton contactId={call.contact_id} name={name} /> : <Follow call={call} name={name} />}
      <CallBackTask call={call} name={name} tasks={tasks} />
      {messageId === null ? null : (
        <button type="button" aria-label={callText.transcript(name)} onClick={() => setOpen(true)}>
          {callText.transcriptShort}
        </button>
      )}
      {call.recording === "ready" ? (
        <button type="button" aria-label={callText.recording(name)} disabled={isSaving} onClick={() => save(undefined)}>
          {callText.recordingShort}
        </button>
      ) : null}
      {isOpen && messageId !== null ? (
        <Transcript name={name} messageId={messageId} onClose={() => setOpen(false)} />
      ) : null}
    </Row>
  )
}
