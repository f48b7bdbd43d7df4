/** What the text of one document may come to. */
export interface LineLimits {
  /** Most characters of text, marks of quotes and line ends included. */
  readonly characters: number
  /** Most levels of quotes, and of lists, that put a mark in front of their lines. Every line repeats the marks. */
  readonly markedLevels: number
}

/** Something that puts a mark in front of its lines. */
interface Level {
  readonly quote: boolean
  /** Marks of this level and all around it. */
  readonly prefix: string
  /** Stands in front of the first line instead; null once it has been written. */
  first: string | null
}

/** White space that HTML folds. A no-break space is none. */
const foldable = " \t\r\n\f\u200B"
const word = new RegExp(`[^${foldable}]+`, "gu")

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0xa0

/** Without the blanks at its end. Linear, where `/\s+$/` tries every one of them. */
const withoutTrailingBlanks = (line: string): string => {
  let end = line.length
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(0, end)
}

/** At most one blank line stands between two others. */
const maxLineBreaks = 2

/** Puts lines together. Its cost is the length of its input and of its output, and the latter is bounded. */
export class TextLines {
  readonly #limits: LineLimits
  readonly #lines: Array<string> = []
  readonly #levels: Array<Level> = []
  #line = ""
  #spaceDue = false
  #room: number
  #cut = false
  /** Line ends due before the next text, and the fewest levels since the last one: blank lines carry their marks. */
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

  /** Marks of the next line. Items that begin on one line (` *  * text`) write theirs together. */
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

  /** Adds text as it is written, line ends included. */
  verbatim(piece: string): void {
    for (const [index, part] of piece.split(/\r\n?|\n/u).entries()) {
      if (index > 0) this.lineBreak()
      this.#line += part
    }
  }

  /** A space, where text stands before it on the line. */
  space(): void {
    this.#spaceDue = true
  }

  /** Ends the line; every further call leaves a blank one. */
  lineBreak(): void {
    this.#flush()
    this.#end(this.#endsDue + 1)
  }

  /** Sees to at least so many line ends before the next text. */
  endLine(count: number): void {
    if (count === 0) return
    this.#flush()
    this.#end(Math.max(this.#endsDue, count))
  }

  /** Begins a quote; false when there are too many levels already, and nothing has to be left. */
  quote(): boolean {
    return this.#enter(true, "> ", null)
  }

  /** Begins an item of a list, the same. */
  item(marker: string): boolean {
    return this.#enter(false, " ".repeat(marker.length), marker)
  }

  /** Ends the quote or the item that was begun last. */
  leave(): void {
    this.#flush()
    this.#levels.pop()
    this.#levelsBetween = Math.min(this.#levelsBetween, this.#levels.length)
  }

  /** The lines, and whether there would be more of them. */
  finish(): { readonly lines: ReadonlyArray<string>; readonly cut: boolean } {
    this.#flush()
    return { lines: this.#lines, cut: this.#cut }
  }
}
