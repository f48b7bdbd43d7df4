const escaped: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Escapes a text for an HTML element or a quoted attribute. */
export const escapeText = (text: string): string => text.replace(/[&<>"']/gu, (character) => escaped[character] ?? "")
