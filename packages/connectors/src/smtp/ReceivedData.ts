import type { SMTPServerDataStream } from "smtp-server"
import { MailSpool } from "./MailSpool.ts"
import { replies, type SmtpReply } from "./SmtpReply.ts"

/** The capacity of the server that an incoming mail occupies. */
export interface DataReservation {
  /** The reply to a mail that is refused before its content is read; null when the mail may be received. */
  readonly refusal: SmtpReply | null
  /** Reserves bytes. If the capacity is insufficient, reserves nothing and returns false. */
  readonly take: (bytes: number) => boolean
  /** Counts received bytes. `waitsForClient`: whether the server now waits for the client and not for its own disk. */
  readonly note: (bytes: number, waitsForClient: boolean) => void
}

/** Options for the receipt of a mail. */
export interface ReceiveOptions {
  readonly mailBytes: number
  readonly memoryBytes: number
  /** The directory of temporary files. */
  readonly directory: string
  /** Called once when a client has sent more than twice the size limit. */
  readonly onFlood: () => void
}

/** The result of receiving a mail. The caller closes the spool of a complete mail. */
export type ReceivedData =
  | { readonly _tag: "Whole"; readonly spool: MailSpool }
  | { readonly _tag: "Refused"; readonly reply: SmtpReply }
  /** The connection ended before the mail did, so no reply is possible. */
  | { readonly _tag: "Broken" }

/**
 * Reads a mail up to its size limit and the available capacity. Reads and discards the rest, because a client reads the
 * reply only after it has sent everything. If the disk is slower than the client, slows the client down.
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

/** Returns the length of the header in bytes. The header ends at the first empty line. */
export const headerLength = (raw: Buffer): number => {
  const ends = ["\r\n\r\n", "\n\n"].map((end) => raw.indexOf(end)).filter((at) => at >= 0)
  return ends.length === 0 ? raw.length : Math.min(...ends)
}
