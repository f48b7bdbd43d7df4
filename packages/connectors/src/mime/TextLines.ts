/** The limits for the text of one document. */
export interface LineLimits {
  /** The maximum number of characters, including quote marks and line ends. */
  readonly characters: number
  /** The maximum number of nested quotes, and of nested lists, with marks. Every line repeats the marks. */
  readonly markedLevels: number
}

/** A quote or list item that marks its lines. */
interface Level {
  readonly quote: boolean
  /** The marks of this level and of its parents. */
  readonly prefix: string
  /** The mark of the first line; null once it has been written. */
  first: string | null
}

/** The white space that HTML collapses. A no-break space is not part of it. */
const foldable = " \t\r\n\f\u200B"
const word = new RegExp(`[^${foldable}]+`, "gu")

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0xa0

/** Removes trailing blanks. Linear, whereas `/\s+$/` is quadratic. */
const withoutTrailingBlanks = (line: string): string => {
  let end = line.length
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(0, end)
}

/** The maximum number of line ends between two lines of text: at most one blank line. */
const maxLineBreaks = 2

/** Assembles lines of text. The cost is proportional to the lengths of input and output, and the output is limited. */
export class TextLines {
  readonly #limits: LineLimits
  readonly #lines: Array<string> = []
  readonly #levels: Array<Level> = []
  #line = ""
  #spaceDue = false
  #room: number
  #cut = false
  /**
   * `#endsDue`: the number of line ends to write before the next text. `#levelsBetween`: the smallest nesting depth
   * since the last text; blank lines carry the marks of this depth.
   */
  #endsDue = 0
  #levelsBetween = 0

  constructor(limits: LineLimits) {
    this.#limits = limits
    this.#room = limits.characters
  }

  #push(whole: string): void {
    const text = withoutTrailingBlanks(whole)
    if (text.length + 1 > this.#room) this.#cut = true
    if (this.#room > 0) this.#lines.push(text.slice(0, this.#room))
    this.#room = Math.max(0, this.#room - text.length - 1)
  }

  /**
   * Returns the marks of the next line. If several items start on the same line (`* * text`), the line carries the
   * marks of all of them.
   */
  #prefix(): string {
    const begun = this.#levels.filter(({ first }) => first === null)
    const markers = this.#levels.map(({ first }) => first ?? "").join("")
    for (const level of this.#levels) level.first = null
    return (begun[begun.length - 1]?.prefix ?? "") + markers
  }

  #flush(): void {
    if (withoutTrailingBlanks(this.#line) !== "") {
      const between = withoutTrailingBlanks(this.#levels[this.#levelsBetween - 1]?.prefix ?? "")
      if (this.#lines.length > 0) for (let blank = 1; blank < this.#endsDue; blank++) this.#push(between)
      this.#push(this.#prefix() + this.#line)
      this.#endsDue = 0
      this.#levelsBetween = this.#levels.length
    }
    this.#line = ""
    this.#spaceDue = false
  }

  #enter(quote: boolean, marks: string, first: string | null): boolean {
    if (this.#levels.filter((level) => level.quote === quote).length >= this.#limits.markedLevels) return false
    this.#levels.push({ quote, prefix: (this.#levels[this.#levels.length - 1]?.prefix ?? "") + marks, first })
    return true
  }

  #end(endsDue: number): void {
    this.#endsDue = Math.min(maxLineBreaks, endsDue)
    this.#levelsBetween = Math.min(this.#levelsBetween, this.#levels.length)
  }

  /** Adds text in which white space only separates words. */
  words(piece: string): void {
    for (const { 0: found, index } of piece.matchAll(word)) {
      this.#line += this.#line !== "" && (this.#spaceDue || index > 0) ? ` ${found}` : found
      this.#spaceDue = false
    }
    this.#spaceDue ||= foldable.includes(piece.slice(-1))
  }

  /** Adds text unchanged, including its line ends. */
  verbatim(piece: string): void {
    for (const [index, part] of piece.split(/\r\n?|\n/u).entries()) {
      if (index > 0) this.lineBreak()
      this.#line += part
    }
  }

  /** Adds a space if the line already has text. */
  space(): void {
    this.#spaceDue = true
  }

  /** Ends the line. Each further call adds a blank line. */
  lineBreak(): void {
    this.#flush()
    this.#end(this.#endsDue + 1)
  }

  /** Ensures that at least this number of line ends precedes the next text. */
  endLine(count: number): void {
    if (count === 0) return
    this.#flush()
    this.#end(Math.max(this.#endsDue, count))
  }

  /** Starts a quote. Returns false at the nesting limit; in this case the caller must not call `leave`. */
  quote(): boolean {
    return this.#enter(true, "> ", null)
  }

  /** Starts a list item. Returns false at the nesting limit; in this case the caller must not call `leave`. */
  item(marker: string): boolean {
    return this.#enter(false, " ".repeat(marker.length), marker)
  }

  /** Ends the innermost quote or item. */
  leave(): void {
    this.#flush()
    this.#levels.pop()
    this.#levelsBetween = Math.min(this.#levelsBetween, this.#levels.length)
  }

  /** Returns the lines, and whether lines were cut. */
  finish(): { readonly lines: ReadonlyArray<string>; readonly cut: boolean } {
    this.#flush()
    return { lines: this.#lines, cut: this.#cut }
  }
}
