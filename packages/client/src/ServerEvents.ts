import { clientError } from "./LeadloomError.ts"
import type { ServerEvent } from "./Result.ts"

/** The maximum size of one event in characters. The largest event of Leadloom has a twentieth of this size. */
const maxEventLength = 16 * 1_048_576

/** Adds the field in a line to its event. Lines that start with a colon are comments and are ignored. */
const addField = (fields: Map<string, string>, line: string): void => {
  const colon = `${line}:`.indexOf(":")
  if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /u, ""))
}

/**
 * Returns a parser that collects the fields of events from chunks of text. It only appends a chunk to an unfinished
 * line, so the total time is linear in the length of the text for any size of the chunks.
 */
const eventFields = (): ((text: string) => ReadonlyArray<ReadonlyMap<string, string>>) => {
  let line = ""
  let length = 0
  let fields = new Map<string, string>()
  return (text) => {
    const complete: Array<ReadonlyMap<string, string>> = []
    const [first = "", ...rest] = text.split("\n")
    line += first
    length += first.length
    for (const next of rest) {
      if (line !== "") addField(fields, line)
      else if (fields.size > 0) {
        complete.push(fields)
        fields = new Map()
      }
      if (line === "") length = 0
      line = next
      length += next.length
    }
    if (length > maxEventLength) {
      throw clientError("UNEXPECTED_RESPONSE", `The event exceeds ${maxEventLength} characters.`)
    }
    return complete
  }
}

/**
 * Yields the events of a body as they arrive, and ends with the body. Supports only the format that Leadloom writes:
 * lines end with a line feed, and the data of an event is one line.
 * @throws LeadloomError when an event exceeds the maximum size
 */
export async function* serverEvents(
  chunks: AsyncIterable<Uint8Array>,
  onPosition: (id: string) => void
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder()
  const read = eventFields()
  let id = ""
  for await (const chunk of chunks) {
    for (const fields of read(decoder.decode(chunk, { stream: true }))) {
      const position = fields.get("id")
      if (position !== undefined) {
        id = position
        onPosition(id)
      }
      const data = fields.get("data")
      if (data !== undefined) yield { id, type: fields.get("event") ?? "message", data }
    }
  }
}
