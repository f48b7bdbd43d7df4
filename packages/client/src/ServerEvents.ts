import { LeadloomError } from "./LeadloomError.ts"
import type { ByteStream, ServerEvent } from "./Request.ts"

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
