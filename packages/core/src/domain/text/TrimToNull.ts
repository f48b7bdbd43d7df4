/** Removes the surrounding white space of an entered text. Null when nothing remains. */
export const trimToNull = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}
