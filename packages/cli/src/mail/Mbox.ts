/** One mail of an mbox file. */
export interface MboxMail {
  /** The byte offset of its `From ` line. */
  readonly offset: number
  /** The byte offset of the next mail. */
  readonly end: number
  readonly raw: Buffer
}

const newline = 0x0a
const fromLine = Buffer.from("From ")

/**
 * Returns whether a line starts a mail: `From <sender> <time>` after an empty line. The time is required, because lines
 * of a body may begin with `From ` too.
 */
const isSeparator = (line: Buffer): boolean =>
  line.subarray(0, fromLine.length).equals(fromLine) && /\s\d{1,2}:\d{2}(?::\d{2})?\s/u.test(line.toString("latin1"))

const isBlank = (line: Buffer): boolean => line.length === 1 || (line.length === 2 && line[0] === 0x0d)

/** Removes one `>` from a quoted `From ` line. Handles mboxrd, and lines that mboxo quoted. */
const unquote = (line: Buffer): Buffer => {
  let depth = 0
  while (line[depth] === 0x3e) depth++
  return depth > 0 && line.subarray(depth, depth + fromLine.length).equals(fromLine) ? line.subarray(1) : line
}

/** Yields lines with their line endings. A line may extend over several chunks. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Array<Buffer> = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const piece = chunk.subarray(start, end + 1)
      yield rest.length === 0 ? piece : Buffer.concat([...rest, piece])
      rest = []
      start = end + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  }
  if (rest.length > 0) yield Buffer.concat(rest)
}

/**
 * Joins the lines of a mail. Removes the empty line before the next `From ` line, because it belongs to the mbox format
 * and not to the mail.
 */
const assemble = (lines: ReadonlyArray<Buffer>): Buffer => {
  const last = lines.at(-1)
  const own = last !== undefined && isBlank(last) ? lines.slice(0, -1) : lines
  return Buffer.concat(own)
}

/**
 * Yields the mails of an mbox file (RFC 4155 and its dialects mboxrd and mboxo) in sequence. The memory use depends on
 * the largest mail, not on the size of the file. Skips content before the first `From ` line.
 */
export async function* splitMbox(chunks: AsyncIterable<Buffer>): AsyncGenerator<MboxMail> {
  let lines: Array<Buffer> = []
  let offset = -1
  let position = 0
  let afterBlank = true
  for await (const line of linesOf(chunks)) {
    const begins = afterBlank && isSeparator(line)
    if (begins && offset >= 0) yield { offset, end: position, raw: assemble(lines) }
    if (begins) {
      lines = []
      offset = position
    } else if (offset >= 0) lines.push(unquote(line))
    position += line.length
    afterBlank = isBlank(line)
  }
  if (offset >= 0) yield { offset, end: position, raw: assemble(lines) }
}
