/**
 * Mail for tests: corpora, labelled bodies, scores of splitting and threading, and an SMTP sink. Parsers of the product
 * belong in `packages/connectors/src/mime`.
 */

/** The decoded text and HTML parts of a mail. */
export interface Body {
  readonly text: string
  readonly html: string | null
}

interface Part {
  readonly type: string
  readonly charset: string
  readonly boundary: string | null
  readonly encoding: string
  readonly attached: boolean
  readonly content: Uint8Array
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")

const parameter = (field: string, name: string): string | null => {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, "i").exec(field)
  return found?.[1] ?? found?.[2] ?? null
}

const readPart = (bytes: Uint8Array): Part => {
  const raw = latin1(bytes)
  const gap = /\r?\n\r?\n/.exec(raw)
  const head = (gap === null ? raw : raw.slice(0, gap.index)).replace(/\r?\n[ \t]+/g, " ")
  const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, "im").exec(head)?.[1]?.trim() ?? ""
  const contentType = field("content-type")
  return {
    type: contentType.split(";", 1)[0]?.trim().toLowerCase() || "text/plain",
    charset: parameter(contentType, "charset") ?? "utf-8",
    boundary: parameter(contentType, "boundary"),
    encoding: field("content-transfer-encoding").toLowerCase(),
    attached: field("content-disposition").toLowerCase().startsWith("attachment"),
    content: gap === null ? new Uint8Array() : bytes.subarray(gap.index + gap[0].length)
  }
}

const quotedPrintable = (text: string): Uint8Array =>
  Buffer.from(
    text
      .replace(/[ \t]+(?=\r?\n|$)/g, "")
      .replace(/=\r?\n/g, "")
      .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1"
  )

const decoded = (part: Part): string => {
  const bytes =
    part.encoding === "base64"
      ? Buffer.from(latin1(part.content), "base64")
      : part.encoding === "quoted-printable"
        ? quotedPrintable(latin1(part.content))
        : part.content
  try {
    return new TextDecoder(part.charset, { fatal: true }).decode(bytes).replace(/\r\n/g, "\n")
  } catch {
    return new TextDecoder("windows-1252").decode(bytes).replace(/\r\n/g, "\n")
  }
}

const children = (part: Part): ReadonlyArray<Part> =>
  latin1(part.content)
    .split(`--${part.boundary}`)
    .slice(1)
    .filter((piece) => !piece.startsWith("--"))
    .map((piece) => readPart(Buffer.from(piece.replace(/^[ \t]*\r?\n/, ""), "latin1")))

const leaves = (part: Part): ReadonlyArray<Part> =>
  part.type.startsWith("multipart/") && part.boundary !== null ? children(part).flatMap(leaves) : [part]

const entities: Readonly<Record<string, string>> = { nbsp: " ", amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/**
 * Converts HTML to plain text: each block on its own line, quotes with `> `. It is sufficient to compare words and
 * lines.
 */
export const textOfHtml = (html: string): string =>
  html
    .replace(/<!--[\s\S]*?-->|<(style|script|head|title)\b[\s\S]*?<\/\1>/gi, "")
    .replace(/\s+/g, " ")
    .replace(/<br[^>]*> ?/gi, "\n")
    .replace(/<\/?(?:p|div|table|tr|blockquote|hr|h\d|ul|ol|li|pre|body)\b[^>]*> ?/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(nbsp|amp|lt|gt|quot|apos);/gi, (_, name: string) => entities[name.toLowerCase()] ?? "")
    .replace(/\n{3,}/g, "\n\n")

/** Reads the first text part and the first HTML part of a mail. For a mail without text, it converts the HTML. */
export const readBody = (bytes: Uint8Array): Body => {
  const parts = leaves(readPart(bytes)).filter((part) => !part.attached)
  const plain = parts.find((part) => part.type === "text/plain")
  const rich = parts.find((part) => part.type === "text/html")
  const html = rich === undefined ? null : decoded(rich)
  return { text: plain === undefined ? textOfHtml(html ?? "") : decoded(plain), html }
}
