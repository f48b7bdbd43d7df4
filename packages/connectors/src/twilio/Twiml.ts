/** What an element holds: text, or further elements. */
export type Node = string | { readonly xml: string }

/** Characters that XML 1.0 cannot hold at all (section 2.2). */
const impossible = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;"
}

/** A text as it stands in an element or an attribute. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(impossible, "")
    .replace(/[&<>"']/gu, (found) => entities[found] ?? "")

/** An element. Attributes and texts are escaped here and nowhere else; an attribute of null is left out. */
export const element = (
  name: string,
  attributes: Readonly<Record<string, string | null>> = {},
  ...children: ReadonlyArray<Node>
): Node => {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === null ? "" : ` ${key}="${escapeXml(value)}"`
  )
  const inner = children.map((child) => (typeof child === "string" ? escapeXml(child) : child.xml)).join("")
  return { xml: inner === "" ? `<${name}${written.join("")}/>` : `<${name}${written.join("")}>${inner}</${name}>` }
}

/** What Twilio is to do, as a document. */
export const twiml = (...verbs: ReadonlyArray<Node>): string => {
  const response = element("Response", {}, ...verbs)
  return `<?xml version="1.0" encoding="UTF-8"?>${typeof response === "string" ? response : response.xml}`
}
