import { LeadloomError } from "./LeadloomError.ts"

/** One event of a stream (HTML, section 9.2: server-sent events). */
export interface ServerEvent {
  /** What to go on after: of outbound events the sequence number. */
  readonly id: string
  readonly type: string
  /** As it came; of outbound events the JSON of the envelope. */
  readonly data: string
}

/** The part of a body that is read as it comes; that of the global `fetch` fits. */
export interface ByteStream {
  readonly getReader: () => {
    readonly read: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    readonly cancel: () => Promise<void>
  }
}

/** The fields of a block of lines; a line that begins with a colon is a comment. */
const fieldsOf = (block: string): ReadonlyMap<string, string> =>
  new Map(
    block
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith(":"))
      .map((line): [string, string] => {
        const colon = line.indexOf(":")
        return colon === -1 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /u, "")]
      })
  )

/**
 * The events of a body, each as soon as it is there. Ends with the body, and lets go of it when nobody asks for more.
 * Reads what Leadloom writes: lines end with a line feed, and the data of an event is one line.
 * @throws LeadloomError when the connection breaks
 */
export async function* serverEvents(body: ByteStream): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  let id = ""
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const fields of blocks.map(fieldsOf)) {
        id = fields.get("id") ?? id
        const data = fields.get("data")
        if (data !== undefined) yield { id, type: fields.get("event") ?? "message", data }
      }
    }
  } catch (cause) {
    throw new LeadloomError({ status: 0, code: "NETWORK_ERROR", message: "The stream broke off.", cause })
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
