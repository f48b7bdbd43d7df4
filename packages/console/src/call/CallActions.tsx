import type { CallRecord } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { saveDownload } from "../app/SaveDownload.ts"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { noticeSuccess } from "../component/Notices.tsx"
import { Row } from "../component/Page.tsx"
import { callText } from "../text/Call.ts"
import { hasEnded } from "../contact/call/CallData.ts"
import { CallButton } from "../contact/call/CallButton.tsx"
import { CallProgress } from "../contact/call/CallProgress.tsx"
import styles from "./CallsPage.module.css"

interface CallProps {
  readonly call: CallRecord
  /** The name of the contact. */
  readonly name: string
}

const missedStatuses: ReadonlySet<CallRecord["status"]> = new Set(["no_answer", "busy", "canceled", "failed"])

/** Returns whether nobody has answered a call of the contact. */
export const isMissed = ({ direction, status }: CallRecord): boolean =>
  direction === "inbound" && missedStatuses.has(status)

/** Returns the function that creates the task to call back. The task belongs to the person who creates it. */
export const useCallBack = () => {
  const { client, tenantId, userId } = useConnection()
  const [create] = useAction(
    ({ call, name }: CallProps) =>
      client.tasks.create(tenantId, {
        type: "callback",
        title: callText.callBackTo(name),
        contact_id: call.contact_id,
        lead_id: call.lead_id,
        assignee_id: userId
      }),
    { onSuccess: () => noticeSuccess(callText.callBackCreated) }
  )
  return create
}

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

/** The actions on one call: state, call, task, transcript and recording. */
export const CallActions = ({ call, name }: CallProps) => {
  const [isOpen, setOpen] = useState(false)
  const { client, tenantId } = useConnection()
  const callBack = useCallBack()
  const [save, isSaving] = useAction(async () =>
    saveDownload(await client.calls.recording(tenantId, call.contact_id), `${name}.mp3`)
  )
  return (
    <Row>
      {hasEnded(call) ? <CallButton contactId={call.contact_id} name={name} /> : <Follow call={call} name={name} />}
      <button type="button" aria-label={callText.callBackTo(name)} onClick={() => callBack({ call, name })}>
        {callText.callBack}
      </button>
      {call.message_id === null ? null : (
        <button type="button" aria-label={callText.transcript(name)} onClick={() => setOpen(true)}>
          {callText.transcriptShort}
        </button>
      )}
      {call.recording === "ready" ? (
        <button type="button" aria-label={callText.recording(name)} disabled={isSaving} onClick={() => save(undefined)}>
          {callText.recordingShort}
        </button>
      ) : null}
      {isOpen && call.message_id !== null ? (
        <Transcript name={name} messageId={call.message_id} onClose={() => setOpen(false)} />
      ) : null}
    </Row>
  )
}
