import { maxTextAttachmentBytes, maxTextAttachments } from "@leadloom/core/internal/domain/conversation/OutgoingText"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { noticeFailure } from "../component/Notices.tsx"
import { bytesText } from "../design/Bytes.ts"
import { composerText } from "../text/Composer.ts"
import type { WritingChannel } from "./DraftContent.ts"
import type { DraftKeeper } from "./DraftKeeper.ts"

/** The limits of the server for the files of one message. */
const limits = {
  email: { files: 25, bytes: 25 * 1_048_576 },
  sms: { files: maxTextAttachments, bytes: maxTextAttachmentBytes }
} as const

/** A file that is on its way to the server. */
export interface RunningUpload {
  readonly id: number
  readonly name: string
  readonly stop: () => void
}

interface FileFacts {
  readonly name: string
  readonly size: number
}

/** The names and sizes of the uploads of this tab, because a stored draft has the ids only. */
const facts = new Map<string, FileFacts>()

/** Returns the name of an attached file. */
export const fileName = (uploadId: string, position: number): string =>
  facts.get(uploadId)?.name ?? composerText.files.unnamed(position + 1)

const sizeOf = (uploadIds: ReadonlyArray<string>): number =>
  uploadIds.reduce((sum, id) => sum + (facts.get(id)?.size ?? 0), 0)

/** Returns why the files do not fit into a message; null if they fit. */
const refusal = (
  channel: WritingChannel,
  attached: ReadonlyArray<string>,
  files: ReadonlyArray<File>
): string | null => {
  const { bytes, files: most } = limits[channel]
  if (attached.length + files.length > most) return composerText.files.tooMany(most)
  const size = files.reduce((sum, file) => sum + file.size, sizeOf(attached))
  return size > bytes ? composerText.files.tooLarge(bytesText(bytes)) : null
}

let lastId = 0

/** Returns the uploads of a draft that run, and the functions that add and remove files. */
export const useAttachments = (channel: WritingChannel, keeper: DraftKeeper) => {
  const { client, tenantId } = useConnection()
  const [running, setRunning] = useState<ReadonlyArray<RunningUpload>>([])
  const upload = async (file: File): Promise<void> => {
    const stopped = new AbortController()
    const id = ++lastId
    setRunning((others) => [...others, { id, name: file.name, stop: () => stopped.abort() }])
    try {
      const body = new Uint8Array(await file.arrayBuffer())
      const options = { filename: file.name, contentType: file.type || undefined, signal: stopped.signal }
      const { upload_id } = await client.uploads.create(tenantId, body, options)
      facts.set(upload_id, file)
      keeper.write({ files: [...keeper.read().content.files, { upload_id, inline: false, content_id: null }] })
    } catch (error) {
      if (!stopped.signal.aborted) noticeFailure(composerText.files.failed(file.name, problemText(error)))
    } finally {
      setRunning((others) => others.filter((other) => other.id !== id))
    }
  }
  const add = (files: ReadonlyArray<File>): void => {
    const attached = keeper.read().content.files.map(({ upload_id }) => upload_id)
    const reason = refusal(channel, attached, files)
    if (reason === null) for (const file of files) void upload(file)
    else noticeFailure(reason)
  }
  const remove = (uploadId: string): void =>
    keeper.write({ files: keeper.read().content.files.filter(({ upload_id }) => upload_id !== uploadId) })
  return { add, remove, running }
}
