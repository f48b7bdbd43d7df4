/**
 * A small IMAP4rev1 server for tests. It keeps mails in memory and serves the commands that mail clients use for a sync:
 * RFC 3501 with IDLE, UIDPLUS, MOVE, SPECIAL-USE, CONDSTORE, QRESYNC, ENABLE, ID and NAMESPACE. `ImapStandIn.ts` starts
 * it. It lacks BODYSTRUCTURE and ENVELOPE. The same suite runs on it and on Dovecot, so it does not repeat errors of
 * the client. Tests: `packages/connectors/test/imap`.
 */

/** A part of a command (RFC 3501, section 9). A literal is a string. */
export type Token =
  | { readonly kind: "atom"; readonly text: string }
  | { readonly kind: "string"; readonly bytes: Buffer }
  | { readonly kind: "list"; readonly items: ReadonlyArray<Token> }

/** The text of an atom or a string, and an empty text for a list. Strings are UTF-8. */
export const textOf = (token: Token | undefined): string => {
  if (token === undefined || token.kind === "list") return ""
  return token.kind === "atom" ? token.text : token.bytes.toString()
}

/** The items of a list. An atom or a string is a list of one item. */
export const itemsOf = (token: Token | undefined): ReadonlyArray<Token> =>
  token === undefined ? [] : token.kind === "list" ? token.items : [token]

/** A command as lines and literals, in order. */
export type CommandParts = ReadonlyArray<string | Buffer>

const isOpen = (atom: string): boolean => atom.split("[").length > atom.split("]").length

/** Reads the tokens of a command. */
class Tokens {
  readonly #parts: CommandParts
  #part = 0
  #at = 0

  constructor(parts: CommandParts) {
    this.#parts = parts
  }

  #line(): string {
    const part = this.#parts[this.#part]
    return typeof part === "string" ? part : ""
  }

  /** Reads tokens up to the end of the command, or up to the end of the current list. */
  list(): ReadonlyArray<Token> {
    const items: Array<Token> = []
    for (;;) {
      const line = this.#line()
      const next = line[this.#at]
      if (next === undefined) {
        const literal = this.#parts[this.#part + 1]
        if (!Buffer.isBuffer(literal)) return items
        items.push({ kind: "string", bytes: literal })
        this.#part += 2
        this.#at = 0
      } else if (next === " ") this.#at += 1
      else if (next === ")") {
        this.#at += 1
        return items
      } else items.push(this.#token(line, next))
    }
  }

  #token(line: string, next: string): Token {
    if (next === "(") {
      this.#at += 1
      return { kind: "list", items: this.list() }
    }
    return next === '"' ? this.#quoted(line) : this.#atom(line)
  }

  #quoted(line: string): Token {
    const [whole = '"', inner = ""] = /^"((?:[^"\\]|\\.)*)"?/su.exec(line.slice(this.#at)) ?? []
    this.#at += whole.length
    return { kind: "string", bytes: Buffer.from(inner.replaceAll(/\\(.)/gsu, "$1"), "latin1") }
  }

  /** An atom ends at a space or parenthesis outside brackets, such as those of `BODY[HEADER.FIELDS (SUBJECT)]`. */
  #atom(line: string): Token {
    let end = this.#at
    while (end < line.length && (!" ()".includes(line[end] ?? " ") || isOpen(line.slice(this.#at, end)))) end += 1
    const text = line.slice(this.#at, end)
    this.#at = Math.max(end, this.#at + 1)
    return { kind: "atom", text }
  }
}

/** Reads the tokens of a command. */
export const readTokens = (parts: CommandParts): ReadonlyArray<Token> => new Tokens(parts).list()

/** Collects commands from the bytes of a connection, including synchronizing and other literals (RFC 7888). */
export class CommandReader {
  readonly #proceed: () => void
  readonly #complete: (parts: CommandParts) => void
  #line = ""
  #parts: Array<string | Buffer> = []
  #literal: { left: number; readonly chunks: Array<Buffer> } | null = null

  /** `proceed` asks the client for a literal. `complete` receives each command. */
  constructor(proceed: () => void, complete: (parts: CommandParts) => void) {
    this.#proceed = proceed
    this.#complete = complete
  }

  push(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length || this.#literal?.left === 0) {
      at = this.#literal === null ? this.#pushLine(chunk, at) : this.#pushLiteral(this.#literal, chunk, at)
    }
  }

  #pushLiteral(literal: { left: number; readonly chunks: Array<Buffer> }, chunk: Buffer, at: number): number {
    const taken = chunk.subarray(at, at + literal.left)
    literal.chunks.push(taken)
    literal.left -= taken.length
    if (literal.left === 0) {
      this.#parts.push(Buffer.concat(literal.chunks))
      this.#literal = null
    }
    return at + taken.length
  }

  #pushLine(chunk: Buffer, at: number): number {
    const end = chunk.indexOf(10, at)
    this.#line += chunk.toString("latin1", at, end < 0 ? chunk.length : end)
    if (end >= 0) this.#endLine()
    return end < 0 ? chunk.length : end + 1
  }

  #endLine(): void {
    const line = this.#line.replace(/\r$/u, "")
    this.#line = ""
    const literal = /\{(\d+)(\+?)\}$/u.exec(line)
    if (literal === null) {
      const parts = [...this.#parts, line]
      this.#parts = []
      return this.#complete(parts)
    }
    this.#parts.push(line.slice(0, literal.index))
    this.#literal = { left: Number(literal[1]), chunks: [] }
    if (literal[2] === "") this.#proceed()
  }
}
