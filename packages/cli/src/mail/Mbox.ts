/** One mail of an mbox file. */
export interface MboxMail {
  /** Where its `From ` line begins, in bytes. */
  readonly offset: number
  /** Where the next mail begins, in bytes. */
  readonly end: number
  readonly raw: Buffer
}

const newline = 0x0a
const fromLine = Buffer.from("From ")

/**
 * A line that begins a mail: `From <somebody> <time>` after an empty line. The time is asked for because a body may hold
 * `From ` at the start of a line that its writer forgot to quote.
 */
const isSeparator = (line: Buffer): boolean =>
  line.subarray(0, fromLine.length).equals(fromLine) && /\s\d{1,2}:\d{2}(?::\d{2})?\s/u.test(line.toString("latin1"))

const isBlank = (line: Buffer): boolean => line.length === 1 || (line.length === 2 && line[0] === 0x0d)

/** Takes one `>` away from a quoted `From ` line (mboxrd, and what mboxo quoted). */
const unquote = (line: Buffer): Buffer => {
  let depth = 0
  while (line[depth] === 0x3e) depth++
  return depth > 0 && line.subarray(depth, depth + fromLine.length).equals(fromLine) ? line.subarray(1) : line
}

/** Lines with their ends, however the chunks are cut. */
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

/** The mail's bytes; the empty line before the next `From ` belongs to the format, not to the mail. */
const assemble = (lines: ReadonlyArray<Buffer>): Buffer => {
  const last = lines.at(-1)
  const own = last !== undefined && isBlank(last) ? lines.slice(0, -1) : lines
  return Buffer.concat(own)
}

/**
 * The mails of an mbox file (RFC 4155, and its mboxrd and mboxo dialects), one after the other: a file of any size needs
 * the memory of its largest mail. What stands before the first `From ` line is skipped.
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
