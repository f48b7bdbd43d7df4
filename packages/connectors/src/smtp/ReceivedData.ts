import type { SMTPServerDataStream } from "smtp-server"
import { MailSpool } from "./MailSpool.ts"
import { replies, type SmtpReply } from "./SmtpReply.ts"

/** The place that a mail in flight takes. */
export interface DataReservation {
  /** The reply that the mail gets whatever it is; null: it is received. */
  readonly refusal: SmtpReply | null
  /** False: there is no room for these bytes, and nothing was taken. */
  readonly take: (bytes: number) => boolean
  /** Notes bytes that have arrived, and whether the client is waited for from now on, or the disk. */
  readonly note: (bytes: number, waitsForClient: boolean) => void
}

/** How a mail is received. */
export interface ReceiveOptions {
  readonly mailBytes: number
  readonly memoryBytes: number
  /** Where temporary files lie. */
  readonly directory: string
  /** Called once for a client that goes on for several times the size. */
  readonly onFlood: () => void
}

/** What came of the data of a mail. The receiver of a whole mail closes the spool. */
export type ReceivedData =
  | { readonly _tag: "Whole"; readonly spool: MailSpool }
  | { readonly _tag: "Refused"; readonly reply: SmtpReply }
  /** The connection ended before the mail did: there is no client to answer. */
  | { readonly _tag: "Broken" }

/**
 * Reads a mail up to a size, as far as there is place. The rest is read and thrown away, so that the client gets the
 * reply. A client that sends faster than the disk writes is slowed down.
 */
export const receiveData = async (
  stream: SMTPServerDataStream,
  { directory, mailBytes, memoryBytes, onFlood }: ReceiveOptions,
  place: DataReservation
): Promise<ReceivedData> => {
  const spool = new MailSpool(directory, memoryBytes)
  let { refusal } = place
  let seen = 0
  const refuse = async (reply: SmtpReply): Promise<void> => {
    refusal = reply
    await spool.close()
  }
  const keep = async (chunk: Buffer): Promise<void> => {
    if (seen > mailBytes) return refuse(replies.tooLarge)
    if (!place.take(chunk.length)) return refuse(replies.busy)
    await spool.append(chunk).catch(() => refuse(replies.busy))
  }
  try {
    place.note(0, true)
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const flooded = seen > mailBytes * 2
      seen += chunk.length
      place.note(chunk.length, false)
      if (!flooded && seen > mailBytes * 2) onFlood()
      if (refusal === null) await keep(chunk)
      place.note(0, true)
    }
  } catch {
    await spool.close()
    return { _tag: "Broken" }
  } finally {
    place.note(0, false)
  }
  return refusal === null ? { _tag: "Whole", spool } : { _tag: "Refused", reply: refusal }
}

/** Length of the header: everything before the first empty line. Bytes. */
export const headerLength = (raw: Buffer): number => {
  const ends = ["\r\n\r\n", "\n\n"].map((end) => raw.indexOf(end)).filter((at) => at >= 0)
  return ends.length === 0 ? raw.length : Math.min(...ends)
}
