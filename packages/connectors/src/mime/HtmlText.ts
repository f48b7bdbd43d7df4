import { visibleText } from "@leadloom/core/internal/domain/email/VisibleText"
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2"
import { type LineLimits, TextLines } from "./TextLines.ts"

/**
 * HTML to plain text in one pass over the tokens of `htmlparser2`, without a tree. The cost is one step per token and
 * per character. Not supported: table columns, pictures, link URLs.
 */

/**
 * Elements whose text starts and ends on its own line. `spaced` elements also have a blank line before and after them.
 */
const spaced = "p h1 h2 h3 h4 h5 h6 blockquote pre ul ol table dl"
const plain =
  "address article aside body caption center dd div dt figcaption figure footer form header li main nav section tr"

const lineEnds: ReadonlyMap<string, number> = new Map([
  ...spaced.split(" ").map((name) => [name, 2] as const),
  ...plain.split(" ").map((name) => [name, 1] as const)
])

/** Elements without an end tag. */
const voids = new Set("area base br col embed hr img input link meta param source track wbr".split(" "))

/** Elements whose content is not text. */
const withoutText = new Set("script style title template head".split(" "))

/** An element whose end tag has not been read yet. */
interface Open {
  readonly name: string
  /** Whether the element marks or indents its lines. */
  readonly marked: boolean
  /** The number of the next item in an ordered list; null for other elements. */
  item: number | null
}

/** The text of an HTML source, and whether it was truncated. */
export interface HtmlAsText {
  readonly text: string
  readonly cut: boolean
}

const nothing = (): void => undefined

/** Tokenizer events that do not affect the text. */
const unread = {
  oncdata: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onprocessinginstruction: nothing,
  onattribname: nothing,
  onattribdata: nothing,
  onattribentity: nothing,
  onattribend: nothing,
  onopentagend: nothing,
  onselfclosingtag: nothing,
  onend: nothing
}

const isList = (name: string): boolean => name === "ul" || name === "ol"

/** Tracks the open elements and writes their text. */
class Walker {
  readonly lines: TextLines
  readonly #stack: Array<Open> = []
  readonly #lists: Array<Open> = []
  readonly #openCount = new Map<string, number>()

  constructor(limits: LineLimits) {
    this.lines = new TextLines(limits)
  }

  #open(name: string): number {
    return this.#openCount.get(name) ?? 0
  }

  #isSilent(): boolean {
    return [...withoutText].some((name) => this.#open(name) > 0)
  }

  #endLine(name: string): void {
    const nested = isList(name) && this.#open("li") > 0
    this.lines.endLine(nested ? 1 : (lineEnds.get(name) ?? 0))
  }

  #marker(): string {
    const list = this.#lists[this.#lists.length - 1]
    return list === undefined || list.item === null ? " * " : ` ${list.item++}. `
  }

  #enter(name: string): boolean {
    if (name === "blockquote") return this.lines.quote()
    return name === "li" ? this.lines.item(this.#marker()) : false
  }

  open(name: string): void {
    if (name === "br" || name === "hr") return this.#isSilent() ? undefined : this.lines.lineBreak()
    if (name === "td" || name === "th") this.lines.space()
    if (voids.has(name)) return
    this.#endLine(name)
    this.#openCount.set(name, this.#open(name) + 1)
    const opened: Open = { name, marked: this.#enter(name), item: name === "ol" ? 1 : null }
    this.#stack.push(opened)
    if (isList(name)) this.#lists.push(opened)
  }

  /** Each element is closed once, so all end tags together cost no more than all start tags. */
  close(name: string): void {
    if (this.#open(name) === 0) return
    for (let last = this.#stack.pop(); last !== undefined; last = this.#stack.pop()) {
      this.#openCount.set(last.name, this.#open(last.name) - 1)
      this.#endLine(last.name)
      if (last.marked) this.lines.leave()
      if (isList(last.name)) this.#lists.pop()
      if (last.name === name) return
    }
  }

  text(piece: string): void {
    if (this.#isSilent()) return
    if (this.#open("pre") > 0) this.lines.verbatim(piece)
    else this.lines.words(piece)
  }
}

/**
 * Converts sanitised HTML to plain text. Paragraphs and line breaks stay, quotes are marked with `> `, and a link
 * becomes its text. Linear.
 */
export const convertHtml = (html: string, limits: LineLimits): HtmlAsText => {
  const walker = new Walker(limits)
  const name = (start: number, end: number): string => html.slice(start, end).toLowerCase()
  const tokens: TokenizerCallbacks = {
    ...unread,
    onopentagname: (start, end) => walker.open(name(start, end)),
    onclosetag: (start, end) => walker.close(name(start, end)),
    ontext: (start, end) => walker.text(html.slice(start, end)),
    ontextentity: (code) => walker.text(String.fromCodePoint(code))
  }
  const tokenizer = new Tokenizer({ decodeEntities: true, xmlMode: false, recognizeSelfClosing: false }, tokens)
  tokenizer.write(html)
  tokenizer.end()
  const { cut, lines } = walker.lines.finish()
  return { text: visibleText(lines.join("\n")).trim(), cut }
}
