/** The content of an element: text or another element. */
export type Node = string | { readonly xml: string }

/** Characters that XML 1.0 does not permit (section 2.2). */
const impossible = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;"
}

/** Escapes a text for an element or an attribute. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(impossible, "")
    .replace(/[&<>"']/gu, (found) => entities[found] ?? "")

/** Builds an element. All attributes and texts are escaped here; an attribute with the value null is omitted. */
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

/** Builds the document with Twilio's instructions. */
export const twiml = (...verbs: ReadonlyArray<Node>): string => {
  const response = element("Response", {}, ...verbs)
  return `<?xml version="1.0" encoding="UTF-8"?>${typeof response === "string" ? response : response.xml}`
}
