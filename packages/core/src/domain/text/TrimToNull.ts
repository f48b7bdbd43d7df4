/** A text that somebody has entered, without the space around it; null when nothing is left. */
export const trimToNull = (text: string | null): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}
