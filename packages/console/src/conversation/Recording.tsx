import { useMutation, useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { noticeFailure } from "../component/Notices.tsx"
import { conversationText } from "../text/Conversation.ts"

interface RecordingProps {
  readonly contactId: string
  readonly messageId: string
  /** The text of the message about the call. */
  readonly transcript: string
}

/** Returns captions in the format WebVTT. The times of the words are not known, so one caption lasts the whole call. */
const captionsOf = (transcript: string): Blob =>
  new Blob([`WEBVTT\n\n00:00:00.000 --> 99:59:59.000\n${transcript.replaceAll(/\n+/gu, "\n")}`], { type: "text/vtt" })

/** The recording of a call. The server returns the newest recording of a contact, so only this one can be played. */
export const Recording = ({ contactId, messageId, transcript }: RecordingProps) => {
  const { client, tenantId } = useConnection()
  const calls = useQuery({
    queryKey: [tenantId, "calls", contactId],
    queryFn: async ({ signal }) => (await client.calls.list(tenantId, { contactId, signal })).calls
  })
  const audio = useMutation({
    mutationFn: async () => {
      const file = await client.calls.recording(tenantId, contactId)
      const sound = new Blob([await file.bytes()], { type: file.contentType ?? "" })
      return { sound: URL.createObjectURL(sound), captions: URL.createObjectURL(captionsOf(transcript)) }
    },
    onError: (error) => noticeFailure(problemText(error))
  })
  const files = audio.data
  useEffect(
    () => () => {
      for (const address of Object.values(files ?? {})) URL.revokeObjectURL(address)
    },
    [files]
  )
  const newest = calls.data?.find(({ recording }) => recording === "ready")
  if (newest?.message_id !== messageId) return null
  if (files !== undefined) {
    return (
      <audio controls src={files.sound} aria-label={conversationText.recording.label}>
        <track kind="captions" src={files.captions} />
      </audio>
    )
  }
  return (
    <div>
      <button type="button" disabled={audio.isPending} onClick={() => audio.mutate()}>
        {conversationText.recording.play}
      </button>
    </div>
  )
}
