import { type QuoteType, Tokenizer, type TokenizerCallbacks } from "htmlparser2"

/**
 * The limits for one HTML document. Without them, a document of 1 MB takes minutes, because the parser searches its
 * stack of open elements at every end tag and copies attribute values several times.
 */
export interface HtmlLimits {
  /** The maximum number of open elements. Deeper tags are ignored, but their text is kept. */
  readonly depth: number
  /** The maximum number of attributes per tag, and of characters per attribute value. */
  readonly attributes: number
  readonly attributeCharacters: number
  /**
   * The maximum length of the output in characters. The length is overestimated: it counts escaped text, and tags with
   * the attributes that sanitising adds.
   */
  readonly outputCharacters: number
}

/** The document and the state of its parser. */
export interface HtmlDocument {
  readonly source: string
  /** Returns the number of open elements. */
  readonly openElements: () => number
  /** Called when a limit removes content. */
  readonly onCut: () => void
}

/** The number of characters that sanitising may add to a tag: the end tag, and the attributes of a link. */
const charactersPerTag = 64

const [ampersand, lessThan, greaterThan] = [0x26, 0x3c, 0x3e]

const escapedLength = (code: number): number =>
  code === ampersand ? 5 : code === lessThan || code === greaterThan ? 4 : 1

/**
 * Finds the longest text from `start` whose escaped form has at most `room` characters. Returns its end and the escaped
 * length.
 */
const fittingText = (
  source: string,
  start: number,
  end: number,
  room: number
): readonly [stop: number, length: number] => {
  let length = 0
  for (let at = start; at < end; at++) {
    const next = length + escapedLength(source.charCodeAt(at))
    if (next > room) return [at, length]
    length = next
  }
  return [end, length]
}

/** Forwards the tokens within the limits. The cost is one step per token and per character of text. */
class BoundedTokens implements TokenizerCallbacks {
  readonly #parser: TokenizerCallbacks
  readonly #limits: HtmlLimits
  readonly #document: HtmlDocument
  #room: number
  #ignoringTag = false
  #ignoringAttribute = false
  #attributes = 0
  #valueLength = 0

  constructor(parser: TokenizerCallbacks, limits: HtmlLimits, document: HtmlDocument) {
    this.#parser = parser
    this.#limits = limits
    this.#document = document
    this.#room = limits.outputCharacters
  }

  #spend(length: number): void {
    this.#room = Math.max(0, this.#room - length)
    if (this.#room === 0) this.#document.onCut()
  }

  ontext(start: number, end: number): void {
    const [stop, length] = fittingText(this.#document.source, start, end, this.#room)
    if (stop > start) this.#parser.ontext(start, stop)
    this.#spend(stop < end ? this.#room : length)
  }

  ontextentity(code: number, end: number): void {
    if (this.#room > 0) this.#parser.ontextentity(code, end)
    this.#spend(escapedLength(code))
  }

  onopentagname(start: number, end: number): void {
    this.#attributes = 0
    this.#ignoringTag = this.#room === 0 || this.#document.openElements() >= this.#limits.depth
    if (this.#ignoringTag) return this.#document.onCut()
    this.#spend(end - start + charactersPerTag)
    this.#parser.onopentagname(start, end)
  }

  onattribname(start: number, end: number): void {
    this.#valueLength = 0
    this.#ignoringAttribute = this.#ignoringTag || ++this.#attributes > this.#limits.attributes
    if (!this.#ignoringAttribute) this.#parser.onattribname(start, end)
  }

  onattribdata(start: number, end: number): void {
    const stop = Math.min(end, start + this.#limits.attributeCharacters - this.#valueLength)
    this.#valueLength += end - start
    if (this.#ignoringAttribute || stop <= start) return
    this.#parser.onattribdata(start, stop)
    this.#spend(fittingText(this.#document.source, start, stop, this.#room)[1])
  }

  onattribentity(code: number): void {
    if (this.#ignoringAttribute || ++this.#valueLength > this.#limits.attributeCharacters) return
    this.#parser.onattribentity(code)
    this.#spend(escapedLength(code))
  }

  onattribend(quote: QuoteType, end: number): void {
    if (!this.#ignoringAttribute) this.#parser.onattribend(quote, end)
  }

  onopentagend(end: number): void {
    if (!this.#ignoringTag) this.#parser.onopentagend(end)
  }

  onselfclosingtag(end: number): void {
    if (!this.#ignoringTag) this.#parser.onselfclosingtag(end)
  }

  onclosetag(start: number, end: number): void {
    this.#parser.onclosetag(start, end)
  }

  oncdata(start: number, end: number, offset: number): void {
    this.#parser.oncdata(start, end, offset)
  }

  oncomment(start: number, end: number, offset: number): void {
    this.#parser.oncomment(start, end, offset)
  }

  ondeclaration(start: number, end: number): void {
    this.#parser.ondeclaration(start, end)
  }

  onprocessinginstruction(start: number, end: number): void {
    this.#parser.onprocessinginstruction(start, end)
  }

  onend(): void {
    this.#parser.onend()
  }

  isInForeignContext(): boolean {
    return this.#parser.isInForeignContext?.() ?? false
  }
}

/** Returns a tokenizer for `htmlparser2`'s `Parser` that enforces the limits for one document. */
export const boundedTokenizer = (limits: HtmlLimits, document: HtmlDocument): typeof Tokenizer =>
  class extends Tokenizer {
    constructor(options: ConstructorParameters<typeof Tokenizer>[0], parser: TokenizerCallbacks) {
      super(options, new BoundedTokens(parser, limits, document))
    }
  }
