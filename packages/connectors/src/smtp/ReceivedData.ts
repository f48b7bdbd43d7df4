import type { SMTPServerDataStream } from "smtp-server"
import { replies, type SmtpReply } from "./SmtpReply.ts"

/** Bytes of mails that are held in memory at once, by all connections together. */
export interface ByteBudget {
  /** False: there is no room, and nothing was taken. */
  readonly take: (bytes: number) => boolean
  readonly give: (bytes: number) => void
}

/** A budget of so many bytes. */
export const byteBudget = (limit: number): ByteBudget => {
  let held = 0
  return {
    take: (bytes) => {
      if (held + bytes > limit) return false
      held += bytes
      return true
    },
    give: (bytes) => void (held -= bytes)
  }
}

/** What came of the data of a mail. `release` gives its bytes back to the budget. */
export type ReceivedData =
  | { readonly _tag: "Whole"; readonly raw: Buffer; readonly release: () => void }
  | { readonly _tag: "Refused"; readonly reply: SmtpReply }
  /** The connection went before the mail had come to its end: nobody is left to answer. */
  | { readonly _tag: "Broken" }

/** Length of the header: everything before the first empty line. Bytes. */
const headerBytes = (raw: Buffer): number => {
  const ends = ["\r\n\r\n", "\n\n"].map((end) => raw.indexOf(end)).filter((at) => at >= 0)
  return ends.length === 0 ? raw.length : Math.min(...ends)
}

/**
 * Reads a mail, up to a size and as far as the budget reaches. What is too much is read on and thrown away, so that the
 * sender hears the answer; `onFlood` is called once for one who goes on for several times the size.
 */
export const receiveData = (
  stream: SMTPServerDataStream,
  limits: { readonly mailBytes: number; readonly headerBytes: number },
  budget: ByteBudget,
  onFlood: () => void
): Promise<ReceivedData> =>
  new Promise((resolve) => {
    let chunks: Array<Buffer> = []
    let held = 0
    let seen = 0
    let refusal: SmtpReply | null = null
    const release = (): void => {
      budget.give(held)
      held = 0
      chunks = []
    }
    const refuse = (reply: SmtpReply): void => {
      refusal = reply
      release()
    }
    stream.on("data", (chunk: Buffer) => {
      const flooded = seen > limits.mailBytes * 2
      seen += chunk.length
      if (!flooded && seen > limits.mailBytes * 2) onFlood()
      if (refusal !== null) return
      if (seen > limits.mailBytes) return refuse(replies.tooLarge)
      if (!budget.take(chunk.length)) return refuse(replies.busy)
      held += chunk.length
      chunks.push(chunk)
    })
    stream.on("error", () => undefined)
    stream.on("close", () => {
      if (stream.readableEnded) return
      release()
      resolve({ _tag: "Broken" })
    })
    stream.on("end", () => {
      if (refusal !== null) return resolve({ _tag: "Refused", reply: refusal })
      const raw = Buffer.concat(chunks)
      chunks = []
      if (headerBytes(raw) <= limits.headerBytes) return resolve({ _tag: "Whole", raw, release })
      release()
      resolve({ _tag: "Refused", reply: replies.headerTooLarge })
    })
  })
